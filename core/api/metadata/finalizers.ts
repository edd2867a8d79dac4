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

/** Finalizer of a deletion that leaves dependents behind. */
export const orphanFinalizer = 'orphan';
/** Finalizer of a deletion that waits for dependents to be gone. */
export const foregroundFinalizer = 'foregroundDeletion';

const standardOf = new WeakMap<NamingProfile, ReadonlySet<string>>();

/** Finalizers that need no domain: the platform's own, of dependents, namespaces and definitions. */
export function standardFinalizers(naming: NamingProfile): ReadonlySet<string> {
  let names = standardOf.get(naming);
  if (!names) {
    const definitions = naming.key('customresourcecleanup.apiextensions.orch');
    standardOf.set(naming, (names = new Set([orphanFinalizer, foregroundFinalizer, namespaceFinalizer(naming), definitions])));
  }
  return names;
}

/**
 * Qualified names; the two that decide about dependents not together.
 *
 * @param standard those that need no domain; undefined where none does
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

/** So many new finalizers are warned of. */
const warningLimit = 20;

/** What is to be said about finalizers that a custom resource gains: any name will do, but one without a domain may be somebody else's too. */
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

/** Once an object is being deleted its finalizers can only be removed or put in another order. */
export function validateNoNewFinalizers(finalizers: readonly string[], old: readonly string[], path: FieldPath): FieldError[] {
  const known = new Set(old);
  const added = [...new Set(finalizers)].filter((finalizer) => !known.has(finalizer)).sort();
  if (added.length === 0) return [];
  const list = added.map((finalizer) => JSON.stringify(finalizer)).join(', ');
  const problem = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`;
  return [forbiddenField(path, problem)];
}
