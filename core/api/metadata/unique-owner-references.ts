import type {OwnerReference} from '../../../sdk/index.js';

/** Owner references without those that say the same as one before them, and the uids of what was left out. */
export interface UniqueReferences {
  readonly references: OwnerReference[];
  readonly duplicates: readonly string[];
}

/** Makes equal owner references one. Answers undefined where all differ. */
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
