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
} from '../../../sdk/index.js';
import type {MutatingWebhook} from '../../../sdk/types/unchecked/admissionregistration/v1.js';
import {conditionVariables} from '../../families/admission-webhooks/match-conditions.js';

/** Maximum number of match conditions per webhook (Kubernetes' limit). */
const maximumConditions = 64;

/** Errors in a webhook's match conditions: their names, and expressions that do not compile. */
export async function matchConditionFaults(
  {matchConditions}: MutatingWebhook,
  path: FieldPath,
  expressions: Expressions,
): Promise<FieldError[]> {
  if (!matchConditions || matchConditions.length === 0) return [];
  if (matchConditions.length > maximumConditions) return [tooMany(path, matchConditions.length, maximumConditions)];
  const scope = await expressions.scope(conditionVariables);
  const names = new Set<string>();
  return matchConditions.flatMap(({name = '', expression = ''}, index) => {
    const at = path.index(index);
    const faults =
      name === '' ? [required(at.child('name'))] : qualifiedNameFaults(name).map((detail) => invalid(at.child('name'), name, detail));
    if (names.has(name)) faults.push(duplicate(at.child('name'), name));
    names.add(name);
    if (expression.trim() === '') return [...faults, required(at.child('expression'))];
    try {
      scope.compile(expression, 'bool');
    } catch (error) {
      if (!ExpressionError.is(error)) throw error;
      faults.push(invalid(at.child('expression'), expression, error.message));
    }
    return faults;
  });
}
