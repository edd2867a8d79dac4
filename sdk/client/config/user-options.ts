import type {Platform} from '../platform.js';

export interface UserOptions {
  /** `process.env` by default. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Whether a credential plugin may be given this process' standard input; by default if that is a terminal. */
  readonly interactive?: boolean;
  /** The server's naming profile if it is a custom one: credential plugins may use its names. */
  readonly platform?: Platform;
}
