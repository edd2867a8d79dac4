import {admissionForbidden, StatusError, type AdmissionRequest, type StatusReason} from '../../../sdk/index.js';

/** Maximum characters of a refusal in an answer: it may quote an expression, which may be megabytes. */
const longest = 5 * 1024;

/** Why policies could not do their part, each in Kubernetes' words; the first one gives the answer its message and reason. */
export class Denials {
  readonly #found: {readonly message: string; readonly reason: StatusReason | undefined}[] = [];

  /** @param binding undefined when the policy itself cannot be used */
  add(policy: string, binding: string | undefined, problem: string, reason?: StatusReason): void {
    const by = binding === undefined ? `policy "${policy}"` : `policy '${policy}' with binding '${binding}'`;
    const text = problem.length > longest ? `${problem.slice(0, longest)}…` : problem;
    this.#found.push({message: `${by} denied request: ${text}`, reason});
  }

  /** @throws StatusError 403 if there are any */
  raise(request: AdmissionRequest): void {
    const [first] = this.#found;
    if (!first) return;
    const {details, reason} = admissionForbidden(request, 'admission request denied by policy');
    const causes = [...(details?.causes ?? []), ...this.#found.map(({message}) => ({message}))];
    throw new StatusError(403, first.reason ?? reason, first.message, {details: {...details, causes}});
  }
}
