import {dns1035LabelFaults, invalid, required, type FieldError, type FieldPath} from '../../../sdk/index.js';

/** Versions of the review that the server can send. */
export const reviewVersions: readonly string[] = ['v1', 'v1beta1'];

/**
 * Errors in the review versions that a webhook accepts: they must be version names without duplicates, and at least one must be known to
 * the server.
 */
export function reviewVersionFaults(versions: readonly string[], allowUnknown: boolean, path: FieldPath): FieldError[] {
  if (versions.length === 0) return [required(path, `must specify one of ${reviewVersions.join(', ')}`)];
  const seen = new Set<string>();
  const faults = versions.flatMap((version, index) => {
    const at = path.index(index);
    if (seen.has(version)) return [invalid(at, version, 'duplicate version')];
    seen.add(version);
    return dns1035LabelFaults(version).map((detail) => invalid(at, version, detail));
  });
  if (!allowUnknown && !versions.some((version) => reviewVersions.includes(version))) {
    faults.push(invalid(path, versions, `must include at least one of ${reviewVersions.join(', ')}`));
  }
  return faults;
}
