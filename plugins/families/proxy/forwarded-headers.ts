import type {IncomingMessage} from 'node:http';
import {hostText, type Backend} from './backend.js';

/**
 * Headers that concern one connection, not the whole message. How long a message is and whom it is for are among them, as they are said anew from what was
 * read: neither side can have them left out by naming them in `Connection`.
 */
const hopByHop = new Set([
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const protocols = 'sec-websocket-protocol';
/** Prefix of subprotocols that contain tokens, on every platform. */
const protocolToken = 'base64url.bearer.authorization.';

/** The caller's credentials for this server must not be sent to another one. */
function isCredential(name: string): boolean {
  return name === 'authorization' || name.startsWith('impersonate-') || name.startsWith('x-remote-');
}

type Headers = Record<string, string | string[]>;

/** Headers of a forwarded request: without credentials, with the new host's name and forwarding headers. */
export function forwardedHeaders(incoming: IncomingMessage, backend: Backend): Headers {
  const {[protocols]: offered, ...rest} = Object.fromEntries(
    Object.entries(endToEndHeaders(incoming)).filter(([name]) => !isCredential(name)),
  );
  const address = incoming.socket.remoteAddress;
  const handedOn = String(offered ?? '')
    .split(',')
    .map((protocol) => protocol.trim())
    .filter((protocol) => protocol !== '' && !protocol.startsWith(protocolToken));
  const before = rest['x-forwarded-for'];
  return {
    ...rest,
    ...(handedOn.length > 0 ? {[protocols]: handedOn.join(', ')} : {}),
    'x-forwarded-host': incoming.headers.host ?? '',
    'x-forwarded-proto': 'https',
    'x-forwarded-uri': incoming.url ?? '',
    ...(address === undefined ? {} : {'x-forwarded-for': before === undefined ? address : `${String(before)}, ${address}`}),
    ...backend.headers,
    host: hostText(backend),
  };
}

/**
 * Headers of a response as they are handed back, with the length that was announced: pages of which origins may read it is for this server to say.
 */
export function answerHeaders(answer: IncomingMessage): Headers {
  const headers = Object.fromEntries(Object.entries(endToEndHeaders(answer)).filter(([name]) => !name.startsWith('access-control-')));
  const length = answer.headers['content-length'];
  // What has not changed has no content, whatever length it would have.
  return length === undefined || answer.statusCode === 304 ? headers : {...headers, 'content-length': length};
}

function endToEndHeaders({headers}: IncomingMessage): Headers {
  const named = new Set((headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
  const result: Headers = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !hopByHop.has(name) && !named.has(name)) result[name] = value;
  }
  return result;
}
