import {duplicate, FieldPath, notSupported, required, type FieldError} from '../../../sdk/index.js';

const usagesPath = FieldPath.of('spec', 'usages');

const usages = [
  'signing',
  'digital signature',
  'content commitment',
  'key encipherment',
  'key agreement',
  'data encipherment',
  'cert sign',
  'crl sign',
  'encipher only',
  'decipher only',
  'any',
  'server auth',
  'client auth',
  'code signing',
  'email protection',
  's/mime',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'timestamping',
  'ocsp signing',
  'microsoft sgc',
  'netscape sgc',
];

/** Errors in the requested usages: there must be at least one, all must be known, and none repeated. */
export function usageFaults(wanted: readonly string[]): FieldError[] {
  if (wanted.length === 0) return [required(usagesPath)];
  const seen = new Set<string>();
  return wanted.flatMap((usage, index) => {
    const path = usagesPath.index(index);
    const faults = usages.includes(usage) ? [] : [notSupported(path, usage, usages)];
    if (seen.has(usage)) faults.push(duplicate(path, usage));
    seen.add(usage);
    return faults;
  });
}
