import {ExpressionError} from '../../../sdk/index.js';
import {check} from './check/checker.js';
import {checkLiterals} from './check/literal-checks.js';
import {plan} from './evaluate/plan.js';
import type {Step} from './evaluate/step.js';
import type {ExpressionEnvironment} from './expression-environment.js';
import {constantPatternFault} from './libraries/regex.js';
import {shortText} from './short-text.js';
import {metered} from './metered.js';
import {partsOf, type Node} from './syntax/ast.js';
import {parse} from './syntax/parser.js';
import type {CelType} from './types/cel-type.js';
import {Fault} from './values/fault.js';

/** Bytes of what is said about one expression: it contains the expression, and each line of it once for each issue in it. */
const longestText = 64 * 1024;
/** Steps to convert a constant. */
const foldingLimit = 100_000;

/** An expression that can be evaluated under a cost meter. */
export interface CompiledExpression {
  readonly root: Node;
  readonly type: CelType;
  /** Names that the expression uses. */
  readonly names: ReadonlySet<string>;
  /** The value of the expression. @throws Error that says why it has none */
  evaluate(variables: Readonly<Record<string, unknown>>): unknown;
}

/**
 * Compiles an expression and checks its types.
 *
 * @throws ExpressionError with all that is wrong with it, each with the line and a mark below the place, in the words of cel-go
 */
export function compileExpression(environment: ExpressionEnvironment, text: string): CompiledExpression {
  const {root, issues} = parse(text, environment.features);
  if (issues.count === 0) {
    check(root, environment, issues);
    if (issues.count === 0) checkLiterals(root, environment.features, issues);
  }
  if (issues.count > 0) throw new ExpressionError(bounded(issues.text(environment.features.has('opaque-type-names'))));
  const names = new Set<string>();
  visit(root, (node) => {
    if (node.op === 'ident') names.add(node.name);
  });
  let step: Step | undefined;
  return {
    root,
    type: root.type!,
    names,
    evaluate: (variables) => {
      step ??= plan(root, environment);
      const result = step({variables, locals: []});
      if (result instanceof Fault) throw new Error(result.message);
      return result;
    },
  };
}

/** Functions that make a value of another type, and are called with constants when an expression is prepared. */
const converting: ReadonlySet<string> = new Set([
  'bool',
  'bytes',
  'double',
  'duration',
  'dyn',
  'int',
  'string',
  'timestamp',
  'type',
  'uint',
]);

function isConstant(node: Node): boolean {
  switch (node.op) {
    case 'literal':
      return true;
    case 'list':
      return node.optional.size === 0 && node.items.every(isConstant);
    case 'map':
      return node.entries.every(({key, value, isOptional}) => !isOptional && isConstant(key) && isConstant(value));
    default:
      return node.op === 'call' && converting.has(node.name) && node.args.length === 1 && isConstant(node.args[0]!);
  }
}

/** What fails before an expression is evaluated: patterns that are written out, and constants that are to be converted. */
export function preparationFault({root}: CompiledExpression, environment: ExpressionEnvironment): string | undefined {
  const pattern = patternFault(root);
  if (pattern !== undefined) return pattern;
  let found: string | undefined;
  visit(root, (node) => {
    if (node.op === 'ident' && environment.unplanned.has(node.name)) found = `reference to undefined type: ${node.name}`;
    if (node.op !== 'call' || !converting.has(node.name) || !isConstant(node)) return;
    const {exceeded, result} = metered(foldingLimit, () => plan(node, environment)({variables: {}, locals: []}));
    if (!exceeded && result instanceof Fault) found = result.message;
  });
  return found;
}

function patternFault(root: Node): string | undefined {
  let found: string | undefined;
  visit(root, (node) => {
    if (node.op !== 'call' || (node.name !== 'find' && node.name !== 'findAll' && node.name !== 'matches')) return;
    const pattern = node.target ? node.args[0] : node.args[1];
    if (pattern?.op === 'literal' && typeof pattern.value === 'string') found ??= constantPatternFault(pattern.value);
  });
  return found;
}

function visit(root: Node, look: (node: Node) => void): void {
  const pending = [root];
  for (let node = pending.pop(); node; node = pending.pop()) {
    look(node);
    pending.push(...partsOf(node));
  }
}

function bounded(text: string): string {
  return text.length <= longestText ? text : `${text.slice(0, longestText)}…`;
}

/** The message of an evaluation error, for users. */
export function evaluationText(error: unknown): string {
  return shortText(error instanceof Error ? error.message : String(error));
}
