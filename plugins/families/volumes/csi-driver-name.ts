import {dnsSubdomainFaults, invalid, required, tooLong, type FieldError, type FieldPath} from '../../../sdk/index.js';

const maximumLength = 63;

/**
 * Errors in the name of a CSI driver: up to 63 characters that, in lower case, are a DNS subdomain. As in Kubernetes, a missing name is
 * reported both as required and as invalid.
 */
export function validateCsiDriverName(given: string | undefined | null, path: FieldPath): FieldError[] {
  const name = given ?? '';
  const faults = name === '' ? [required(path)] : [];
  if (name.length > maximumLength) faults.push(tooLong(path, maximumLength));
  return [...faults, ...dnsSubdomainFaults(name.toLowerCase()).map((detail) => invalid(path, name, detail))];
}
