import {StatusError} from '../../../sdk/index.js';
import {tooManyValues} from '../codec/json.js';

/** Maximum nesting of messages: deeper ones would exhaust the stack. */
const maximumDepth = 200;

/** What was read of an object whose reading is interrupted. */
interface Progress {
  readonly depth: number;
  readonly values: number;
  readonly maximum: number;
}

/** Limits for one object in the binary form: the one that is being read. */
class ReadBudget {
  #depth = 0;
  #maximum = Number.POSITIVE_INFINITY;
  #values = 0;

  /** Starts a new object, however the previous one ended. */
  start(maximumValues: number): void {
    this.#depth = 0;
    this.#values = 0;
    this.#maximum = maximumValues;
  }

  /** Before others may read objects of theirs. */
  suspend(): Progress {
    return {depth: this.#depth, values: this.#values, maximum: this.#maximum};
  }

  /** Goes on with an object that was suspended. */
  resume({depth, values, maximum}: Progress): void {
    this.#depth = depth;
    this.#values = values;
    this.#maximum = maximum;
  }

  /** How many more values the object may have. */
  get left(): number {
    return this.#maximum - this.#values;
  }

  /** Starts a message; `leave` ends it. @throws RangeError if messages nest too deep */
  enter(): void {
    if (++this.#depth > maximumDepth) throw new RangeError(`messages are nested deeper than ${maximumDepth} levels`);
  }

  leave(): void {
    this.#depth -= 1;
  }

  /** Counts values. @throws StatusError 413 for too many */
  count(values: number): void {
    this.#values += values;
    if (this.#values > this.#maximum) throw tooManyValues(this.#maximum);
  }

  /** Reads JSON text inside the object; its values count as well. */
  within<T>(read: (maximumValues: number) => T): T {
    try {
      return read(this.left);
    } catch (error) {
      throw StatusError.is(error) && error.code === 413 ? tooManyValues(this.#maximum) : error;
    }
  }
}

export const readBudget = new ReadBudget();
