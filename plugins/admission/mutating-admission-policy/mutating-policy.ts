import {
  ExpressionError,
  StatusError,
  type AdmissionForm,
  type AdmissionRequest,
  type ApiObject,
  type ExpressionBudget,
  type ExpressionValues,
  type JsonObject,
  type JsonValue,
  type NamingProfile,
} from '../../../sdk/index.js';
import type {MutatingAdmissionPolicy, Mutation} from '../../../sdk/types/unchecked/admissionregistration/v1.js';
import {AdmissionPolicy} from '../../families/admission-policies/admission-policy.js';
import type {LazyExpression} from '../../families/admission-policies/lazy-expression.js';
import type {PolicyScopes} from '../../families/admission-policies/policy-scopes.js';

const strictText = /strict decoding error: .*/s;

/** One change of a policy. */
export type PolicyMutation = LazyExpression & {readonly patchType: 'applyConfiguration' | 'jsonPatch'};

/** A change that could not be made: the failure policy decides. Messages are those of Kubernetes. */
export class MutationError extends Error {
  override readonly name = 'MutationError';
}

/** A policy, ready to change objects. */
export class MutatingPolicy extends AdmissionPolicy {
  readonly mutations: readonly PolicyMutation[];
  /** Whether it is asked once more when an object has changed since. */
  readonly isReinvoked: boolean;

  constructor(policy: MutatingAdmissionPolicy, scopes: PolicyScopes, naming: NamingProfile) {
    const {mutations, reinvocationPolicy} = policy.spec ?? {};
    const given = (mutations ?? []).map(mutationOf);
    super(
      policy as unknown as ApiObject,
      policy.spec ?? {},
      scopes,
      naming,
      given.map(({text}) => text),
    );
    this.mutations = given.map(({text, patchType}) => Object.assign(this.lazy(text, patchType), {patchType}));
    this.isReinvoked = reinvocationPolicy === 'IfNeeded';
  }
}

function mutationOf({patchType, applyConfiguration, jsonPatch}: Mutation): {text: string; patchType: PolicyMutation['patchType']} {
  return patchType === 'JSONPatch'
    ? {patchType: 'jsonPatch', text: (jsonPatch?.expression ?? '').trim()}
    : {patchType: 'applyConfiguration', text: (applyConfiguration?.expression ?? '').trim()};
}

/**
 * Makes a change.
 *
 * @param form in which the policy sees the object
 * @returns whether the object differs now
 * @throws MutationError
 */
export async function mutate(
  mutation: PolicyMutation,
  request: AdmissionRequest,
  form: AdmissionForm,
  values: ExpressionValues,
  budget: ExpressionBudget,
): Promise<boolean> {
  const change = evaluated(mutation, values, budget);
  const isPatch = mutation.patchType === 'jsonPatch';
  try {
    return isPatch
      ? await request.patch(change, form, {fieldValidation: 'Strict', skipOnFailedTest: true})
      : await request.merge(change as JsonObject, form);
  } catch (error) {
    // What a custom resource may not be is found by its schema.
    if (!StatusError.is(error) || error.code === 422) throw error;
    const [strict] = strictText.exec(error.message) ?? [];
    throw new MutationError(isPatch ? (strict ?? `JSON Patch: ${error.message}`) : `error applying patch: ${error.message}`);
  }
}

function evaluated(mutation: PolicyMutation, values: ExpressionValues, budget: ExpressionBudget): JsonValue {
  const {problem} = mutation;
  if (problem) throw new MutationError(problem.message);
  try {
    return mutation.evaluate(values, budget) as JsonValue;
  } catch (error) {
    if (!ExpressionError.is(error)) throw error;
    if (error.code === 'CostExceeded' && budget.left <= 0)
      throw new MutationError('validation failed due to running out of cost budget, no further validation rules will be run');
    throw new MutationError(
      error.message.startsWith('type mismatch: ') ? error.message : `expression '${mutation.text}' resulted in error: ${error.message}`,
    );
  }
}
