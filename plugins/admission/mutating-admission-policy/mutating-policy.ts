import {
  ExpressionError,
  internalError,
  StatusError,
  type AdmissionForm,
  type AdmissionRequest,
  type ApiObject,
  type ExpressionValues,
  type JsonObject,
  type JsonValue,
} from '../../../sdk/index.js';
import type {MutatingAdmissionPolicy, Mutation} from '../../../sdk/types/unchecked/admissionregistration/v1.js';
import {AdmissionPolicy, type PolicyParts} from '../../families/admission-policies/admission-policy.js';
import {errorText, Evaluation, OutOfBudget, stepsOfExpressions, type RequestWork} from '../../families/admission-policies/evaluation.js';
import type {LazyExpression} from '../../families/admission-policies/lazy-expression.js';

/** What a patch has made is none of the kind. */
const undecodable = /^\S+ in version \S+ cannot be handled as a \S+: (.*)$/s;
/** Errors of making a change of a result begin with these words; all others are those of an expression. */
const resultProblem = /^(?:type mismatch|unsupported return type|JSONPath valueExpression)\b/;

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

  constructor(policy: MutatingAdmissionPolicy, parts: PolicyParts) {
    const {mutations, reinvocationPolicy} = policy.spec ?? {};
    const given = (mutations ?? []).map(mutationOf);
    super(
      policy as unknown as ApiObject,
      policy.spec ?? {},
      parts,
      given.map(({text}) => text),
    );
    this.mutations = given.map(({text, patchType}) => Object.assign(this.lazy(text, patchType), {patchType}));
    this.isReinvoked = reinvocationPolicy === 'IfNeeded';
  }

  /**
   * Makes a change. It may take as much as all expressions of a policy together (as in Kubernetes).
   *
   * @param form in which the policy sees the object
   * @param values of the request as it is now
   * @returns whether the object differs now
   * @throws MutationError
   */
  async mutate(
    mutation: PolicyMutation,
    request: AdmissionRequest,
    form: AdmissionForm,
    values: ExpressionValues,
    work: RequestWork,
  ): Promise<boolean> {
    const change = await this.#evaluated(mutation, values, work);
    const isPatch = mutation.patchType === 'jsonPatch';
    if (!isPatch && request.operation === 'CONNECT') throw new MutationError(untypedText(request.kind));
    try {
      return isPatch
        ? await request.patch(change, form, {fieldValidation: 'Strict', skipOnFailedTest: true})
        : await request.merge(change as JsonObject, form);
    } catch (error) {
      // What a custom resource may not be is found by its schema.
      if (!StatusError.is(error) || error.code === 422) throw error;
      const [, decoding] = isPatch ? (undecodable.exec(error.message) ?? []) : [];
      // As in Kubernetes, whatever the failure policy says.
      if (decoding !== undefined) throw internalError(decoding, {cause: error, details: {causes: [{message: decoding}]}});
      throw new MutationError(isPatch ? `JSON Patch: ${error.message}` : `error applying patch: ${error.message}`);
    }
  }

  async #evaluated(mutation: PolicyMutation, values: ExpressionValues, work: RequestWork): Promise<JsonValue> {
    const {compiled, text} = mutation;
    if (ExpressionError.is(compiled)) throw new MutationError(compiled.message);
    const evaluation = new Evaluation(stepsOfExpressions, work);
    try {
      return (await evaluation.result(compiled, this.withVariables(values, evaluation))) as JsonValue;
    } catch (error) {
      if (error instanceof OutOfBudget) throw new MutationError(error.message);
      if (!ExpressionError.is(error)) throw error;
      const problem = errorText(error);
      throw new MutationError(resultProblem.test(problem) ? problem : `expression '${text}' resulted in error: ${problem}`);
    }
  }
}

/** Options of connections are in no document that says how objects are merged. */
function untypedText({group, version, kind}: AdmissionRequest['kind']): string {
  return `error applying patch: failed to convert patch object to typed object: no corresponding type for ${group}/${version}, Kind=${kind}`;
}

function mutationOf({patchType, applyConfiguration, jsonPatch}: Mutation): {text: string; patchType: PolicyMutation['patchType']} {
  return patchType === 'JSONPatch'
    ? {patchType: 'jsonPatch', text: jsonPatch?.expression ?? ''}
    : {patchType: 'applyConfiguration', text: applyConfiguration?.expression ?? ''};
}
