import type {Platform} from '../platform.js';

export interface UserOptions {
  /** `process.env` by default. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Whether a credential plugin may be given this process' standard input; when that is a terminal, by default. */
  readonly interactive?: boolean;
  /** The server's naming profile, where it is not a shipped one: credential plugins may speak under its name. */
  readonly platform?: Platform;
}
