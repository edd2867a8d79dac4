import {lookup} from 'node:dns/promises';
import type {ServerResponse} from 'node:http';
import {badRequest, serviceUnavailable, type ConnectRequest} from '../../../sdk/index.js';
import {formatIp, isGlobalUnicast, parseIp} from '../../../sdk/net/index.js';

/** The parsed name in a proxy path: `[SCHEME:]NAME[:PORT]`. */
export interface ProxyTarget {
  readonly scheme: 'http' | 'https' | '';
  readonly name: string;
  /** Number or name; may be empty. */
  readonly port: string;
}

/** Parses the name in a proxy path. @param what the object is, for the message. @throws StatusError 400 if it is malformed */
export function proxyTarget(text: string, what: 'pod' | 'node' | 'service'): ProxyTarget {
  const parts = text.split(':');
  const [scheme, name, port] = parts.length === 1 ? ['', parts[0], ''] : parts.length === 2 ? ['', ...parts] : parts;
  const known = scheme === '' || scheme === 'http' || scheme === 'https';
  if (parts.length > 3 || !name || !known) throw badRequest(`invalid ${what} request ${JSON.stringify(text)}`);
  return {scheme, name, port: port ?? ''};
}

/** Redirects clients that omit the slash after `proxy`, because relative links would be wrong otherwise. Returns whether it did. */
export function redirectToSlash({path, method, incoming}: ConnectRequest, response: ServerResponse): boolean {
  if (path !== '' || (method !== 'GET' && method !== 'HEAD')) return false;
  const [place = '', query] = (incoming.url ?? '').split('?', 2);
  response.writeHead(301, {location: `${place}/${query === undefined ? '' : `?${query}`}`, 'content-length': '0'});
  response.end();
  return true;
}

/** Path and query after `proxy`, exactly as sent by the client. */
export function pathBehind({incoming, path}: ConnectRequest): string {
  const url = incoming.url ?? '';
  const mark = url.indexOf('?');
  return `${path === '' ? '/' : path}${mark < 0 ? '' : url.slice(mark)}`;
}

/**
 * The address in an object, in the normalized form that was checked, because other forms may be interpreted differently when connecting.
 * Keeps objects from pointing the server to itself or to its link-local neighbours.
 *
 * @throws StatusError 400 for an invalid or forbidden address
 */
export function proxyAddress(text: string, allowSpecial: boolean): string {
  const address = parseIp(text);
  if (!address) throw badRequest(`${JSON.stringify(text)} is not an IP address`);
  if (!allowSpecial && !isGlobalUnicast(address)) throw badRequest(`address not allowed: ${text}`);
  return formatIp(address);
}

/**
 * Like `proxyAddress`, for an address or name. A name is resolved once, all its addresses are checked, and one of them is returned.
 *
 * @throws StatusError 400 like `proxyAddress`, 503 if the name cannot be resolved
 */
export async function resolvedProxyAddress(host: string, allowSpecial: boolean): Promise<string> {
  if (parseIp(host)) return proxyAddress(host, allowSpecial);
  const found = await lookup(host, {all: true}).catch((error: Error) => {
    throw serviceUnavailable(`error trying to reach service: ${error.message}`, 1, {cause: error});
  });
  const addresses = found.map(({address}) => proxyAddress(address, allowSpecial));
  if (addresses.length === 0) throw serviceUnavailable(`the host ${JSON.stringify(host)} has no address`);
  return addresses[0]!;
}

/** The port in a proxy path. @param what the object, for the message. @throws StatusError 400 */
export function proxyPort(text: string, what: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw badRequest(`invalid port ${JSON.stringify(text)} of ${what}`);
  return port;
}
