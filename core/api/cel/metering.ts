import type {ASTNode} from '@marcbachmann/cel-js';
import {chargeOf, turnOf, type Charge} from './charges.js';
import {meter} from './cost-meter.js';
import {nodesOf, readsOf, type Evaluate, type Handle, type LibraryNode} from './library-node.js';

/** An error is made, and passes through the operators around. */
const stepsPerError = 1_000;
const stepsPerRethrow = 20;
/** The error that has been charged. */
let lastError: unknown;

/**
 * Makes every operation of a checked expression count: one step when its turn comes, and what its operands cost before it reads them.
 *
 * @throws Error if the library's nodes do not have the expected form
 */
export function meterExpression(root: ASTNode): void {
  const nodes = [...nodesOf(root)];
  // To count what only reads a value by itself would take as long as to read it.
  const paid = new Set<LibraryNode>();
  for (const node of nodes) {
    const {evaluate, macro} = node.meta;
    if (typeof evaluate !== 'function') throw new Error('the nodes of CEL expressions cannot be metered');
    const reads = readsOf(node);
    for (const read of reads) paid.add(read);
    if (!paid.has(node)) node.setMeta('evaluate', metered(evaluate, turnOf(node) + stepsOf(node, reads)));
    if (isEvaluated(macro)) macro.evaluate = metered(macro.evaluate);
    meterOperands(node);
    if (node.op === 'comprehension') endWithMeter(node.args as Loop);
    // With a position, each error of an evaluation would contain the line of the expression, which may be long.
    node.pos = undefined;
    node.start = undefined;
  }
}

function stepsOf({op, args}: LibraryNode, reads: readonly LibraryNode[]): number {
  // Of two branches one is evaluated.
  const isEither = op === '?:' && (args as LibraryNode[]).slice(1).every((branch) => reads.includes(branch));
  return isEither ? reads.length - 1 : reads.length;
}

function metered(evaluate: Evaluate, steps = 1): Evaluate {
  return function (this: unknown, evaluator, self, context) {
    meter.spend(steps);
    try {
      return evaluate.call(this, evaluator, self, context);
    } catch (error) {
      meter.spend(error === lastError ? stepsPerRethrow : stepsPerError);
      lastError = error;
      throw error;
    }
  };
}

/** `handle` is what the library calls with the operands: all arguments in one list, or one or two operands. */
function meterOperands(node: LibraryNode): void {
  const {handle} = node;
  const charge = chargeOf(node);
  if (!handle || !charge) return;
  node.handle = node.op === 'call' || node.op === 'rcall' ? withArguments(handle, charge) : withOperands(handle, charge);
}

function withArguments(handle: Handle, charge: Charge): Handle {
  return function (this: unknown, operands, b, c, d) {
    const [first, second, third] = operands as readonly unknown[];
    meter.spend(charge(first, second, third));
    return handle.call(this, operands, b, c, d);
  };
}

function withOperands(handle: Handle, charge: Charge): Handle {
  return function (this: unknown, left, right, c, d) {
    meter.spend(charge(left, right, undefined));
    return handle.call(this, left, right, c, d);
  };
}

interface Loop {
  condition?: (accumulated: unknown) => boolean;
}

/** Loops that take errors for values would go on through all that is left. What they return does not matter any more. */
function endWithMeter(loop: Loop): void {
  const {condition} = loop;
  if (condition) loop.condition = (accumulated) => !meter.isExceeded && condition(accumulated);
}

function isEvaluated(macro: unknown): macro is {evaluate: Evaluate} {
  return typeof macro === 'object' && macro !== null && 'evaluate' in macro && typeof macro.evaluate === 'function';
}
