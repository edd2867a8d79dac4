import type {OwnerReference} from '../../../sdk/index.js';

/** Owner references without duplicates, and the uids of those left out. */
export interface UniqueReferences {
  readonly references: OwnerReference[];
  readonly duplicates: readonly string[];
}

/** Removes duplicate owner references. Returns undefined if there are none. */
export function uniqueOwnerReferences(references: readonly OwnerReference[]): UniqueReferences | undefined {
  if (references.length < 2) return undefined;
  const seen = new Set<string>();
  const kept: OwnerReference[] = [];
  const duplicates: string[] = [];
  for (const reference of references) {
    const {apiVersion, kind, name, uid, controller, blockOwnerDeletion} = reference;
    const identity = JSON.stringify([apiVersion, kind, name, uid, controller ?? null, blockOwnerDeletion ?? null]);
    if (seen.has(identity)) duplicates.push(uid ?? '');
    else kept.push(reference);
    seen.add(identity);
  }
  return duplicates.length === 0 ? undefined : {references: kept, duplicates};
}
