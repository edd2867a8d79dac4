import {AsyncLocalStorage} from 'node:async_hooks';
import {messageLimits} from './message-limits.js';

/** A field error; its file imports this one. */
interface Fault {
  readonly field: string;
}

/** The errors of a running validation. */
interface FaultCount {
  readonly faults: Fault[];
  /** What is found now does not count. */
  isPaused: boolean;
}

const found = new AsyncLocalStorage<FaultCount>();
const brand = Symbol.for('orch.TooManyFaults');

/** Ends a validation that has found too many errors; these are `faults`. Thrown by the functions that create field errors. */
export class TooManyFaults<T extends Fault = Fault> extends Error {
  override readonly name = 'TooManyFaults';

  constructor(readonly faults: readonly T[]) {
    super(`more than ${faults.length} faults were found`);
    Object.defineProperty(this, brand, {value: true});
  }

  /** True for errors of every loaded copy of this package. */
  static is<T extends Fault>(error: unknown): error is TooManyFaults<T> {
    return typeof error === 'object' && error !== null && brand in error;
  }
}

/** Runs a validation, which may be asynchronous, so that it ends with `TooManyFaults` once it has created too many field errors. */
export function limitFaults<T>(validate: () => T): T {
  return found.run({faults: [], isPaused: false}, validate);
}

/** Runs something synchronous whose field errors do not count as errors of the validated object, such as trying alternatives. */
export function withoutFaultLimit<T>(work: () => T): T {
  const count = found.getStore();
  if (!count || count.isPaused) return work();
  // Leaving the storage instead would copy all that is stored, for each object that is validated.
  count.isPaused = true;
  try {
    return work();
  } finally {
    count.isPaused = false;
  }
}

/** Counts a field error of the running validation, if there is one. @throws TooManyFaults */
export function countFault<T extends Fault>(fault: T): T {
  const count = found.getStore();
  if (count && !count.isPaused && count.faults.push(fault) >= messageLimits.foundFaults) throw new TooManyFaults(count.faults);
  return fault;
}
