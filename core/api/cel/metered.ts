import {meter} from './cost-meter.js';

/** The outcome of an evaluation: a result, or the error it threw. */
export interface Outcome<T> {
  readonly result?: T;
  readonly error?: unknown;
  readonly spent: number;
  /** The limit was exceeded; the result is meaningless then. */
  readonly exceeded: boolean;
}

/** To begin an evaluation, however small. */
const stepsToBegin = 10;

/** Evaluates an expression with a limit on its steps. */
export function metered<T>(limit: number, evaluate: () => T): Outcome<T> {
  meter.start(limit);
  try {
    meter.spend(stepsToBegin);
    const result = evaluate();
    return {result, spent: meter.spent, exceeded: meter.isExceeded};
  } catch (error) {
    return {error, spent: meter.spent, exceeded: meter.isExceeded};
  }
}
