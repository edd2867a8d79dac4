import {apiVersionOf, badRequest, inTurns, type JsonObject, type JsonValue} from '../../../sdk/index.js';
import {isJsonObject} from '../../api/json/is-json-object.js';
import {cborMediaType} from '../../api/negotiation/cbor-media-types.js';
import {requireContentType} from '../../api/negotiation/content-type.js';
import {Decoder} from '../../api/schema/decode-value.js';
import {headOf} from '../../api/schema/go-words/object-head.js';
import type {GivenDeleteOptions} from '../../registry/write/delete-options.js';
import type {AuthenticatedExchange} from '../request/stages.js';
import {cutText} from '../../registry/value-text.js';
import type {ResourceServices} from './resource-request.js';
import {readBody} from '../body/read-body.js';
import {decodeCbor} from '../body/cbor-body.js';
import {bodyMediaTypes, decodeBody, decodeTextOr, headProblem, maximumBodyValues} from '../body/decode-body.js';

/** Reads the optional body of a deletion. Undefined if there is none. @throws 400, 413, 415 */
export async function readDeleteOptions(
  exchange: AuthenticatedExchange,
  {naming, schemas}: ResourceServices,
): Promise<GivenDeleteOptions | undefined> {
  const bytes = await readBody(exchange);
  if (bytes.length === 0) return undefined;
  const mediaType = requireContentType(exchange.header('content-type'), bodyMediaTypes(naming, true, exchange.cbor !== undefined)).essence;
  const optionsVersion = apiVersionOf({group: naming.group('meta.orch'), version: 'v1'});
  const expected = {
    kind: {group: '', version: 'v1', kind: 'DeleteOptions'},
    schema: {node: schemas.node('meta.orch/v1#/definitions/DeleteOptions')},
  };
  const options = {fieldValidation: 'Ignore', maximumValues: maximumBodyValues.namespaced} as const;
  const decoding = mediaType.endsWith('.protobuf')
    ? decodeBody(bytes, mediaType, expected, {...options, isBare: true})
    : mediaType === cborMediaType
      ? decodeCbor(bytes, {cbor: exchange.cbor!, maximumValues: options.maximumValues, isTyped: true}, ({problem, named}) =>
          named ? problem : `unable to determine group/version/kind: ${problem}`,
        )
      : decodeTextOr(bytes, mediaType, options, (problem, {format}) =>
          format === 'JSON' ? `couldn't get version/kind; json parse error: ${problem}` : problem,
        );
  const {value, cbor} = await inTurns(decoding, exchange.task);
  exchange.audit?.request(value as JsonValue, mediaType === 'application/json' ? bytes : undefined, false);
  if (value === null) return {};
  const problem = cbor && isJsonObject(value) ? undefined : headProblem(value as JsonValue);
  if (problem !== undefined || !isJsonObject(value)) throw badRequest(problem ?? 'the options of a deletion are an object');
  const [apiVersion, kind] = [headOf(value, 'apiVersion'), headOf(value, 'kind')];
  if (typeof apiVersion === 'string' && apiVersion.split('/').length > 2)
    throw badRequest(`unexpected GroupVersion string: ${cutText(apiVersion)}`);
  if (typeof kind === 'string' && kind !== '' && kind !== expected.kind.kind)
    throw badRequest(
      `no kind ${JSON.stringify(cutText(kind))} is registered for version ${JSON.stringify(typeof apiVersion === 'string' && apiVersion !== '' ? cutText(apiVersion) : optionsVersion)}`,
    );
  const decoder = new Decoder([], undefined, cbor);
  decoder.object(expected.schema.node, value as JsonObject);
  if (decoder.refusal !== undefined) throw badRequest(decoder.refusal);
  return value as GivenDeleteOptions;
}
