import type {FieldError} from '../../../../sdk/index.js';

/** No object's report is longer: hostile input must not make it large, and nobody mends more at once. */
const faultLimit = 100;

/** Where a check leaves what it finds. Faults are made only for those who read them. */
export interface FaultSink {
  /** Whether no fault was found. */
  readonly isEmpty: boolean;
  /** Whether no more faults are taken: whoever looks for them stops, so that there may be others. */
  readonly isFull: boolean;
  add(make: () => FieldError): void;
}

/** Errors of one object, each once, and only as many as are helpful. */
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

  add(make: () => FieldError): void {
    if (this.isFull) return;
    const fault = make();
    if (!this.#faults.some(({field, body}) => field === fault.field && body === fault.body)) this.#faults.push(fault);
  }
}

/** Tells whether there are faults, for schemas that are merely tried. */
export class FaultProbe implements FaultSink {
  isEmpty = true;
  /** Also those who know already that there are faults go on: they count what fits (see `Validator`). */
  readonly isFull = false;

  add(): void {
    this.isEmpty = false;
  }
}
