import type {ObjectMeta, OwnerReference, ServedResource} from '../../../sdk/index.js';
import {
  deletionState,
  nameOf,
  namespaceOf,
  Node,
  OwnerLink,
  type DeletionState,
  type GraphNode,
  type LinkCoordinates,
  type Presence,
} from './graph-node.js';

/** Receives the work caused by changes. */
export interface GraphListener {
  /** The object must be processed. */
  check(uid: string): void;
  /** All dependents of the object must be processed. */
  checkDependents(uid: string): void;
  /** A dependent names an owner that is in another namespace. */
  invalidNamespace(dependent: GraphNode, link: OwnerLink): void;
  /** Looks up an owner in the cache that has not been observed. */
  find(link: OwnerLink): {readonly type: ServedResource; readonly key: string; readonly state: DeletionState} | undefined;
}

/** An object as a change reports it. */
export interface SeenObject {
  readonly type: ServedResource;
  /** `NAMESPACE/NAME`, or `NAME` in no namespace. */
  readonly key: string;
  readonly metadata: Readonly<ObjectMeta>;
}

/** The graph of owner references: objects with owners, and their owners. Other objects are not in it. */
export class ObjectGraph {
  readonly #nodes = new Map<string, Node>();
  #virtual = 0;
  readonly #listener: GraphListener;

  constructor(listener: GraphListener) {
    this.#listener = listener;
  }

  get size(): number {
    return this.#nodes.size;
  }

  /** Number of referenced owners that have not been observed: while there are any, each new object may be one of them. */
  get unseen(): number {
    return this.#virtual;
  }

  get(uid: string): GraphNode | undefined {
    const node = this.#nodes.get(uid);
    return node && described(node);
  }

  /** The owner references of an object, without duplicates. */
  owners(uid: string): readonly OwnerLink[] {
    return this.#nodes.get(uid)?.owners ?? [];
  }

  /** The usual reference to an owner that has not been observed, while a dependent has it. */
  usualLink(uid: string): OwnerLink | undefined {
    return this.#nodes.get(uid)?.links.find(({diverges}) => !diverges);
  }

  /** Uids of the dependents that an object has now. They may have changed when they are taken. */
  *dependents(uid: string, which: 'all' | 'divergent' = 'all'): Generator<string> {
    const links = (this.#nodes.get(uid)?.links ?? []).filter(({diverges}) => which === 'all' || diverges);
    for (const node of links.flatMap(({dependents}) => [...dependents])) if (this.#nodes.has(node.uid)) yield node.uid;
  }

  hasDependents(uid: string): boolean {
    return (this.#nodes.get(uid)?.links.length ?? 0) > 0;
  }

  /** Whether a dependent blocks its deletion. */
  isBlocked(uid: string): boolean {
    return this.#nodes.get(uid)?.isBlocked ?? false;
  }

  /** Whether an object that dependents name is known not to exist. */
  isAbsent(uid: string): boolean {
    return this.#nodes.get(uid)?.presence === 'absent';
  }

  /** Whether a dependent of an object waits for dependents of its own. */
  hasWaitingDependent(uid: string): boolean {
    for (const {dependents} of this.#nodes.get(uid)?.links ?? [])
      for (const {state} of dependents) if (state === 'dependentsFirst') return true;
    return false;
  }

  /** An object that is there. */
  see({type, key, metadata}: SeenObject): void {
    const {uid, ownerReferences = []} = metadata;
    if (uid === undefined) return;
    const state = deletionState(metadata);
    let node = this.#nodes.get(uid);
    if (!node) {
      if (ownerReferences.length === 0 && (state === 'live' || state === 'deleting')) return;
      node = this.#add(uid);
    }
    node.isDoubtful = false;
    this.#place(node, type, key);
    this.#setOwners(node, ownerReferences);
    this.#setState(node, state);
    this.#dropUnneeded(node);
  }

  /** An object was found. Dependents with a divergent reference to it must be processed. */
  place(uid: string, type: ServedResource, key: string): void {
    const node = this.#nodes.get(uid);
    if (node) this.#place(node, type, key);
  }

  /** An object has been deleted: references to it are dangling from now on. */
  remove(uid: string, type: ServedResource, key: string): void {
    const node = this.#nodes.get(uid);
    if (!node) return;
    // Which dependents could mean it depends on where it was.
    this.#place(node, type, key);
    this.#setOwners(node, []);
    node.state = 'live';
    this.#setPresence(node, 'absent');
    if (node.links.length === 0) this.#dropUnneeded(node);
    else this.#listener.checkDependents(uid);
  }

  /** The owner that a link describes was looked up and does not exist. No effect if the link is no longer used. */
  markAbsent(link: OwnerLink): void {
    const {owner} = link;
    if (link.dependents.size === 0) return;
    if (link.diverges) link.isFoundAbsent = true;
    else if (owner.presence !== 'observed') this.#setPresence(owner, 'absent');
  }

  /** Whether an owner exists was looked up and cannot be known now: it is not waited for. */
  markLookedUp(uid: string): void {
    const node = this.#nodes.get(uid);
    if (node?.presence === 'virtual') this.#setPresence(node, 'undecided');
  }

  /** Objects of a type may have been deleted: those that are not observed until `loseDoubtful` have been. */
  doubt(type: ServedResource): void {
    for (const node of this.#ofType(type)) node.isDoubtful = true;
  }

  loseDoubtful(type: ServedResource): void {
    for (const node of this.#ofType(type)) if (node.isDoubtful) this.#lose(node);
  }

  /** No object of a type can be seen any more. */
  loseAll(type: ServedResource): void {
    for (const node of this.#ofType(type)) this.#lose(node);
  }

  /** An object cannot be seen any more, because its type is not served or the history was lost: it may still exist. */
  #lose(node: Node): void {
    this.#setOwners(node, []);
    this.#setPresence(node, 'virtual');
    node.state = 'live';
    node.isDoubtful = false;
    if (node.links.length > 0) this.#listener.check(node.uid);
    this.#dropUnneeded(node);
  }

  *#ofType({group, resource}: ServedResource): Generator<Node> {
    for (const node of this.#nodes.values()) {
      const {type, presence} = node;
      if (presence === 'observed' && type!.group === group && type!.resource === resource) yield node;
    }
  }

  #add(uid: string): Node {
    const node = new Node(uid);
    this.#nodes.set(uid, node);
    this.#virtual += 1;
    return node;
  }

  #dropUnneeded(node: Node): void {
    const {uid, owners, links, state, presence} = node;
    if (owners.length > 0 || links.length > 0 || state === 'dependentsFirst' || state === 'orphaning') return;
    if (presence === 'virtual') this.#virtual -= 1;
    this.#nodes.delete(uid);
  }

  #setPresence(node: Node, presence: Presence): void {
    if (node.presence === 'virtual') this.#virtual -= 1;
    if (presence === 'virtual') this.#virtual += 1;
    node.presence = presence;
  }

  /** Sets the state of an owner from the cache or from its event, whichever is first, and starts the resulting work. */
  #setState(node: Node, state: DeletionState): void {
    if (node.state === state) return;
    node.state = state;
    if (state === 'dependentsFirst' || state === 'orphaning') this.#listener.check(node.uid);
  }

  #place(node: Node, type: ServedResource, key: string): void {
    const wasObserved = node.presence === 'observed';
    node.type = type;
    node.key = key;
    this.#setPresence(node, 'observed');
    if (wasObserved) return;
    for (const link of node.links) {
      link.diverges = diverges(link);
      link.isFoundAbsent = false;
      if (link.diverges) for (const dependent of link.dependents) this.#suspect(link, dependent);
    }
  }

