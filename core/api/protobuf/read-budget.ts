import {StatusError} from '../../../sdk/index.js';
import {tooManyValues} from '../codec/json.js';

/** Deepest nesting of messages that is read: deeper ones would exhaust the stack. */
const maximumDepth = 200;

/** What one object in binary form may be like. Reading never waits for anything, so there is one at a time. */
class ReadBudget {
  #depth = 0;
  #maximum = Number.POSITIVE_INFINITY;
  #values = 0;

  /** Begins a new object, however the one before has ended. */
  start(maximumValues: number): void {
    this.#depth = 0;
    this.#values = 0;
    this.#maximum = maximumValues;
  }

  /** How many more values the object may have. */
  get left(): number {
    return this.#maximum - this.#values;
  }

  /** @throws RangeError when messages nest too deep; `leave` ends the message otherwise */
  enter(): void {
    if (++this.#depth > maximumDepth) throw new RangeError(`messages are nested deeper than ${maximumDepth} levels`);
  }

  leave(): void {
    this.#depth -= 1;
  }

  /** Counts values. @throws StatusError 413 when there are more than are allowed */
  count(values: number): void {
    this.#values += values;
    if (this.#values > this.#maximum) throw tooManyValues(this.#maximum);
  }

  /** Reads a JSON text inside the object, whose values count as well. */
  within<T>(read: (maximumValues: number) => T): T {
    try {
      return read(this.left);
    } catch (error) {
      throw StatusError.is(error) && error.code === 413 ? tooManyValues(this.#maximum) : error;
    }
  }
}

export const readBudget = new ReadBudget();
