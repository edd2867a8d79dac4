import type {NamingProfile, Status, StatusError} from '../../../sdk/index.js';
import {encodeJson} from '../../api/codec/json.js';
import {encodeYaml} from '../../api/codec/yaml.js';
import {mediaTypeFor, negotiate} from '../../api/negotiation/negotiate.js';
import {encodeStatus} from '../../api/protobuf/encode-meta.js';
import {cborMediaType} from '../../api/negotiation/cbor-media-types.js';
import type {Exchange} from '../request/exchange.js';
import {respond, respondJson} from '../response/respond.js';

/** Renders an error as a Status object. */
export function sendError(exchange: Exchange, error: StatusError, naming: NamingProfile): void | Promise<void> {
  return sendStatus(exchange, error.toStatus(), naming);
}

/**
 * Writes a Status: binary or as YAML for clients that prefer these, and as JSON for all others, even if they do not accept it.
 * `Retry-After` repeats the value in its details.
 *
 * @param code of the answer, where the Status has none
 */
export function sendStatus(
  exchange: Exchange,
  status: Status | Omit<Status, 'code'>,
  naming: NamingProfile,
  code = 'code' in status ? status.code : 200,
): void | Promise<void> {
  exchange.audit?.status({...status, code});
  const retryAfter = status.details?.retryAfterSeconds;
  if (retryAfter !== undefined && !exchange.response.headersSent) exchange.response.setHeader('Retry-After', String(retryAfter));
  const accept = exchange.header('accept');
  const binary = naming.protobufMediaType;
  const mediaType = accept === undefined ? undefined : mediaTypeOf(accept, status, mediaTypesOf(binary, exchange.cbor !== undefined));
  if (exchange.audit?.keepsResponses && mediaType !== undefined && mediaType !== 'application/json')
    exchange.audit.shownAs(() => [Buffer.from(encodeJson(status))]);
  if (mediaType === binary) return respond(exchange, code, binary, encodeStatus(status));
  if (mediaType === cborMediaType) return respond(exchange, code, cborMediaType, exchange.cbor!.encode(status));
  if (mediaType === 'application/yaml') return respond(exchange, code, mediaType, Buffer.from(encodeYaml(status)));
  return respondJson(exchange, code, status);
}

/** Of what has succeeded the media type counts alone, whatever more the client asks for, as rows; failures are shown as JSON then. As in Kubernetes. */
function mediaTypeOf(accept: string, {status}: Pick<Status, 'status'>, mediaTypes: readonly string[]): string | undefined {
  if (status === 'Success') return mediaTypeFor(accept, mediaTypes);
  const offers = mediaTypes.map((mediaType) => ({mediaType, stream: mediaType !== 'application/yaml'}));
  return negotiate(accept, offers)?.offer.mediaType;
}

function mediaTypesOf(binary: string, hasCbor: boolean): readonly string[] {
  return ['application/json', 'application/yaml', binary, ...(hasCbor ? [cborMediaType] : [])];
}
