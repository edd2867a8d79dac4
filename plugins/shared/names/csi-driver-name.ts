import {dnsSubdomainFaults, invalid, required, tooLong, type FieldError, type FieldPath} from '../../../sdk/index.js';

const maximumLength = 63;

/** Faults of the name of a CSI driver: up to 63 characters that, in lower case, are a DNS subdomain. */
export function validateCsiDriverName(name: string | undefined, path: FieldPath): FieldError[] {
  if (!name) return [required(path)];
  const faults = name.length > maximumLength ? [tooLong(path, maximumLength)] : [];
  return [...faults, ...dnsSubdomainFaults(name.toLowerCase()).map((detail) => invalid(path, name, detail))];
}
