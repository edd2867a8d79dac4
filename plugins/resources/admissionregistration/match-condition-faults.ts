import {
  duplicate,
  ExpressionError,
  invalid,
  qualifiedNameFaults,
  required,
  tooMany,
  type Expressions,
  type FieldError,
  type FieldPath,
  type Task,
} from '../../../sdk/index.js';
import type {MutatingWebhook} from '../../../sdk/types/unchecked/admissionregistration/v1.js';
import {conditionVariables} from '../../families/admission-webhooks/match-conditions.js';

/** Maximum number of match conditions of a webhook or a policy (Kubernetes' limit). */
export const maximumConditions = 64;

/**
 * Errors in a webhook's match conditions: their names, and expressions that do not compile.
 *
 * @param task for all webhooks of a configuration
 */
export async function matchConditionFaults(
  {matchConditions}: MutatingWebhook,
  path: FieldPath,
  expressions: Expressions,
  task: Task,
): Promise<FieldError[]> {
  if (!matchConditions || matchConditions.length === 0) return [];
  if (matchConditions.length > maximumConditions) return [tooMany(path, matchConditions.length, maximumConditions)];
  const scope = await expressions.scope(conditionVariables);
  const names = new Set<string>();
  const faults: FieldError[] = [];
  for (const [index, {name = '', expression = ''}] of matchConditions.entries()) {
    const waiting = task.yieldIfDue();
    if (waiting) await waiting;
    const at = path.index(index);
    if (name === '') faults.push(required(at.child('name')));
    else faults.push(...qualifiedNameFaults(name).map((detail) => invalid(at.child('name'), name, detail)));
    if (names.has(name)) faults.push(duplicate(at.child('name'), name));
    names.add(name);
    if (expression.trim() === '') {
      faults.push(required(at.child('expression')));
      continue;
    }
    try {
      scope.compile(expression, 'bool');
    } catch (error) {
      if (!ExpressionError.is(error)) throw error;
      faults.push(invalid(at.child('expression'), expression, error.message));
    }
  }
  return faults;
}
