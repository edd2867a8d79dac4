import type {IncomingHttpHeaders, IncomingMessage} from 'node:http';

/** Headers that concern one connection, not the whole request. */
const hopByHop = new Set([
  'connection',
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

/** Headers of a response or request without those that concern its connection. */
export function endToEndHeaders(headers: IncomingHttpHeaders): Headers {
  const named = new Set((headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
  const result: Headers = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !hopByHop.has(name) && !named.has(name)) result[name] = value;
  }
  return result;
}

/** Headers of a response as they are handed back: pages of which origins may read it is for this server to say. */
export function answerHeaders(headers: IncomingHttpHeaders): Headers {
  return Object.fromEntries(Object.entries(endToEndHeaders(headers)).filter(([name]) => !name.startsWith('access-control-')));
}

/** Headers of a forwarded request: without credentials, with the new host's name and forwarding headers. */
export function forwardedHeaders(incoming: IncomingMessage, host: string): Headers {
  const {[protocols]: offered, ...rest} = Object.fromEntries(
    Object.entries(endToEndHeaders(incoming.headers)).filter(([name]) => !isCredential(name)),
  );
  const address = incoming.socket.remoteAddress;
  const handedOn = String(offered ?? '')
    .split(',')
    .map((protocol) => protocol.trim())
    .filter((protocol) => protocol !== '' && !protocol.startsWith(protocolToken));
  const headers = {...rest, ...(handedOn.length > 0 ? {[protocols]: handedOn.join(', ')} : {})} as Headers;
  const before = headers['x-forwarded-for'];
  return {
    ...headers,
    host,
    'x-forwarded-host': incoming.headers.host ?? '',
    'x-forwarded-proto': 'https',
    'x-forwarded-uri': incoming.url ?? '',
    ...(address === undefined ? {} : {'x-forwarded-for': before === undefined ? address : `${String(before)}, ${address}`}),
  };
}
