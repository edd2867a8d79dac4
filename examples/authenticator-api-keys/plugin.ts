import {createHash} from 'node:crypto';
import {
  authenticator,
  inject,
  Tokens,
  unauthorized,
  type AuthenticationRequest,
  type Authenticator,
  type UserInfo,
} from '@orch-api/orch/sdk';

interface Settings {
  readonly header: string;
  readonly keys: readonly {readonly sha256: string; readonly username: string; readonly groups: readonly string[]}[];
}

/** No key is longer; hashing longer texts would only cost time. */
const longestKey = 1024;

/** Knows callers by a key in a header. Keys are compared by their hashes, so the time that a comparison takes reveals nothing. */
@authenticator({order: 400})
export class ApiKeys implements Authenticator {
  readonly #header: string;
  readonly #callers: ReadonlyMap<string, UserInfo>;

  constructor(@inject(Tokens.Config) config: Readonly<Record<string, unknown>>) {
    const {header, keys} = config as unknown as Settings;
    this.#header = header;
    this.#callers = new Map(keys.map(({sha256, username, groups}) => [sha256, {username, groups: [...groups]}]));
  }

  authenticate(request: AuthenticationRequest): UserInfo | undefined {
    const keys = request.header(this.#header);
    if (keys.length === 0) return undefined;
    const [key = '', ...more] = keys;
    const caller = more.length > 0 || key.length > longestKey ? undefined : this.#callers.get(hash(key));
    if (!caller) throw unauthorized();
    return caller;
  }
}

function hash(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
