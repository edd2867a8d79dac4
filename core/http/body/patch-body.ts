import {inTurns, type JsonValue} from '../../../sdk/index.js';
import type {ResourceTypeVersion} from '../../api/types/resource-type.js';
import {patchMediaTypes, unsupportedPatch} from '../../registry/write/patch.js';
import type {DecodedBody, WriteContext} from '../../registry/request-context.js';
import type {AuthenticatedExchange} from '../request/stages.js';
import {readBody} from './read-body.js';
import {decodeTextOr, maximumValuesOf} from './decode-body.js';
import {contentTypeOf} from '../../api/negotiation/content-type.js';

/** What stands before what is wrong with a patch that cannot be parsed. */
const beginnings: Readonly<Record<string, string>> = {
  'application/json-patch+json': 'error decoding patch: ',
  'application/merge-patch+json': 'error decoding patch: ',
  'application/apply-patch+yaml': 'error decoding YAML: error converting YAML to JSON: ',
};

/** The kind of a patch: its media type. @throws 415 for one that the type does not have */
export function patchKind(exchange: AuthenticatedExchange, version: ResourceTypeVersion): string {
  // Unlike an object, a patch has no default media type.
  const {mediaType} = contentTypeOf(exchange.header('content-type') ?? '', patchMediaTypes(version));
  if (mediaType === undefined) throw unsupportedPatch(version);
  return mediaType.essence;
}

/** Reads a patch. @throws 400 for a body that cannot be parsed, 413 */
export async function readPatchBody(exchange: AuthenticatedExchange, kind: string, context: WriteContext): Promise<DecodedBody> {
  const bytes = await readBody(exchange);
  const options = {fieldValidation: context.fieldValidation, maximumValues: maximumValuesOf(exchange)};
  const body = await inTurns(
    decodeTextOr(bytes, kind, options, (problem) => `${beginnings[kind] ?? ''}${problem}`),
    context.task,
  );
  exchange.audit?.request(body.value as JsonValue, kind.endsWith('json') ? bytes : undefined, false);
  return body;
}
