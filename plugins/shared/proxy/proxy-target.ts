import type {ServerResponse} from 'node:http';
import {badRequest, type ConnectRequest} from '../../../sdk/index.js';
import {parseIp} from '../net/ip-address.js';
import {isSpecialAddress} from '../net/special-addresses.js';

/** What the name in a proxy path says: `[SCHEME:]NAME[:PORT]`. */
export interface ProxyTarget {
  readonly scheme: 'http' | 'https' | '';
  readonly name: string;
  /** Number or name, or empty. */
  readonly port: string;
}

/** Reads the name in a proxy path. @throws StatusError 400 when it has another form */
export function proxyTarget(text: string): ProxyTarget {
  const parts = text.split(':');
  const [scheme, name, port] = parts.length === 1 ? ['', parts[0], ''] : parts.length === 2 ? ['', ...parts] : parts;
  const known = scheme === '' || scheme === 'http' || scheme === 'https';
  if (parts.length > 3 || !name || !known) throw badRequest(`invalid proxy request ${JSON.stringify(text)}`);
  return {scheme, name, port: port ?? ''};
}

/**
 * Sends clients that leave out the slash behind `proxy` to the path with it: relative links lead astray otherwise.
 * Answers whether it did.
 */
export function redirectToSlash({path, method, incoming}: ConnectRequest, response: ServerResponse): boolean {
  if (path !== '' || (method !== 'GET' && method !== 'HEAD')) return false;
  const [place = '', query] = (incoming.url ?? '').split('?', 2);
  response.writeHead(301, {location: `${place}/${query === undefined ? '' : `?${query}`}`, 'content-length': '0'});
  response.end();
  return true;
}

/** Path and query behind `proxy`, as the client wrote them. */
export function pathBehind({incoming, namespace}: ConnectRequest): string {
  const url = incoming.url ?? '';
  const mark = url.indexOf('?');
  const [path, query] = mark < 0 ? [url, ''] : [url.slice(0, mark), url.slice(mark)];
  // /api/v1/namespaces/NAMESPACE/TYPE/NAME/proxy/… or /api/v1/TYPE/NAME/proxy/…
  return `/${path
    .split('/')
    .slice(namespace === '' ? 6 : 8)
    .join('/')}${query}`;
}

/**
 * Keeps objects from pointing the server at itself or at its neighbours on the link.
 *
 * @throws StatusError 400 for an address that is none, or not allowed
 */
export function checkProxyAddress(host: string, allowSpecial: boolean): void {
  const address = parseIp(host);
  if (!address) throw badRequest(`${JSON.stringify(host)} is not an IP address`);
  if (!allowSpecial && isSpecialAddress(address)) throw badRequest(`address not allowed: ${host}`);
}
