import type {Environment, ParseResult} from '@marcbachmann/cel-js';
import {ExpressionError} from '../../../sdk/index.js';
import {replaced} from './environment.js';
import {replaceHas} from './has-macro.js';
import {nodesOf} from './library-node.js';
import {meterExpression} from './metering.js';
import {shortText} from './short-text.js';

/** An expression that can be evaluated under a cost meter. */
export interface CompiledExpression {
  readonly program: ParseResult;
  /** The type that it evaluates to; `dyn` if that is known only then. */
  readonly type: string;
  /** Names that the expression uses. */
  readonly variables: ReadonlySet<string>;
}

/**
 * Compiles an expression and checks its types.
 *
 * @param types that the result may have: a single one, or `dyn` where that is not known or any will do; a list of types if nothing else will
 * @param otherType the error if the result has another type
 * @throws ExpressionError that says what is wrong with it
 */
export function compileExpression(
  environment: Environment,
  text: string,
  types: string | readonly string[],
  otherType: string | ((type: string) => string),
): CompiledExpression {
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
  const type = result.type ?? 'dyn';
  if (typeof types === 'string' ? types !== 'dyn' && type !== 'dyn' && types !== type : !types.includes(type))
    throw new ExpressionError(typeof otherType === 'string' ? otherType : otherType(type));
  meterExpression(program.ast);
  return {program, variables, type};
}

function parse(environment: Environment, text: string): ParseResult {
  try {
    return environment.parse(text);
  } catch (error) {
    throw new ExpressionError(`compilation failed: ${textOf(error)}`);
  }
}

/** The message of an evaluation error, for users. */
export function evaluationText(error: unknown): string {
  // The library capitalizes some of its messages; Kubernetes does not.
  return textOf(error).replace(/^No such key/, 'no such key');
}

/** The library's errors show the expression below their first line, and that expression contains our replacement functions. */
function textOf(error: unknown): string {
  const text = error instanceof Error ? ((error as {summary?: string}).summary ?? error.message) : String(error);
  return shortText(text).replace(/\b([A-Za-z]+)_(?=\()/g, (whole, name: string) => (replaced.has(name) ? name : whole));
}
