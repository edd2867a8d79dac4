import {inTurns, type JsonValue} from '../../../sdk/index.js';
import type {ResourceTypeVersion} from '../../api/types/resource-type.js';
import {applyCbor, patchMediaTypes, unsupportedPatch} from '../../registry/write/patch.js';
import type {DecodedBody, WriteContext} from '../../registry/request-context.js';
import type {AuthenticatedExchange} from '../request/stages.js';
import {readBody} from './read-body.js';
import {decodeCbor} from './cbor-body.js';
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
  const hasCbor = exchange.cbor !== undefined;
  // Unlike an object, a patch has no default media type.
  const {mediaType} = contentTypeOf(exchange.header('content-type') ?? '', patchMediaTypes(version, hasCbor));
  if (mediaType === undefined) throw unsupportedPatch(version, hasCbor);
  return mediaType.essence;
}

/** Reads a patch. @throws 400 for a body that cannot be parsed, 413 */
export async function readPatchBody(exchange: AuthenticatedExchange, kind: string, context: WriteContext): Promise<DecodedBody> {
  const bytes = await readBody(exchange);
  const options = {fieldValidation: context.fieldValidation, maximumValues: maximumValuesOf(exchange)};
  const decoding =
    kind === applyCbor
      ? decodeCbor(
          bytes,
          {cbor: exchange.cbor!, maximumValues: options.maximumValues, isTyped: false, isBare: true},
          ({problem}) => `error decoding YAML: ${problem}`,
        )
      : decodeTextOr(bytes, kind, options, (problem) => `${beginnings[kind] ?? ''}${problem}`);
  const body = await inTurns(decoding, context.task);
  exchange.audit?.request(body.value as JsonValue, kind.endsWith('json') ? bytes : undefined, false);
  return body;
}
