import {
  admissionForbidden,
  jsonText,
  StatusError,
  type AdmissionRequest,
  type NamingProfile,
  type StatusReason,
} from '../../../sdk/index.js';
import type {CountExpression} from '../../families/admission-policies/policy-metrics.js';
import type {Binding} from './binding.js';
import type {Judgement, Policy, Refusal} from './policy.js';

const codes: Readonly<Record<string, number>> = {Forbidden: 403, Unauthorized: 401, RequestEntityTooLarge: 413, Invalid: 422};

/** Maximum characters of a refusal in an answer: it may quote an expression, which may be megabytes. */
const longest = 5 * 1024;

/** What policies find in a write: each refusal denies it, warns its client, or is noted in audit events, as the binding says. */
export class Findings {
  readonly #request: AdmissionRequest;
  readonly #failureKey: string;
  readonly #count: CountExpression;
  /** The first refusal in an audit event is the only one (as in Kubernetes). */
  #failure: string | undefined;
  /** The first one that denies: all policies have their say, and it is answered. */
  #denial: StatusError | undefined;
  readonly #annotations = new Map<string, Set<string>>();

  /** @param count what became of an expression, with the action that was taken */
  constructor(request: AdmissionRequest, naming: NamingProfile, count: CountExpression) {
    this.#request = request;
    this.#failureKey = naming.key('validation.policy.admission.orch/validation_failure');
    this.#count = count;
  }

  /** A policy or a binding cannot be used. @param binding undefined when it is the policy itself */
  unusable({name, failsOpen}: Policy, binding: Binding | undefined, message: string): void {
    if (!failsOpen) this.#deny(name, binding?.name, message);
  }

  add(policy: Policy, binding: Binding, {refusals, annotations}: Judgement): void {
    for (const refusal of refusals) this.#addRefusal(policy, binding, refusal);
    for (const {key, value, problem, seconds} of annotations) {
      if (value !== undefined) this.#annotate(`${policy.name}/${key}`, value);
      if (problem === undefined || policy.failsOpen) continue;
      this.#deny(policy.name, binding.name, problem);
      this.#count(policy.name, binding.name, problem, seconds, 'deny');
    }
  }

  /** Writes what is for audit events, and refuses the write if it is denied. Values of one key by several bindings stand one after the other. */
  conclude(): void {
    if (this.#failure !== undefined) this.#request.annotate(this.#failureKey, this.#failure);
    for (const [key, values] of this.#annotations) this.#request.annotate(key, [...values].join(', '));
    if (this.#denial) throw this.#denial;
  }

  #addRefusal(policy: Policy, binding: Binding, {message, reason, index, isError, seconds}: Refusal): void {
    const count = (action: string) => this.#count(policy.name, binding.name, message, seconds, action);
    if (isError && policy.failsOpen) {
      count('allow');
      return;
    }
    const shown = bounded(message);
    for (const action of binding.actions) {
      count(action.toLowerCase());
      if (action === 'Deny') this.#deny(policy.name, binding.name, message, reason);
      else if (action === 'Warn')
        this.#request.warn(`Validation failed for ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}': ${shown}`);
      else
        this.#failure ??= jsonText([
          {message: shown, policy: policy.name, binding: binding.name, expressionIndex: index, validationActions: binding.actions},
        ]);
    }
  }

  #annotate(key: string, value: string): void {
    const values = this.#annotations.get(key);
    if (values) values.add(value);
    else this.#annotations.set(key, new Set([value]));
  }

  #deny(policy: string, binding: string | undefined, message: string, reason?: StatusReason): void {
    this.#denial ??= denied(this.#request, policy, binding, message, reason);
  }
}

function bounded(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** The response to a write that a policy rejects, in Kubernetes' words. @param binding undefined when the policy itself cannot be used */
function denied(
  request: AdmissionRequest,
  policy: string,
  binding: string | undefined,
  message: string,
  reason: StatusReason = 'Invalid',
): StatusError {
  const by = binding === undefined ? '' : ` with binding '${binding}'`;
  const text = `ValidatingAdmissionPolicy '${policy}'${by} denied request: ${bounded(message)}`;
  const refusal = admissionForbidden(request, text);
  const causes = [...(refusal.details?.causes ?? []), {message: text}];
  return new StatusError(codes[reason] ?? 422, reason, refusal.message, {details: {...refusal.details, causes}});
}
