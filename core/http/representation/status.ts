import type {NamingProfile, Status, StatusError} from '../../../sdk/index.js';
import {encodeYaml} from '../../api/codec/yaml.js';
import {negotiate} from '../../api/negotiation/negotiate.js';
import {encodeStatus} from '../../api/protobuf/encode-meta.js';
import type {Exchange} from '../request/exchange.js';
import {respond, respondJson} from '../response/respond.js';

/** Renders a failure as a Status object. */
export function sendError(exchange: Exchange, error: StatusError, naming: NamingProfile): void | Promise<void> {
  return sendStatus(exchange, error.toStatus(), naming);
}

/**
 * Writes a Status: binary or as YAML for clients that prefer these, as JSON for all others, whatever they accept: an answer
 * there must be. `Retry-After` repeats what its details say.
 */
export function sendStatus(exchange: Exchange, status: Status, naming: NamingProfile): void | Promise<void> {
  const retryAfter = status.details?.retryAfterSeconds;
  if (retryAfter !== undefined && !exchange.response.headersSent) exchange.response.setHeader('Retry-After', String(retryAfter));
  const accept = exchange.header('accept');
  const binary = naming.protobufMediaType;
  const mediaType =
    accept && negotiate(accept, [{mediaType: 'application/json'}, {mediaType: 'application/yaml'}, {mediaType: binary}])?.offer.mediaType;
  if (mediaType === binary) return respond(exchange, status.code, binary, encodeStatus(status));
  if (mediaType === 'application/yaml') return respond(exchange, status.code, mediaType, Buffer.from(encodeYaml(status)));
  return respondJson(exchange, status.code, status);
}
