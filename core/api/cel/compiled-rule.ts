import type {Environment, ParseResult} from '@marcbachmann/cel-js';
import {compileExpression} from './compile-expression.js';
import {expressionCost} from './cost/expression-cost.js';
import type {SizeModel} from './cost/size-model.js';
import type {LibraryNode} from './library-node.js';
import {isShort} from './short-text.js';
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
export function compileRule(environment: Environment, source: ValidationRule): CompiledRule {
  const rule = compileExpression(environment, source.rule, 'bool', 'cel expression must evaluate to a bool');
  return {
    source,
    isTransition: rule.variables.has('oldSelf'),
    holds: (variables) => rule.program(variables) === true,
    message: messageOf(environment, source),
    cost: (self) =>
      expressionCost(
        rule.program.ast as unknown as LibraryNode,
        new Map([
          ['self', self],
          ['oldSelf', self],
        ]),
      ),
  };
}

/** @throws ExpressionError that says what is wrong with the message expression */
export function checkMessage(environment: Environment, text: string): void {
  compileExpression(environment, text, 'string', 'messageExpression must evaluate to a string');
}

/** A message expression that fails must neither let an object pass nor cause another error: the fixed message is used instead. */
function messageOf(environment: Environment, {messageExpression}: ValidationRule): CompiledRule['message'] {
  if (!messageExpression) return () => undefined;
  let program: ParseResult | undefined;
  return (variables) => {
    try {
      program ??= compileExpression(environment, messageExpression, 'string', '').program;
      const result: unknown = program(variables);
      const text = typeof result === 'string' ? result.trim() : '';
      return text !== '' && isShort(text) && !/[\r\n]/.test(text) ? text : undefined;
    } catch {
      return undefined;
    }
  };
}
