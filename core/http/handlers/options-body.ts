import {inTurns, type JsonValue} from '../../../sdk/index.js';
import {requireContentType} from '../../api/negotiation/content-type.js';
import type {AuthenticatedExchange} from '../request/stages.js';
import type {ResourceServices} from './resource-request.js';
import {readBody} from '../body/read-body.js';
import {bodyMediaTypes, decodeBody, maximumBodyValues} from '../body/decode-body.js';

/** Reads the optional body of a deletion. Undefined if there is none. @throws 400, 413, 415 */
export async function readDeleteOptions(exchange: AuthenticatedExchange, {naming, schemas}: ResourceServices): Promise<unknown> {
  const bytes = await readBody(exchange);
  if (bytes.length === 0) return undefined;
  const mediaType = requireContentType(exchange.header('content-type'), bodyMediaTypes(naming, true)).essence;
  const expected = {
    kind: {group: '', version: 'v1', kind: 'DeleteOptions'},
    schema: {node: schemas.node('meta.orch/v1#/definitions/DeleteOptions')},
  };
  const decoding = decodeBody(bytes, mediaType, expected, {fieldValidation: 'Ignore', maximumValues: maximumBodyValues.namespaced});
  const {value} = await inTurns(decoding, exchange.task);
  exchange.audit?.request(value as JsonValue, mediaType === 'application/json' ? bytes : undefined, false);
  return value;
}
