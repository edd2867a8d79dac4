import {
  forbiddenField,
  invalid,
  namespaceFinalizer,
  typeInvalid,
  type FieldError,
  type FieldPath,
  type NamingProfile,
} from '../../../sdk/index.js';
import {qualifiedNameFaults} from './name-formats.js';

/** The finalizer of a deletion that orphans dependents. */
export const orphanFinalizer = 'orphan';
/** The finalizer of a deletion that waits until dependents are gone. */
export const foregroundFinalizer = 'foregroundDeletion';

const standardOf = new WeakMap<NamingProfile, ReadonlySet<string>>();

/** Finalizers that need no domain: the platform's own, for dependents, namespaces and definitions. */
export function standardFinalizers(naming: NamingProfile): ReadonlySet<string> {
  let names = standardOf.get(naming);
  if (!names) {
    const definitions = naming.group('customresourcecleanup.apiextensions.orch');
    standardOf.set(naming, (names = new Set([orphanFinalizer, foregroundFinalizer, namespaceFinalizer(naming), definitions])));
  }
  return names;
}

/**
 * Finalizers must be qualified names, and the two that decide about dependents must not occur together.
 *
 * @param standard those that need no domain; undefined if all need one
 */
export function validateFinalizers(finalizers: unknown, standard: ReadonlySet<string> | undefined, path: FieldPath): FieldError[] {
  if (finalizers === undefined || finalizers === null) return [];
  if (!Array.isArray(finalizers)) return [typeInvalid(path, finalizers, 'must be an array')];

  const faults: FieldError[] = [];
  for (const [position, finalizer] of finalizers.entries()) {
    if (typeof finalizer !== 'string') {
      faults.push(typeInvalid(path.index(position), finalizer, 'must be a string'));
      continue;
    }
    for (const fault of qualifiedNameFaults(finalizer)) faults.push(invalid(path, finalizer, fault));
    if (standard && lacksDomain(finalizer, standard))
      faults.push(invalid(path.index(position), finalizer, 'name is neither a standard finalizer name nor is it fully qualified'));
  }
  if (finalizers.includes(orphanFinalizer) && finalizers.includes(foregroundFinalizer)) {
    faults.push(invalid(path, finalizers, `finalizer ${orphanFinalizer} and ${foregroundFinalizer} cannot be both set`));
  }
  return faults;
}

function lacksDomain(finalizer: string, standard: ReadonlySet<string>): boolean {
  return !finalizer.includes('/') && !standard.has(finalizer);
}

/** A response warns about at most this many new finalizers. */
const warningLimit = 20;

/**
 * Warnings about finalizers added to a custom resource: any name is allowed, but one without a domain may conflict with somebody else's.
 */
export function finalizerWarnings(
  finalizers: readonly string[],
  old: readonly string[],
  standard: ReadonlySet<string>,
  path: FieldPath,
): string[] {
  const known = new Set(old);
  return [...new Set(finalizers)]
    .filter((finalizer) => !known.has(finalizer) && lacksDomain(finalizer, standard))
    .sort()
    .slice(0, warningLimit)
    .map(
      (finalizer) =>
        `${path.toString()}: ${JSON.stringify(finalizer)}: prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers`,
    );
}

/** Once an object is being deleted, its finalizers can only be removed or reordered. */
export function validateNoNewFinalizers(finalizers: readonly string[], old: readonly string[], path: FieldPath): FieldError[] {
  const known = new Set(old);
  const added = [...new Set(finalizers)].filter((finalizer) => !known.has(finalizer)).sort();
  if (added.length === 0) return [];
  const list = added.map((finalizer) => JSON.stringify(finalizer)).join(', ');
  const problem = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`;
  return [forbiddenField(path, problem)];
}
