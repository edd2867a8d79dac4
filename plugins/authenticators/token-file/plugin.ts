import {createHash} from 'node:crypto';
import {resolve} from 'node:path';
import {
  authenticator,
  inject,
  Tokens,
  type AuthenticationRequest,
  type Authenticator,
  type Logger,
  type UserInfo,
} from '../../../sdk/index.js';
import {bearerToken} from '../../../sdk/authentication/index.js';
import {readTokenFile} from './read-token-file.js';

/**
 * Authenticates by bearer tokens listed in a file (docs/semantics/access.md#tokens-from-a-file), which is read once, at start. Only hashes
 * of the tokens are kept and looked up, so the time of a look-up reveals nothing.
 */
@authenticator({order: 150})
export class TokenFile implements Authenticator {
  readonly #file: string | undefined;
  readonly #logger: Logger;
  #users: ReadonlyMap<string, UserInfo> = new Map();

  constructor(@inject(Tokens.Config) config: Readonly<Record<string, unknown>>, @inject(Tokens.Logger) logger: Logger) {
    this.#file = config['file'] as string | undefined;
    this.#logger = logger;
  }

  /** Rejects with a one-sentence message that names the line if the file is unusable. */
  async start(): Promise<void> {
    if (this.#file === undefined) return;
    const users = new Map<string, UserInfo>();
    for (const {line, token, user} of readTokenFile(resolve(this.#file))) {
      const key = hashOf(token);
      if (users.has(key)) this.#logger.warn({file: this.#file, line}, 'a token is listed twice; the last line counts');
      users.set(key, user);
    }
    this.#users = users;
  }

  authenticate(request: AuthenticationRequest): UserInfo | undefined {
    if (this.#users.size === 0) return undefined;
    const token = bearerToken(request);
    return token === undefined ? undefined : this.#users.get(hashOf(token));
  }
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}
