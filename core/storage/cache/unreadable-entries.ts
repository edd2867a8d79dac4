import type {Logger} from '../../../sdk/index.js';
import {StorageError} from '../storage-error.js';

/** Maximum number of objects logged by name in one time span. */
const maximumNamed = 20;
const spanMillis = 60_000;

/** Counts and logs the objects of a type whose stored values cannot be read. The log names some; the rest are counted. */
export class UnreadableEntries {
  #count = 0;
  #spanStart = 0;
  #named = 0;
  readonly #type: string;
  readonly #logger: Logger;
  readonly #clock: () => number;

  constructor(type: string, logger: Logger, clock: () => number) {
    this.#type = type;
    this.#logger = logger;
    this.#clock = clock;
  }

  /** How many have been seen since `forget`. */
  get count(): number {
    return this.#count;
  }

  note(key: string, revision: number, error: unknown): void {
    this.#count += 1;
    const now = this.#clock();
    if (now - this.#spanStart >= spanMillis) {
      this.#spanStart = now;
      this.#named = 0;
    }
    this.#named += 1;
    const type = this.#type;
    if (this.#named <= maximumNamed) {
      this.#logger.error({type, key, revision, reason: reasonOf(error)}, 'an object in the store cannot be read');
    } else if (this.#named === maximumNamed + 1) {
      this.#logger.error({type}, 'further objects in the store cannot be read; they are not named for a minute');
    }
  }

  forget(): void {
    this.#count = 0;
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof StorageError && error.failure.code === 'Unreadable') return error.failure.reason;
  return error instanceof Error ? error.message : String(error);
}
