import type {X509Certificate} from 'node:crypto';
import {resolve} from 'node:path';
import {
  authenticator,
  inject,
  Tokens,
  unauthorized,
  type AuthenticationRequest,
  type Authenticator,
  type Logger,
  type UserInfo,
} from '../../../sdk/index.js';
import {TrustedProxies} from './trusted-proxies.js';

/**
 * Trusts an authenticating proxy about who makes a request (docs/semantics/access.md#authenticating-proxy). The identity is in headers,
 * which are only read if the connection's client certificate is that of a trusted proxy. Requires both `--requestheader-username-headers`
 * and `--requestheader-client-ca-file`.
 */
@authenticator({order: 50})
export class RequestHeader implements Authenticator {
  readonly #userHeaders: readonly string[];
  readonly #groupHeaders: readonly string[];
  readonly #extraPrefixes: readonly string[];
  readonly #allowedNames: ReadonlySet<string>;
  #proxies: TrustedProxies | undefined;
  readonly #config: Readonly<Record<string, unknown>>;

  readonly #logger: Logger;

  constructor(@inject(Tokens.Config) config: Readonly<Record<string, unknown>>, @inject(Tokens.Logger) logger: Logger) {
    this.#config = config;
    this.#logger = logger;
    const list = (name: string) => config[name] as readonly string[];
    const lower = (name: string) => list(name).map((text) => text.toLowerCase());
    this.#userHeaders = lower('usernameHeaders');
    this.#groupHeaders = lower('groupHeaders');
    this.#extraPrefixes = lower('extraHeadersPrefix');
    this.#allowedNames = new Set(list('allowedNames'));
  }

  /** Rejects with a one-sentence message if only one of the two flags is given or the CA file is unusable. */
  async start(): Promise<void> {
    const file = this.#config['clientCaFile'] as string | undefined;
    if ((file === undefined) !== (this.#userHeaders.length === 0))
      throw new Error('--requestheader-client-ca-file and --requestheader-username-headers must be given together');
    if (file !== undefined) this.#proxies = new TrustedProxies(resolve(file), this.#logger);
  }

  /** @param now time of the request, milliseconds since 1970; the current time where absent. Most servers trust no proxy and do not ask for it. */
  authenticate(request: AuthenticationRequest, now?: number): UserInfo | undefined {
    const certificate = this.#proxies && request.clientCertificate()?.certificate;
    if (!certificate || !this.#proxies!.trusts(certificate, now ?? Date.now())) return undefined;
    const username = this.#userHeaders.flatMap((name) => request.header(name)).find((value) => value !== '');
    if (username === undefined) return undefined;
    if (this.#allowedNames.size > 0 && !this.#allowedNames.has(commonName(certificate))) {
      throw unauthorized(undefined, {
        cause: new Error(`the common name ${JSON.stringify(commonName(certificate))} of the proxy's certificate is not allowed`),
      });
    }
    const groups = this.#groupHeaders.flatMap((name) => request.header(name)).filter((value) => value !== '');
    const extra = this.#extra(request);
    return {username: decoded(username), groups: groups.map(decoded), ...(extra.size > 0 ? {extra: Object.fromEntries(extra)} : {})};
  }

  #extra(request: AuthenticationRequest): Map<string, string[]> {
    const extra = new Map<string, string[]>();
    if (this.#extraPrefixes.length === 0) return extra;
    for (const [name, value] of request.headers()) {
      const prefix = this.#extraPrefixes.find((one) => name.startsWith(one));
      if (prefix === undefined) continue;
      const key = unescaped(name.slice(prefix.length));
      const values = extra.get(key);
      if (values) values.push(decoded(value));
      else extra.set(key, [decoded(value)]);
    }
    return extra;
  }
}

/** Header values arrive as single bytes; names are UTF-8. */
function decoded(value: string): string {
  return Buffer.from(value, 'latin1').toString('utf8');
}

function unescaped(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch (error) {
    if (error instanceof URIError) return name;
    throw error;
  }
}

function commonName(certificate: X509Certificate): string {
  const {CN} = certificate.toLegacyObject().subject as unknown as {CN?: string | string[]};
  return (Array.isArray(CN) ? CN.at(-1) : CN) ?? '';
}
