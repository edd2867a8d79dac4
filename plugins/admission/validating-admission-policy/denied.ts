import {admissionForbidden, StatusError, type AdmissionRequest} from '../../../sdk/index.js';
import type {Denial} from './policy.js';

const codes: Readonly<Record<string, number>> = {Forbidden: 403, Unauthorized: 401, RequestEntityTooLarge: 413, Invalid: 422};

/** Maximum characters of a refusal in an answer: it may quote an expression, which may be megabytes. */
const longest = 5 * 1024;

/** The response to a write that a policy rejects, in Kubernetes' words. @param binding undefined when the policy itself cannot be used */
export function denied(
  request: AdmissionRequest,
  policy: string,
  binding: string | undefined,
  {message, reason = 'Invalid'}: Denial,
): StatusError {
  const by = binding === undefined ? '' : ` with binding '${binding}'`;
  const text = `ValidatingAdmissionPolicy '${policy}'${by} denied request: ${message.length > longest ? `${message.slice(0, longest)}…` : message}`;
  const refusal = admissionForbidden(request, text);
  const causes = [...(refusal.details?.causes ?? []), {message: text}];
  return new StatusError(codes[reason] ?? 422, reason, refusal.message, {details: {...refusal.details, causes}});
}
