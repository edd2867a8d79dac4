import type {ASTNode} from '@marcbachmann/cel-js';
import {nodesOf, type Evaluate, type LibraryNode} from './library-node.js';

/** An expression has exceeded its cost limit. */
class CostExceeded extends Error {
  override readonly name = 'CostExceeded';

  constructor() {
    super('cost limit exceeded');
  }
}

/** A single instance: evaluation throws it repeatedly until it ends. */
const exceeded = new CostExceeded();
const characterPerStep = 16;

/**
 * Counts the cost of an evaluation: one step for each operation, more for operations on large strings and lists. A step takes 50 to 100 ns.
 */
class CostMeter {
  #left = 0;
  #limit = 0;

  /** Starts a new count. */
  start(limit: number): void {
    this.#limit = limit;
    this.#left = limit;
  }

  get spent(): number {
    return this.#limit - this.#left;
  }

  /** Whether the limit was exceeded. Operators such as `||` may have swallowed the exception. */
  get isExceeded(): boolean {
    return this.#left < 0;
  }

  /** @throws CostExceeded on every call once the limit is reached */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw exceeded;
  }

  /** Charges for accessing a value: most operations read strings and lists from end to end. */
  spendOn(value: unknown): void {
    if (typeof value === 'string') this.spend(value.length / characterPerStep);
    else if (Array.isArray(value)) this.spend(value.length);
    else if (value instanceof Uint8Array) this.spend(value.length / characterPerStep);
  }

  /** Charges for comparing a value with all its content. */
  spendOnAll(value: unknown): void {
    this.spend(weightOf(value));
  }
}

/** The meter of the current evaluation. Evaluation is synchronous, so there is only one at a time. */
export const meter = new CostMeter();

/** A value whose parts are created on demand. */
export interface Weighed {
  /** Number of values in it. */
  readonly weight: number;
}

function weightOf(value: unknown): number {
  if (typeof value === 'string') return value.length / characterPerStep;
  if (typeof value !== 'object' || value === null) return 1;
  if ('weight' in value) return (value as Weighed).weight;
  if (value instanceof Uint8Array) return value.length / characterPerStep;
  let weight = 1;
  const parts = Array.isArray(value) ? (value as unknown[]) : value instanceof Map ? [...value.values()] : [];
  for (const part of parts) weight += weightOf(part);
  return weight;
}

const comparisons: ReadonlySet<string> = new Set(['==', '!=', 'in']);

/**
 * Makes every operation of a checked expression count.
 *
 * @throws Error if the library's nodes do not have the expected form
 */
export function meterExpression(root: ASTNode): void {
  for (const node of nodesOf(root)) {
    const original = node.meta.evaluate;
    if (typeof original !== 'function') throw new Error('the nodes of CEL expressions cannot be metered');
    const isDeep = comparisons.has(node.op);
    const metered: Evaluate = (evaluator, self, context) => {
      meter.spend(1);
      const value = original(evaluator, self, context);
      meter.spendOn(value);
      return value;
    };
    node.setMeta('evaluate', metered);
    if (isDeep) for (const operand of node.args as LibraryNode[]) meterOperand(operand);
  }
}

/** Operands of comparisons are charged once more, before the comparison. Their own charge may come before or after this one. */
function meterOperand(operand: LibraryNode): void {
  const original = operand.meta.evaluate;
  operand.setMeta('evaluate', (evaluator: unknown, self: unknown, context: unknown) => {
    const value = original(evaluator, self, context);
    meter.spendOnAll(value);
    return value;
  });
}
