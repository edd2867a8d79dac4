import {isIP} from 'node:net';

/** A server that requests are handed on to. */
export interface Backend {
  readonly protocol: 'http' | 'https';
  /** Name or address that is connected to; IPv6 without brackets. */
  readonly host: string;
  /** What the server is called in the request, where that is not `host`. */
  readonly name?: string;
  readonly port: number;
  /** Path and query, starting with a slash. */
  readonly path: string;
  /** For https. Without a CA the server's certificate is not checked: it proves nothing about an address that an object names. */
  readonly tls?: BackendTls;
}

/** PEM texts. */
export interface BackendTls {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** The host as URLs and headers carry it. */
export function hostText({host, name = host, port}: Backend): string {
  return name.includes(':') ? `[${name}]:${port}` : `${name}:${port}`;
}

export function tlsOptions({tls, name}: Backend): BackendTls & {rejectUnauthorized: boolean; servername?: string} {
  return {...tls, rejectUnauthorized: tls?.ca !== undefined, ...(name !== undefined && !isIP(name) ? {servername: name} : {})};
}
