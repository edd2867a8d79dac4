import {ExpressionError} from '../../../sdk/index.js';
import {compileExpression, preparationFault, type CompiledExpression} from './compile-expression.js';
import {expressionCost} from './cost/expression-cost.js';
import type {SizeModel} from './cost/size-model.js';
import type {ExpressionEnvironment} from './expression-environment.js';
import {isShort} from './short-text.js';
import {boolType, stringType, type CelType} from './types/cel-type.js';
import type {ValidationRule} from './validation-rule.js';

type Variables = Readonly<Record<string, unknown>>;

/** A validation rule that can be evaluated. */
export interface CompiledRule {
  readonly source: ValidationRule;
  /** Whether the rule compares with the old value. */
  readonly isTransition: boolean;
  /** Whether the rule holds. @throws what evaluation throws; see `evaluationText` */
  holds(variables: Variables): boolean;
  /** The result of `messageExpression`; undefined if there is none or its result is unusable. */
  message(variables: Variables): string | undefined;
  /** The maximum cost of one evaluation for a value of these sizes. */
  cost(self: SizeModel): number;
}

/**
 * Compiles a rule and checks its types.
 *
 * @throws ExpressionError that says what is wrong with the rule
 */
export function compileRule(environment: ExpressionEnvironment, source: ValidationRule): CompiledRule {
  const rule = compiled(environment, source.rule, '');
  return {
    source,
    isTransition: rule.names.has('oldSelf'),
    holds: (variables) => rule.evaluate(variables) === true,
    message: messageOf(environment, source),
    cost: (self) => costOf(environment, rule, self),
  };
}

/** @throws ExpressionError that says what is wrong with the message expression */
export function compileMessage(environment: ExpressionEnvironment, text: string): {cost(self: SizeModel): number} {
  const message = compiled(environment, text, 'messageExpression ');
  return {cost: (self) => costOf(environment, message, self)};
}

function costOf({features}: ExpressionEnvironment, {root}: CompiledExpression, self: SizeModel): number {
  const sizes = new Map([
    ['self', self],
    ['oldSelf', self],
  ]);
  return expressionCost(root, sizes, features);
}

/** @param what the beginning of what is said about it; empty for a rule */
function compiled(environment: ExpressionEnvironment, text: string, what: '' | 'messageExpression '): CompiledExpression {
  let found: CompiledExpression;
  try {
    found = compileExpression(environment, text);
  } catch (error) {
    throw ExpressionError.is(error) ? new ExpressionError(`${what}compilation failed: ${error.message}`) : error;
  }
  const expected: CelType = what === '' ? boolType : stringType;
  if (!found.type.isSame(expected))
    throw new ExpressionError(what === '' ? 'cel expression must evaluate to a bool' : 'messageExpression must evaluate to a string');
  const fault = preparationFault(found, environment);
  if (fault !== undefined) throw new ExpressionError(`${what === '' ? 'program' : 'messageExpression'} instantiation failed: ${fault}`);
  return found;
}

/** A message expression that fails must neither let an object pass nor cause another error: the fixed message is used instead. */
function messageOf(environment: ExpressionEnvironment, {messageExpression}: ValidationRule): CompiledRule['message'] {
  if (!messageExpression) return () => undefined;
  let message: CompiledExpression | undefined;
  return (variables) => {
    try {
      message ??= compiled(environment, messageExpression, 'messageExpression ');
      const result = message.evaluate(variables);
      const text = typeof result === 'string' ? result.trim() : '';
      return text !== '' && isShort(text) && !/[\r\n]/.test(text) ? text : undefined;
    } catch {
      return undefined;
    }
  };
}
