import type {FieldError} from '../../../../sdk/index.js';

/** Maximum errors in the report of one object: hostile input must not make it large, and nobody fixes more at once. */
const faultLimit = 100;

/** Receives the errors that a check finds. They are only created if somebody reads them. */
export interface FaultSink {
  readonly isEmpty: boolean;
  /** Whether no more errors are accepted. Checks stop then, so there may be more errors. */
  readonly isFull: boolean;
  add(make: () => FieldError): void;
}

/** Errors of one object, each once, up to a useful number. */
export class FaultList implements FaultSink {
  readonly #faults: FieldError[] = [];

  get all(): readonly FieldError[] {
    return this.#faults;
  }

  get isEmpty(): boolean {
    return this.#faults.length === 0;
  }

  get isFull(): boolean {
    return this.#faults.length >= faultLimit;
  }

  get size(): number {
    return this.#faults.length;
  }

  /** Takes back those that came after the first `size`. */
  truncate(size: number): void {
    this.#faults.length = size;
  }

  add(make: () => FieldError): void {
    if (this.isFull) return;
    const fault = make();
    if (!this.#faults.some(({field, body}) => field === fault.field && body === fault.body)) this.#faults.push(fault);
  }
}

/** Records only whether there are errors, for schemas that are merely tried. */
export class FaultProbe implements FaultSink {
  isEmpty = true;
  /** Checks continue even if errors are already known, because they count what matches (see `Validator`). */
  readonly isFull = false;

  add(): void {
    this.isEmpty = false;
  }
}
