import {duplicate, FieldPath, forbiddenField, invalid, notSupported, required, type FieldError} from '../../../sdk/index.js';
import {sameValue} from '../../../sdk/validation/index.js';
import type {CertificateSigningRequest, CertificateSigningRequestCondition} from '../../../sdk/types/unchecked/certificates/v1.js';

const conditionsPath = FieldPath.of('status', 'conditions');
/** Conditions that decide a request: they cannot be removed, and their status is always True. */
const finalTypes = ['Approved', 'Denied', 'Failed'];
const opposites: Readonly<Record<string, string>> = {Approved: 'Denied', Denied: 'Approved'};
const statuses = ['True', 'False', 'Unknown'];

/** Errors in the conditions of a request. */
export function conditionFaults({status}: CertificateSigningRequest): FieldError[] {
  const seen = new Set<string>();
  return (status?.conditions ?? []).flatMap(({type = '', status: value = ''}, index) => {
    const path = conditionsPath.index(index);
    const typePath = path.child('type');
    const faults = type === '' ? [required(typePath)] : [];
    const supported = finalTypes.includes(type) ? ['True'] : statuses;
    if (value === '') faults.push(required(path.child('status')));
    else if (!supported.includes(value)) faults.push(notSupported(path.child('status'), value, supported));
    const opposite = Object.hasOwn(opposites, type) ? opposites[type]! : undefined;
    if (opposite !== undefined && seen.has(opposite))
      faults.push(invalid(typePath, type, 'Approved and Denied conditions are mutually exclusive'));
    if (seen.has(type)) faults.push(duplicate(typePath, type));
    seen.add(type);
    return faults;
  });
}

/** Errors in a change of conditions: only the approval subresource approves and denies, and no decision is revoked. */
export function conditionChangeFaults(
  object: CertificateSigningRequest,
  old: CertificateSigningRequest,
  subresource: string,
): FieldError[] {
  return finalTypes.flatMap((type) => {
    const before = conditionsOf(old, type);
    const after = conditionsOf(object, type);
    const refuse = (what: string) => [
      forbiddenField(conditionsPath, `updates may not ${what} a condition of type ${JSON.stringify(type)}`),
    ];
    if (after.length < before.length) return refuse('remove');
    if (subresource === 'approval' || type === 'Failed') return [];
    if (after.length > before.length) return refuse('add');
    return sameValue(after, before) ? [] : refuse('modify');
  });
}

export function conditionsOf({status}: CertificateSigningRequest, type: string): CertificateSigningRequestCondition[] {
  return (status?.conditions ?? []).filter((condition) => condition.type === type);
}
