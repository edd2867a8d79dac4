import type {JsonValue, NamingProfile} from '../../../sdk/index.js';
import {requireContentType} from '../../api/negotiation/content-type.js';
import type {BodySource, WriteContext} from '../../registry/request-context.js';
import type {AuthenticatedExchange} from '../request/stages.js';
import {readBody} from './read-body.js';
import {bodyMediaTypes, decodeBody, maximumValuesOf, type ExpectedBody} from './decode-body.js';

/**
 * Reads the body of a create or update.
 *
 * @returns a function that returns a new copy of its value on each call; it throws 400 for a body that cannot be parsed
 * @throws 413, 415
 */
export async function readObjectBody(
  exchange: AuthenticatedExchange,
  expected: ExpectedBody,
  naming: NamingProfile,
  {fieldValidation}: Pick<WriteContext, 'fieldValidation'>,
): Promise<BodySource> {
  const mediaTypes = bodyMediaTypes(naming, expected.schema.node.kubernetesSemantics, exchange.cbor !== undefined);
  const mediaType = requireContentType(exchange.header('content-type'), mediaTypes).essence;
  const bytes = await readBody(exchange);
  const {audit} = exchange;
  const options = {fieldValidation, maximumValues: maximumValuesOf(exchange), cbor: exchange.cbor};
  if (!audit) return () => decodeBody(bytes, mediaType, expected, options);
  return function* () {
    const body = yield* decodeBody(bytes, mediaType, expected, options);
    audit.request(body.value as JsonValue, mediaType === 'application/json' ? bytes : undefined, true);
    return body;
  };
}
