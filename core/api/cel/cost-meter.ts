import type {ASTNode} from '@marcbachmann/cel-js';
import {nodesOf, type Evaluate, type LibraryNode} from './library-node.js';

/** An expression has used up what it may cost. */
export class CostExceeded extends Error {
  override readonly name = 'CostExceeded';

  constructor() {
    super('cost limit exceeded');
  }
}

/** One for all: evaluation throws it again and again until it comes to its end. */
const exceeded = new CostExceeded();
const characterPerStep = 16;

/**
 * Counts what evaluation costs: one step for each operation, more for operations on large texts and lists. A step takes
 * 50 to 100 ns.
 */
export class CostMeter {
  #left = 0;
  #limit = 0;

  /** Begins a new count. */
  start(limit: number): void {
    this.#limit = limit;
    this.#left = limit;
  }

  get spent(): number {
    return this.#limit - this.#left;
  }

  /** Whether the limit was passed. Operators like `||` may have hidden the exception. */
  get isExceeded(): boolean {
    return this.#left < 0;
  }

  /** @throws CostExceeded from the limit on, each time */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw exceeded;
  }

  /** What it costs to have a value at hand: texts and lists are read from end to end by most operations. */
  spendOn(value: unknown): void {
    if (typeof value === 'string') this.spend(value.length / characterPerStep);
    else if (Array.isArray(value)) this.spend(value.length);
    else if (value instanceof Uint8Array) this.spend(value.length / characterPerStep);
  }

  /** What it costs to compare a value with all that is in it. */
  spendOnAll(value: unknown): void {
    this.spend(weightOf(value));
  }
}

/** The meter of the evaluation that is under way: evaluation never waits for anything, so there is one at a time. */
export const meter = new CostMeter();

/** A value whose parts are not made before they are asked for. */
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
 * @throws Error when the library's nodes are not what is known of them
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

/** Operands of comparisons are charged once more, before they are compared. Their own charge may come before or after this one. */
function meterOperand(operand: LibraryNode): void {
  const original = operand.meta.evaluate;
  operand.setMeta('evaluate', (evaluator: unknown, self: unknown, context: unknown) => {
    const value = original(evaluator, self, context);
    meter.spendOnAll(value);
    return value;
  });
}