  #setOwners(node: Node, references: readonly OwnerReference[]): void {
    const before = node.owners;
    if (before.length === references.length && before.every((link, index) => link.isOf(references[index]!))) return;
    // First the new ones: an owner with no dependents is forgotten.
    const links = new Set<OwnerLink>();
    const namespace = namespaceOf(node.key);
    for (const reference of references) if (reference.uid) links.add(this.#attach(node, namespace, reference));
    const [first] = links;
    node.owners = first && links.size === 1 ? first.alone : [...links];
    for (const link of before) if (!links.has(link)) this.#detach(node, link);
  }

  #attach(node: Node, namespace: string, reference: OwnerReference): OwnerLink {
    const known = this.#nodes.get(reference.uid);
    const owner = known ?? this.#add(reference.uid);
    let link = owner.links.find((each) => each.isOf(reference) && each.namespace === namespace);
    if (!link) {
      link = new OwnerLink(owner, reference, namespace);
      owner.usual ??= link;
      owner.links = owner.links.concat(link);
      link.diverges = diverges(link);
    }
    link.dependents.add(node);
    if (owner.presence === 'virtual' || owner.presence === 'undecided') this.#find(link, !known);
    if (link.diverges) this.#suspect(link, node);
    else if (owner.presence === 'absent' || owner.state === 'dependentsFirst') this.#listener.check(node.uid);
    return link;
  }

  /** Looks up an owner that has not been observed: at once in the cache, otherwise later. */
  #find(link: OwnerLink, isFirst: boolean): void {
    const {owner} = link;
    // It is being looked for, as this link names it.
    if (!isFirst && owner.presence === 'virtual' && !link.diverges) return;
    const found = this.#listener.find(link);
    if (!found) return this.#listener.check(owner.uid);
    this.#place(owner, found.type, found.key);
    this.#setState(owner, found.state);
  }

  #detach(node: Node, link: OwnerLink): void {
    const {owner, dependents} = link;
    dependents.delete(node);
    if (dependents.size === 0) owner.links = owner.links.filter((each) => each !== link);
    if (owner.state === 'dependentsFirst' && !owner.isBlocked) this.#listener.check(owner.uid);
    // References of an object to itself are dropped when it is observed or removed.
    if (owner !== node) this.#dropUnneeded(owner);
  }

  /** A dependent has a divergent reference: whether the owner that it describes exists must be looked up. */
  #suspect(link: OwnerLink, dependent: Node): void {
    const {presence, type, key} = link.owner;
    if (presence === 'observed' && type!.namespaced && link.namespace !== namespaceOf(key))
      this.#listener.invalidNamespace(described(dependent), link);
    this.#listener.check(dependent.uid);
  }
}

/** Whether a link differs from its owner as last observed or, before that, from the reference of the first dependent. */
function diverges({owner: {type, key, usual}, apiVersion, kind, name, namespace}: OwnerLink): boolean {
  if (!type) return !usual || !isSamePlace(usual, {apiVersion, kind, name, namespace});
  const group = apiVersion.slice(0, Math.max(0, apiVersion.indexOf('/')));
  if (type.group !== group || type.kind !== kind || nameOf(key) !== name) return true;
  return type.namespaced && namespaceOf(key) !== namespace;
}

function isSamePlace(one: LinkCoordinates, other: LinkCoordinates): boolean {
  return one.apiVersion === other.apiVersion && one.kind === other.kind && one.name === other.name && one.namespace === other.namespace;
}

function described({uid, type, key, presence, state}: Node): GraphNode {
  const isObserved = presence === 'observed';
  return {uid, type: isObserved ? type : undefined, namespace: namespaceOf(key), name: nameOf(key), state};
}
