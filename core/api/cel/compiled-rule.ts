import type {Environment, ParseResult} from '@marcbachmann/cel-js';
import {expressionCost} from './cost/expression-cost.js';
import type {SizeModel} from './cost/size-model.js';
import {meterExpression} from './cost-meter.js';
import {replaced} from './environment.js';
import {replaceHas} from './has-macro.js';
import {nodesOf, type LibraryNode} from './library-node.js';
import type {ValidationRule} from './validation-rule.js';

/** What is wrong with an expression. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
}

type Variables = Readonly<Record<string, unknown>>;

/** A validation rule that can be evaluated. */
export interface CompiledRule {
  readonly source: ValidationRule;
  /** Whether the rule compares with the value before. */
  readonly isTransition: boolean;
  /** Whether the rule holds. @throws what evaluation throws; see `evaluationText` */
  holds(variables: Variables): boolean;
  /** The text of `messageExpression`; undefined when there is none or it yields no usable text. */
  message(variables: Variables): string | undefined;
  /** What one evaluation costs at most, for a value of such sizes. */
  cost(self: SizeModel): number;
}

/**
 * Compiles a rule and checks its types.
 *
 * @throws ExpressionError that says what is wrong with the rule
 */
export function compileRule(environment: Environment, source: ValidationRule): CompiledRule {
  const rule = compile(environment, source.rule, 'bool', 'cel expression must evaluate to a bool');
  return {
    source,
    isTransition: rule.variables.has('oldSelf'),
    holds: (variables) => rule.program(variables) === true,
    message: messageOf(environment, source),
    cost: (self) => expressionCost(rule.program.ast as unknown as LibraryNode, self),
  };
}

/** @throws ExpressionError that says what is wrong with the message expression */
export function checkMessage(environment: Environment, text: string): void {
  compile(environment, text, 'string', 'messageExpression must evaluate to a string');
}

/** A message that cannot be made is no reason to let an object pass, nor to fail otherwise: the fixed message stands in. */
function messageOf(environment: Environment, {messageExpression}: ValidationRule): CompiledRule['message'] {
  if (!messageExpression) return () => undefined;
  let program: ParseResult | undefined;
  return (variables) => {
    try {
      program ??= compile(environment, messageExpression, 'string', '').program;
      const text: unknown = program(variables);
      return typeof text === 'string' && text.trim() !== '' && !/[\r\n]/.test(text) ? text.trim() : undefined;
    } catch {
      return undefined;
    }
  };
}

interface Compiled {
  readonly program: ParseResult;
  /** Names that the expression uses. */
  readonly variables: ReadonlySet<string>;
}

function compile(environment: Environment, text: string, type: string, otherType: string): Compiled {
  const program = parse(environment, text);
  const variables = new Set<string>();
  for (const node of nodesOf(program.ast)) {
    if (node.op === 'id') variables.add(node.args as string);
    replaceHas(node);
    if ((node.op === 'call' || node.op === 'rcall') && !node.meta.macro && replaced.has((node.args as string[])[0]!))
      (node.args as string[])[0] += '_';
  }
  const result = program.check();
  if (!result.valid) throw new ExpressionError(`compilation failed: ${textOf(result.error)}`);
  if (result.type !== type && result.type !== 'dyn') throw new ExpressionError(otherType);
  meterExpression(program.ast);
  return {program, variables};
}

function parse(environment: Environment, text: string): ParseResult {
  try {
    return environment.parse(text);
  } catch (error) {
    throw new ExpressionError(`compilation failed: ${textOf(error)}`);
  }
}

/** What evaluation has thrown, as a user should read it. */
export function evaluationText(error: unknown): string {
  return textOf(error);
}

/** The library's errors show the expression below their first line; ours have replaced functions in them. */
function textOf(error: unknown): string {
  const text = error instanceof Error ? ((error as {summary?: string}).summary ?? error.message) : String(error);
  return text.replace(/\b([A-Za-z]+)_(?=\()/g, (whole, name: string) => (replaced.has(name) ? name : whole));
}
