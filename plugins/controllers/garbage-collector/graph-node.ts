import type {ObjectMeta, OwnerReference, ServedResource} from '../../../sdk/index.js';

/**
 * What is known of an object's deletion: `live`; `deleting`, which only its own end concludes; `dependentsFirst`, it waits for the dependents
 * that block it; `orphaning`, it waits until its dependents no longer name it.
 */
export type DeletionState = 'live' | 'deleting' | 'dependentsFirst' | 'orphaning';

export type LinkReference = Pick<OwnerReference, 'apiVersion' | 'kind' | 'name'>;

/** One way in which a dependent names an owner. */
export interface OwnerLink {
  /** Uid of the owner. */
  readonly owner: string;
  readonly reference: LinkReference;
  /** Of the dependent. */
  readonly namespace: string;
  /** Where the graph has it. Says nothing once the dependent names other owners. */
  readonly place: number;
  /** There is no such object: looked up, or its end was seen. A uid never comes back. */
  readonly isAbsent: boolean;
}

/** An object that has owners, or is named as one: what is known of it at this moment. */
export interface GraphNode {
  readonly uid: string;
  /** Undefined as long as nobody has seen the object: dependents name it, that is all. */
  readonly type: ServedResource | undefined;
  readonly namespace: string;
  readonly name: string;
  readonly state: DeletionState;
}

export function namespaceOf(key: string): string {
  return key.slice(0, Math.max(0, key.indexOf('/')));
}

export function nameOf(key: string): string {
  return key.slice(key.indexOf('/') + 1);
}

/** What two links have in common that say the same of an owner. */
export function linkKey(owner: string, {apiVersion, kind, name}: LinkReference): string {
  return JSON.stringify([owner, apiVersion, kind, name]);
}

export function deletionState({deletionTimestamp, finalizers = []}: Readonly<ObjectMeta>): DeletionState {
  if (!deletionTimestamp) return 'live';
  if (finalizers.includes(orphanFinalizer)) return 'orphaning';
  return finalizers.includes(foregroundFinalizer) ? 'dependentsFirst' : 'deleting';
}

export const foregroundFinalizer = 'foregroundDeletion';
export const orphanFinalizer = 'orphan';
