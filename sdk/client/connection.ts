/** Credentials of the caller. A token or a password is sent with each request, a certificate is used in the TLS handshake. */
export interface Credentials {
  /** Sent as `Authorization: Bearer`. */
  readonly token?: string;
  readonly basic?: {readonly username: string; readonly password: string};
  /** Client certificate and its private key, both PEM. */
  readonly certificate?: string;
  readonly key?: string;
}

/** A source of credentials that change over time. */
export interface CredentialSource {
  /** The current credentials. Called before each request, so it should return them from memory if possible. */
  get(signal: AbortSignal): Credentials | Promise<Credentials>;
  /** The server responded with 401 to these. Returns true if `get` may now return others; the request is then sent once more. */
  rejected?(used: Credentials): boolean;
}

/** The user that every request impersonates (`Impersonate-*` headers). */
export interface Impersonation {
  readonly user: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** How to connect to a server and as whom: the result of reading a client configuration file. */
export interface Connection {
  /** `https://HOST:PORT`, optionally with a path that precedes all others; `http://` if the server supports it. */
  readonly server: string;
  /** PEM certificates that the server's certificate must chain to; the system's by default. */
  readonly certificateAuthority?: string;
  /** Accepts any certificate of the server. For tests only: anybody in between can read and change everything. */
  readonly insecureSkipTlsVerify?: boolean;
  /** Name in the server's certificate, if it is not the host of `server`. */
  readonly tlsServerName?: string;
  /** Fixed credentials, or a source of them; anonymous if absent. */
  readonly credentials?: Credentials | CredentialSource;
  readonly impersonate?: Impersonation;
  /** Namespace of requests that name none, from the context of a configuration file. */
  readonly namespace?: string;
}

/** Turns fixed credentials into a source of them. */
export function credentialSource(credentials: Credentials | CredentialSource | undefined): CredentialSource {
  if (credentials === undefined) return {get: () => ({})};
  return 'get' in credentials ? credentials : {get: () => credentials};
}
