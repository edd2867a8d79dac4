import type {IncomingMessage} from 'node:http';
import {unauthorized} from '../../../sdk/index.js';

/**
 * The bearer token that a WebSocket request carries as one of its subprotocols, since pages cannot set its headers: the prefix, then the token in
 * base64url without padding. Undefined where it carries none.
 *
 * @param prefix `base64url.bearer.authorization.orch.`
 * @throws 401 for several, for what is no text, and where there is no other subprotocol that the server could choose
 */
export function protocolToken({headers}: IncomingMessage, prefix: string): string | undefined {
  if (headers.upgrade?.toLowerCase() !== 'websocket') return undefined;
  const protocols = (headers['sec-websocket-protocol'] ?? '').split(',').map((protocol) => protocol.trim());
  const tokens = protocols.filter((protocol) => protocol.startsWith(prefix));
  if (tokens.length === 0) return undefined;
  if (tokens.length > 1) throw refused('there are several tokens among the subprotocols');
  if (protocols.length === 1) throw refused('there is no subprotocol besides the token');
  const encoded = tokens[0]!.slice(prefix.length);
  const bytes = Buffer.from(encoded, 'base64url');
  const token = bytes.toString('utf8');
  if (bytes.toString('base64url') !== encoded || !Buffer.from(token, 'utf8').equals(bytes))
    throw refused('the token among the subprotocols is no text in base64url');
  return token === '' ? undefined : token;
}

function refused(problem: string): Error {
  return unauthorized(undefined, {cause: new Error(problem)});
}
