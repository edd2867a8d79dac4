import type {ObjectMeta, OwnerReference, ServedResource} from '../../../sdk/index.js';
import {GraphNode, linkId, newRole, noLinks, OwnerLink, type DeletionState} from './graph-node.js';

/** What has to be done because of a change. */
export interface GraphListener {
  /** The object has to be looked at. */
  check(node: GraphNode): void;
  /** All dependents of the object have to be looked at. */
  checkDependents(node: GraphNode): void;
  /** A dependent names an owner that is in another namespace. */
  invalidNamespace(dependent: GraphNode, link: OwnerLink): void;
  /** Whether an object, not seen so far, is in the cache. Answers what is known of it. */
  find(link: OwnerLink): {readonly type: ServedResource; readonly key: string; readonly state: DeletionState} | undefined;
}

/** An object as a change tells it. */
export interface SeenObject {
  readonly type: ServedResource;
  readonly key: string;
  readonly namespace: string;
  readonly metadata: Readonly<ObjectMeta>;
}

/** Who owns whom: objects with owners, and the owners that they name. Other objects are not in it. */
export class ObjectGraph {
  readonly #nodes = new Map<string, GraphNode>();
  #unseen = 0;
  readonly #listener: GraphListener;

  constructor(listener: GraphListener) {
    this.#listener = listener;
  }

  get size(): number {
    return this.#nodes.size;
  }

  /** How many owners are named that nobody has seen: while there are any, each new object may be one of them. */
  get unseen(): number {
    return this.#unseen;
  }

