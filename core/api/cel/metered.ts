import type {ExpressionPending} from '../../../sdk/index.js';
import {meter} from './cost-meter.js';

/** The outcome of an evaluation: a result, or the error it threw. */
export interface Outcome<T> {
  readonly result?: T;
  readonly error?: unknown;
  readonly spent: number;
  /** The limit was exceeded; the result is meaningless then. */
  readonly exceeded: boolean;
  /** It ended because it has to wait for something; then nothing else has a meaning. */
  readonly pending: ExpressionPending | undefined;
}

/** To begin an evaluation, however small. */
const stepsToBegin = 10;

let isUnderWay = false;

/** Evaluates an expression with a limit on its steps; within an evaluation too, whose count goes on afterwards. */
export function metered<T>(limit: number, evaluate: () => T): Outcome<T> {
  const outer = isUnderWay ? meter.pause() : undefined;
  isUnderWay = true;
  meter.start(limit);
  try {
    return outcomeOf(evaluate);
  } finally {
    if (outer) outer.resume();
    else isUnderWay = false;
  }
}

function outcomeOf<T>(evaluate: () => T): Outcome<T> {
  try {
    meter.spend(stepsToBegin);
    const result = evaluate();
    return {result, spent: meter.spent, exceeded: meter.isExceeded, pending: meter.pending};
  } catch (error) {
    return {error, spent: meter.spent, exceeded: meter.isExceeded, pending: meter.pending};
  }
}
