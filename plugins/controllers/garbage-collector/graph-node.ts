import type {ObjectMeta, OwnerReference, ServedResource} from '../../../sdk/index.js';

/**
 * State of an object's deletion: `live`; `deleting`, in which nothing is left to do here; `dependentsFirst`, it waits for the dependents
 * that block it; `orphaning`, it waits until its dependents no longer reference it.
 */
export type DeletionState = 'live' | 'deleting' | 'dependentsFirst' | 'orphaning';

/**
 * Whether an object exists: `virtual`, it is referenced and has not been looked up yet; `undecided`, it was looked up, but its existence
 * cannot be determined now; `observed`; `absent`, it does not exist as its dependents usually reference it.
 */
export type Presence = 'virtual' | 'undecided' | 'observed' | 'absent';

/** A reference to an owner without its uid. */
export type LinkReference = Pick<OwnerReference, 'apiVersion' | 'kind' | 'name'>;

const noLinks: readonly OwnerLink[] = [];

/** An object that has owners, or is named as one. */
export class Node {
  readonly uid: string;
  /** Its type, and its key `NAMESPACE/NAME` (`NAME` if cluster-scoped), as last observed. */
  type: ServedResource | undefined;
  key = '';
  presence: Presence = 'virtual';
  state: DeletionState = 'live';
  /** The history was lost: it has been deleted unless it is observed again. */
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

/** Identifies an owner as a dependent references it. */
export interface LinkCoordinates extends LinkReference {
  /** Namespace of the dependent. */
  readonly namespace: string;
}

/** The objects with one reference to an owner. An empty set takes 200 bytes, and most owners that somebody makes up have one dependent. */
export class Dependents {
  #only: Node | undefined;
  #all: Set<Node> | undefined;

  get size(): number {
    return this.#all?.size ?? (this.#only ? 1 : 0);
  }

  add(node: Node): void {
    if (this.#all) this.#all.add(node);
    else if (this.#only && this.#only !== node) this.#all = new Set([this.#only, node]);
    else this.#only = node;
  }

  delete(node: Node): void {
    if (this.#all) this.#all.delete(node);
    else if (this.#only === node) this.#only = undefined;
  }

  /** Those that are there when they are taken. */
  [Symbol.iterator](): Iterator<Node> {
    return (this.#all ?? (this.#only ? [this.#only] : [])).values();
  }
}

/** A reference to an owner, shared by all dependents of one namespace with the same reference. */
export class OwnerLink implements LinkCoordinates {
  readonly owner: Node;
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  /** `blockOwnerDeletion`. */
  readonly blocks: boolean;
  readonly dependents = new Dependents();
  /** It differs from the owner as observed or, before that, from the reference of the first dependent. */
  diverges = false;
  /** Of a divergent link: the owner that it describes was looked up and does not exist. */
  isFoundAbsent = false;
  #alone: readonly OwnerLink[] | undefined;

  constructor(owner: Node, {apiVersion, kind, name, blockOwnerDeletion}: OwnerReference, namespace: string) {
    this.owner = owner;
    this.apiVersion = apiVersion;
    this.kind = kind;
    this.name = name;
    this.namespace = namespace;
    this.blocks = blockOwnerDeletion === true;
  }

  /** The list of owners of dependents with this owner only: most have one, and share the list. */
  get alone(): readonly OwnerLink[] {
    return (this.#alone ??= [this]);
  }

  /** The owner was looked up and does not exist, or its deletion was observed. A uid never comes back. */
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

/** The present state of an object in the graph. */
export interface GraphNode {
  readonly uid: string;
  /** Undefined until the object has been observed. */
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

/** Key of equal links. */
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
