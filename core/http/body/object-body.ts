import type {JsonValue, NamingProfile} from '../../../sdk/index.js';
import {requireContentType} from '../../api/negotiation/content-type.js';
import type {BodySource, WriteContext} from '../../registry/request-context.js';
import type {AuthenticatedExchange} from '../request/stages.js';
import {readBody} from './read-body.js';
import {bodyMediaTypes, decodeBody, maximumValuesOf, type DecodeOptions, type ExpectedBody} from './decode-body.js';

/**
 * Reads the body of a create or update.
 *
 * @returns a function that returns a new copy of its value on each call; it throws 400 for a body that cannot be parsed
 * @throws 413, 415
 */
export function readObjectBody(
  exchange: AuthenticatedExchange,
  expected: ExpectedBody,
  naming: NamingProfile,
  {fieldValidation}: Pick<WriteContext, 'fieldValidation'>,
): BodySource | Promise<BodySource> {
  const mediaTypes = bodyMediaTypes(naming, expected.schema.node.kubernetesSemantics, exchange.cbor !== undefined);
  const mediaType = requireContentType(exchange.header('content-type'), mediaTypes).essence;
  const options = {fieldValidation, maximumValues: maximumValuesOf(exchange), cbor: exchange.cbor};
  const reading = readBody(exchange);
  return reading instanceof Promise
    ? reading.then((bytes) => sourceOf(exchange, bytes, mediaType, expected, options))
    : sourceOf(exchange, reading, mediaType, expected, options);
}

function sourceOf(
  {audit}: AuthenticatedExchange,
  bytes: Buffer,
  mediaType: string,
  expected: ExpectedBody,
  options: DecodeOptions,
): BodySource {
  if (!audit) return () => decodeBody(bytes, mediaType, expected, options);
  return function* () {
    const body = yield* decodeBody(bytes, mediaType, expected, options);
    audit.request(body.value as JsonValue, mediaType === 'application/json' ? bytes : undefined, true);
    return body;
  };
}