  get(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid);
  }

  nodes(): Iterable<GraphNode> {
    return this.#nodes.values();
  }

  /** An object that is there. */
  see({type, key, namespace, metadata}: SeenObject): void {
    const {uid, ownerReferences = []} = metadata;
    if (uid === undefined) return;
    const state = deletionState(metadata);
    let node = this.#nodes.get(uid);
    if (!node) {
      if (ownerReferences.length === 0 && (state === 'live' || state === 'deleting')) return;
      node = this.#add(uid);
    }
    this.place(node, type, key);
    this.#setOwners(node, namespace, ownerReferences);
    this.#setState(node, state);
    this.#dropUnneeded(node);
  }

  /** Where an object is. Dependents that describe it otherwise have to be looked at. */
  place(node: GraphNode, type: ServedResource, key: string): void {
    const isNew = node.type === undefined;
    if (isNew) this.#unseen -= 1;
    node.type = type;
    node.key = key;
    if (!isNew || !node.role) return;
    const wrong = new Set<OwnerLink>();
    for (const link of node.role.links) {
      link.absent = false;
      if (!node.isAsNamedBy(link)) wrong.add(link);
    }
    if (wrong.size === 0) return;
    for (const dependent of node.role.dependents) {
      for (const link of dependent.owners) if (wrong.has(link)) this.#suspect(dependent, link);
    }
  }

  /** An object is gone: nobody can name it any more and mean an object. */
  remove(uid: string, {namespaced}: ServedResource): void {
    const node = this.#nodes.get(uid);
    if (!node) return;
    this.#setOwners(node, '', []);
    this.#forgetPlace(node);
    if (!node.role) return this.#dropUnneeded(node);
    // Objects in no namespace cannot have it as owner, so its end means nothing to them.
    for (const link of node.role.links) if (!namespaced || link.namespace !== '') link.absent = true;
    this.#listener.checkDependents(node);
  }

  /** An object cannot be seen any more, because its type is not served or the history was lost: it may still exist. */
  lose(node: GraphNode): void {
    this.#setOwners(node, '', []);
    this.#forgetPlace(node);
    if (node.role) this.#listener.check(node);
    this.#dropUnneeded(node);
  }

  /** An owner's state may be learnt from the cache, before the owner itself is told of: what has to be done about it begins with whichever is first. */
  #setState(node: GraphNode, state: DeletionState): void {
    if (node.state === state) return;
    node.state = state;
    if (state === 'dependentsFirst' || state === 'orphaning') this.#listener.check(node);
  }

  #forgetPlace(node: GraphNode): void {
    if (node.type !== undefined) this.#unseen += 1;
    node.type = undefined;
    node.state = 'live';
  }

  #add(uid: string): GraphNode {
    const node = new GraphNode(uid);
    this.#nodes.set(uid, node);
    this.#unseen += 1;
    return node;
  }

  #dropUnneeded(node: GraphNode): void {
    if (node.role || node.owners.length > 0 || node.state === 'dependentsFirst' || node.state === 'orphaning') return;
    if (this.#nodes.delete(node.uid) && node.type === undefined) this.#unseen -= 1;
  }

  #setOwners(node: GraphNode, namespace: string, references: readonly OwnerReference[]): void {
    const before = node.owners;
    if (references.length === 0 && before.length === 0) return;
    if (references.length === before.length && references.every((reference, index) => isSame(before[index]!, reference, namespace))) return;
    const links = new Set(references.filter(({uid}) => uid).map((reference) => this.#link(reference, namespace)));
    const added = [...links].filter((link) => !before.includes(link));
    const [only] = links;
    node.owners = links.size === 0 ? noLinks : links.size === 1 ? only!.alone : [...links];
    // First the new ones: an owner with no dependents is forgotten.
    for (const link of added) this.#attach(node, link);
    for (const link of before) if (!links.has(link)) this.#detach(node, link);
  }

  #link({uid, apiVersion, kind, name, blockOwnerDeletion}: OwnerReference, namespace: string): OwnerLink {
    const owner = this.#nodes.get(uid) ?? this.#add(uid);
    const {links} = (owner.role ??= newRole());
    const blocks = blockOwnerDeletion === true;
    const known = links.get(linkId({apiVersion, kind, name}, namespace, blocks));
    if (known) return known;
    const link = new OwnerLink(owner, {apiVersion, kind, name}, namespace, blocks);
    links.add(link);
    if (owner.type === undefined) {
      const found = this.#listener.find(link);
      if (!found) {
        this.#listener.check(owner);
        return link;
      }
      this.place(owner, found.type, found.key);
      this.#setState(owner, found.state);
    }
    return link;
  }

  #attach(node: GraphNode, link: OwnerLink): void {
    const {owner} = link;
    const role = owner.role!;
    link.users += 1;
    role.dependents.add(node);
    if (link.blocks) role.blocking += 1;
    if (owner.type !== undefined && !owner.isAsNamedBy(link)) this.#suspect(node, link);
    else if (link.absent || owner.state === 'dependentsFirst') this.#listener.check(node);
  }

  #detach(node: GraphNode, link: OwnerLink): void {
    const {owner} = link;
    const role = owner.role!;
    link.users -= 1;
    if (link.users === 0) role.links.delete(link);
    if (link.blocks) role.blocking -= 1;
    if (!node.owners.some((other) => other.owner === owner)) role.dependents.delete(node);
    if (role.blocking === 0 && owner.state === 'dependentsFirst') this.#listener.check(owner);
    if (role.links.size > 0) return;
    owner.role = undefined;
    this.#dropUnneeded(owner);
  }

  /** A dependent describes an owner as it is not: whether what it describes exists has to be looked up. */
  #suspect(dependent: GraphNode, link: OwnerLink): void {
    const {type, namespace} = link.owner;
    if (type!.namespaced && namespace !== link.namespace) this.#listener.invalidNamespace(dependent, link);
    this.#listener.check(dependent);
  }
}

function isSame({owner, reference, blocks, namespace: linked}: OwnerLink, other: OwnerReference, namespace: string): boolean {
  return (
    owner.uid === other.uid &&
    blocks === (other.blockOwnerDeletion === true) &&
    reference.name === other.name &&
    reference.kind === other.kind &&
    reference.apiVersion === other.apiVersion &&
    linked === namespace
  );
}

export function deletionState({deletionTimestamp, finalizers = []}: Readonly<ObjectMeta>): DeletionState {
  if (!deletionTimestamp) return 'live';
  if (finalizers.includes(orphanFinalizer)) return 'orphaning';
  return finalizers.includes(foregroundFinalizer) ? 'dependentsFirst' : 'deleting';
}

export const foregroundFinalizer = 'foregroundDeletion';
export const orphanFinalizer = 'orphan';
