import {
  duplicate,
  invalid,
  qualifiedNameFaults,
  required,
  tooMany,
  type ExpressionError,
  type FieldError,
  type FieldPath,
  type Task,
} from '../../../sdk/index.js';
import type {MatchCondition} from '../../../sdk/types/unchecked/admissionregistration/v1.js';

/** Maximum number of match conditions of a webhook or a policy (Kubernetes' limit). */
const maximumConditions = 64;

/**
 * Errors in the match conditions of a webhook or a policy: their names, and expressions that do not compile.
 *
 * @param problemOf compiles an expression, and returns why that fails
 */
export async function matchConditionFaults(
  conditions: readonly MatchCondition[] | null | undefined,
  path: FieldPath,
  problemOf: (text: string) => ExpressionError | undefined,
  task: Task,
): Promise<FieldError[]> {
  const list = conditions ?? [];
  const names = new Set<string>();
  const faults: FieldError[] = list.length > maximumConditions ? [tooMany(path, list.length, maximumConditions)] : [];
  for (const [index, {name = '', expression = ''}] of list.entries()) {
    const waiting = task.yieldIfDue();
    if (waiting) await waiting;
    const [namePath, expressionPath] = [path.index(index).child('name'), path.index(index).child('expression')];
    const text = expression.trim();
    const problem = text === '' ? undefined : problemOf(text);
    if (text === '') faults.push(required(expressionPath));
    if (problem) faults.push(invalid(expressionPath, text, problem.message));
    if (name === '') faults.push(required(namePath));
    else faults.push(...qualifiedNameFaults(name).map((detail) => invalid(namePath, name, detail)));
    if (name !== '' && names.has(name)) faults.push(duplicate(namePath, name));
    names.add(name);
  }
  return faults;
}
