import {
  dnsLabelFaults,
  dnsSubdomainFaults,
  invalid,
  labelValueFaults,
  qualifiedNameFaults,
  required,
  tooLong,
  type FieldError,
  type FieldPath,
} from '../../../../sdk/index.js';
import {invalidFor} from '../../../../sdk/validation/index.js';
import {validateCsiDriverName} from '../../../families/volumes/csi-driver-name.js';

/** Bytes of the name of a pool. */
export const longestPool = 253;
const longestDomain = 63;
const longestIdentifier = 32;
/** Of the name of an attribute or a capacity. */
export const longestQualifiedName = longestDomain + 1 + longestIdentifier;

/** Drivers have names as those of volumes have. */
export const validateDriver = validateCsiDriverName;

/** Errors in a name that must be a DNS label: of a request, a device, a counter. */
export function validateLabelName(name: string | undefined | null, path: FieldPath): FieldError[] {
  return invalidFor(path, name ?? '', dnsLabelFaults(name ?? ''));
}

/** Errors in the name of a pool: DNS subdomains with slashes between them. */
export function validatePool(name: string | undefined | null, path: FieldPath): FieldError[] {
  if (!name) return [required(path)];
  const faults = name.length > longestPool ? [tooLong(path, longestPool)] : [];
  return [...faults, ...name.split('/').flatMap((part) => invalidFor(path, part, dnsSubdomainFaults(part)))];
}

/** Errors in a required DNS subdomain that must not be missing. */
export function validateClassName(name: string | undefined | null, path: FieldPath): FieldError[] {
  return name ? invalidFor(path, name, dnsSubdomainFaults(name)) : [required(path)];
}

/** Errors in the key of a taint, or in a condition. */
export function validateKey(key: string | undefined | null, path: FieldPath): FieldError[] {
  return invalidFor(path, key ?? '', qualifiedNameFaults(key ?? ''));
}

export function validateLabelValue(value: string | undefined | null, path: FieldPath): FieldError[] {
  return invalidFor(path, value ?? '', labelValueFaults(value ?? ''));
}

/** Errors in the name of an attribute or a capacity: an identifier, with or without a domain. A name with more slashes passes, as in Kubernetes. */
export function validateQualifiedName(name: string, path: FieldPath): FieldError[] {
  const [domain = '', identifier, ...others] = name.split('/');
  if (others.length > 0) return [];
  if (identifier === undefined) return validateIdentifier(domain, path);
  return [
    ...(domain === '' ? [invalid(path, '', 'the domain must not be empty')] : validateDriver(domain, path)),
    ...(identifier === '' ? [invalid(path, '', 'the name must not be empty')] : validateIdentifier(identifier, path)),
  ];
}

/** Errors in the name of an attribute with its domain. */
export function validateFullyQualifiedName(name: string, path: FieldPath): FieldError[] {
  const faults = validateQualifiedName(name, path);
  if (!name.includes('/')) faults.push(invalid(path, name, 'a fully qualified name must be a domain and a name separated by a slash'));
  return faults;
}

function validateIdentifier(name: string, path: FieldPath): FieldError[] {
  const faults = name.length > longestIdentifier ? [tooLong(path, longestIdentifier)] : [];
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    const detail =
      "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '[A-Za-z_][A-Za-z0-9_]*')";
    faults.push(invalid(path, name, detail));
  }
  return faults;
}

/** Errors in an identifier of a share of a device. */
export function validateUid(uid: string, path: FieldPath): FieldError[] {
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(uid)) return [];
  const problem = uidProblem(uid);
  if (problem !== undefined) return [invalid(path, uid, `error validating uid: ${problem}`)];
  const form = '`xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx`';
  return [invalid(path, uid, `uid must be in RFC 4122 normalized form, ${form} with lowercase hexadecimal characters`)];
}

/** What Go's library says of a text that is no UUID in any of the forms that it reads. */
function uidProblem(uid: string): string | undefined {
  const bare = /^[0-9a-f]{32}$/i;
  const dashed = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
  switch (Buffer.byteLength(uid)) {
    case 32:
      return bare.test(uid) ? undefined : 'invalid UUID format';
    case 36:
      return dashed.test(uid) ? undefined : 'invalid UUID format';
    case 38:
      return uid.startsWith('{') && uid.endsWith('}') && dashed.test(uid.slice(1, -1)) ? undefined : 'invalid bracketed UUID format';
    case 45:
      if (!/^urn:uuid:/i.test(uid)) return `invalid urn prefix: ${JSON.stringify(uid.slice(0, 9))}`;
      return dashed.test(uid.slice(9)) ? undefined : 'invalid UUID format';
    default:
      return `invalid UUID length: ${Buffer.byteLength(uid)}`;
  }
}
