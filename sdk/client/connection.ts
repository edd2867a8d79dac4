/** What proves who the caller is. A token or a password goes into each request, a certificate into the TLS handshake. */
export interface Credentials {
  /** Sent as `Authorization: Bearer`. */
  readonly token?: string;
  readonly basic?: {readonly username: string; readonly password: string};
  /** Client certificate and its private key, both PEM. */
  readonly certificate?: string;
  readonly key?: string;
}

/** Where credentials come from when they change with time. */
export interface CredentialSource {
  /** The credentials to use now. Asked before each request, so it answers from memory where it can. */
  get(signal: AbortSignal): Credentials | Promise<Credentials>;
  /** The server answered 401 to these. True when `get` may have others now; the request is sent once more then. */
  rejected?(used: Credentials): boolean;
}

/** Whom every request claims to act for (`Impersonate-*` headers). */
export interface Impersonation {
  readonly user: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** How to reach a server and as whom: what a client configuration file comes down to. */
export interface Connection {
  /** `https://HOST:PORT`, or with a path that goes before all others; `http://` where the server speaks it. */
  readonly server: string;
  /** PEM certificates that the server's certificate must lead to; the system's by default. */
  readonly certificateAuthority?: string;
  /** Accepts any certificate of the server. Only for tests: anybody in between can read and change everything. */
  readonly insecureSkipTlsVerify?: boolean;
  /** Name in the server's certificate, where it is not the host of `server`. */
  readonly tlsServerName?: string;
  /** Fixed credentials, or a source of them; anonymous without. */
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
