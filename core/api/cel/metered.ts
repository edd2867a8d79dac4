import {meter} from './cost-meter.js';

/** How an evaluation ended: with a result, or with what it threw. */
export interface Outcome<T> {
  readonly result?: T;
  readonly error?: unknown;
  readonly spent: number;
  /** The limit was passed; a result means nothing then. */
  readonly exceeded: boolean;
}

/** Evaluates an expression that may cost so many steps. */
export function metered<T>(limit: number, evaluate: () => T): Outcome<T> {
  meter.start(limit);
  try {
    const result = evaluate();
    return {result, spent: meter.spent, exceeded: meter.isExceeded};
  } catch (error) {
    return {error, spent: meter.spent, exceeded: meter.isExceeded};
  }
}
