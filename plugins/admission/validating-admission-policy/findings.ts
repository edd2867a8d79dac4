import {admissionForbidden, jsonText, StatusError, type AdmissionRequest, type NamingProfile} from '../../../sdk/index.js';
import type {Denial} from '../../families/admission-policies/admission-policy.js';
import type {Binding} from './binding.js';

const codes: Readonly<Record<string, number>> = {Forbidden: 403, Unauthorized: 401, RequestEntityTooLarge: 413, Invalid: 422};

/** Maximum characters of a refusal in an answer: it may quote an expression, which may be megabytes. */
const longest = 5 * 1024;

/** What policies find in a write: each refusal denies it, warns its client, or is noted in audit events, as the binding says. */
export class Findings {
  readonly #request: AdmissionRequest;
  readonly #failureKey: string;
  readonly #failures: object[] = [];
  readonly #annotations = new Map<string, Set<string>>();

  constructor(request: AdmissionRequest, naming: NamingProfile) {
    this.#request = request;
    this.#failureKey = naming.key('validation.policy.admission.orch/validation_failure');
  }

  /**
   * @param binding undefined when the policy itself cannot be used
   * @throws StatusError for a binding that denies, and without one
   */
  add(policy: string, binding: Binding | undefined, denial: Denial): void {
    const actions = binding?.actions ?? ['Deny'];
    if (actions.includes('Audit')) {
      const {index = 0, message} = denial;
      this.#failures.push({message: bounded(message), policy, binding: binding!.name, expressionIndex: index, validationActions: actions});
    }
    if (actions.includes('Warn'))
      this.#request.warn(
        `Validation failed for ValidatingAdmissionPolicy '${policy}' with binding '${binding!.name}': ${bounded(denial.message)}`,
      );
    if (actions.includes('Deny')) throw denied(this.#request, policy, binding?.name, denial);
  }

  annotate(key: string, value: string): void {
    const values = this.#annotations.get(key);
    if (values) values.add(value);
    else this.#annotations.set(key, new Set([value]));
  }

  /** Writes what is for audit events; values of one key by several bindings stand one after the other. */
  record(): void {
    if (this.#failures.length > 0) this.#request.annotate(this.#failureKey, jsonText(this.#failures));
    for (const [key, values] of this.#annotations) this.#request.annotate(key, [...values].join(', '));
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
  {message, reason = 'Invalid'}: Denial,
): StatusError {
  const by = binding === undefined ? '' : ` with binding '${binding}'`;
  const text = `ValidatingAdmissionPolicy '${policy}'${by} denied request: ${bounded(message)}`;
  const refusal = admissionForbidden(request, text);
  const causes = [...(refusal.details?.causes ?? []), {message: text}];
  return new StatusError(codes[reason] ?? 422, reason, refusal.message, {details: {...refusal.details, causes}});
}
