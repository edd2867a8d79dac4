import type {Agent} from 'node:http';
import {isIP} from 'node:net';

/** A server to which requests are forwarded. */
export interface Backend {
  readonly protocol: 'http' | 'https';
  /** Name or address to connect to; IPv6 without brackets. */
  readonly host: string;
  /** The server's name in the request, if it is not `host`. */
  readonly name?: string;
  readonly port: number;
  /** Path and query, starting with a slash. */
  readonly path: string;
  /** For https. Without a CA, the server's certificate is not verified: it proves nothing about an address taken from an object. */
  readonly tls?: BackendTls;
  /** Makes connections in its own way: for https verifies the server, in place of `tls`, and keeps connections. Only where a connection always leads to the same server. */
  readonly agent?: Agent;
  /** Headers that this server adds. Clients cannot send them themselves. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Whether the server may send clients elsewhere; otherwise an answer that does so becomes a 502. */
  readonly rejectsRedirects?: boolean;
}

/** PEM texts. */
export interface BackendTls {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** The host in the form for URLs and headers. */
export function hostText({host, name = host, port}: Backend): string {
  return name.includes(':') ? `[${name}]:${port}` : `${name}:${port}`;
}

export function tlsOptions({tls, name}: Backend): BackendTls & {rejectUnauthorized: boolean; servername?: string} {
  return {...tls, rejectUnauthorized: tls?.ca !== undefined, ...(name !== undefined && !isIP(name) ? {servername: name} : {})};
}
