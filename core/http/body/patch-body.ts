import {inTurns, type JsonValue} from '../../../sdk/index.js';
import type {ResourceTypeVersion} from '../../api/types/resource-type.js';
import {patchMediaTypes} from '../../registry/write/patch.js';
import type {DecodedBody, WriteContext} from '../../registry/request-context.js';
import type {AuthenticatedExchange} from '../request/stages.js';
import {readBody} from './read-body.js';
import {decodeText, maximumValuesOf} from './decode-body.js';
import {requireContentType} from '../../api/negotiation/content-type.js';

/** Reads a patch. @throws 400 for a body that cannot be parsed, 413, 415 for an unsupported kind of patch */
export async function readPatchBody(
  exchange: AuthenticatedExchange,
  version: ResourceTypeVersion,
  context: WriteContext,
): Promise<{kind: string; body: DecodedBody}> {
  // Unlike an object, a patch has no default media type.
  const kind = requireContentType(exchange.header('content-type') || 'application/octet-stream', patchMediaTypes(version)).essence;
  const bytes = await readBody(exchange);
  const options = {fieldValidation: context.fieldValidation, maximumValues: maximumValuesOf(exchange)};
  const body = await inTurns(decodeText(bytes, kind, options), context.task);
  exchange.audit?.request(body.value as JsonValue, kind.endsWith('json') ? bytes : undefined, false);
  return {kind, body};
}
