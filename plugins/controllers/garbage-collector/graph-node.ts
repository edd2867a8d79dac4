import type {ObjectMeta, OwnerReference, ServedResource} from '../../../sdk/index.js';

/**
 * What is known of an object's deletion: `live`; `deleting`, which only its own end concludes; `dependentsFirst`, it waits for the dependents
 * that block it; `orphaning`, it waits until its dependents no longer name it.
 */
export type DeletionState = 'live' | 'deleting' | 'dependentsFirst' | 'orphaning';

/**
 * How much is known of an object's existence: `virtual`, dependents name it and nobody has looked for it yet; `undecided`, it was looked for, and
 * whether it exists cannot be known now; `observed`; `absent`, it does not exist as dependents usually name it.
 */
export type Presence = 'virtual' | 'undecided' | 'observed' | 'absent';

/** How an owner is named, besides its uid. */
export type LinkReference = Pick<OwnerReference, 'apiVersion' | 'kind' | 'name'>;

const noLinks: readonly OwnerLink[] = [];

/** An object that has owners, or is named as one. */
export class Node {
  readonly uid: string;
  /** What it is, and `NAMESPACE/NAME` (`NAME` in no namespace): as last observed. */
  type: ServedResource | undefined;
  key = '';
  presence: Presence = 'virtual';
  state: DeletionState = 'live';
  /** The history was lost: it is gone unless it is observed again. */
  isDoubtful = false;
  /** How it names its owners. */
  owners = noLinks;
  /** The ways in which its dependents name it: nearly always one. */
  links = noLinks;
  /** How the first of its dependents named it. */
  usual: LinkCoordinates | undefined;

  constructor(uid: string) {
    this.uid = uid;
  }

  get isBlocked(): boolean {
    return this.links.some(({blocks}) => blocks);
  }
}

/** What identifies an owner as a dependent names it. */
export interface LinkCoordinates extends LinkReference {
  /** Of the dependent. */
  readonly namespace: string;
}

/** A way in which dependents name an owner. Shared by all dependents in one namespace that name it so. */
export class OwnerLink implements LinkCoordinates {
  readonly owner: Node;
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  /** `blockOwnerDeletion`. */
  readonly blocks: boolean;
  readonly dependents = new Set<Node>();
  /** It does not describe the owner as it is or, while nobody has observed that, as the first dependent did. */
  diverges = false;
  /** The owners of every dependent that has no other: most have one, and share the list. */
  readonly alone: readonly OwnerLink[] = [this];
  /** Of one that diverges: what it describes was looked up and does not exist. */
  isFoundAbsent = false;

  constructor(owner: Node, {apiVersion, kind, name, blockOwnerDeletion}: OwnerReference, namespace: string) {
    this.owner = owner;
    this.apiVersion = apiVersion;
    this.kind = kind;
    this.name = name;
    this.namespace = namespace;
    this.blocks = blockOwnerDeletion === true;
  }

  /** There is no such object: looked up, or its end was observed. A uid never comes back. */
  get isAbsent(): boolean {
    return this.diverges ? this.isFoundAbsent : this.owner.presence === 'absent';
  }

  /** Whether a reference of a dependent in the same namespace says the same. */
  isOf({uid, apiVersion, kind, name, blockOwnerDeletion}: OwnerReference): boolean {
    return (
      this.name === name &&
      this.owner.uid === uid &&
      this.kind === kind &&
      this.apiVersion === apiVersion &&
      this.blocks === (blockOwnerDeletion === true)
    );
  }
}

/** An object of the graph: what is known of it at this moment. */
export interface GraphNode {
  readonly uid: string;
  /** Undefined as long as nobody has observed the object: dependents name it, that is all. */
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
