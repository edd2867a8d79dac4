import type {FieldError} from '../../../../sdk/index.js';

/** No object's report is longer: hostile input must not make it large, and nobody mends more at once. */
const faultLimit = 100;

/** Errors of one object, each once, and only as many as are helpful. */
export class FaultList {
  readonly #faults: FieldError[] = [];

  get all(): readonly FieldError[] {
    return this.#faults;
  }

  get isEmpty(): boolean {
    return this.#faults.length === 0;
  }

  /** Whether the list is full: validation then stops, so there may be further errors. */
  get isFull(): boolean {
    return this.#faults.length >= faultLimit;
  }

  add(fault: FieldError): void {
    if (this.isFull || this.#faults.some(({field, body}) => field === fault.field && body === fault.body)) return;
    this.#faults.push(fault);
  }

  addAll(faults: Iterable<FieldError>): void {
    for (const fault of faults) this.add(fault);
  }
}
