/** A server that requests are handed on to. */
export interface Backend {
  readonly protocol: 'http' | 'https';
  /** Name or address; IPv6 without brackets. */
  readonly host: string;
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
export function hostText({host, port}: Backend): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

export function tlsOptions({tls}: Backend): BackendTls & {rejectUnauthorized: boolean} {
  return {...tls, rejectUnauthorized: tls?.ca !== undefined};
}
