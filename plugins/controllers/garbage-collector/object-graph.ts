import type {ObjectMeta, OwnerReference, ServedResource} from '../../../sdk/index.js';
import {deletionState, nameOf, namespaceOf, type DeletionState, type GraphNode, type LinkReference, type OwnerLink} from './graph-node.js';
import {NodeTable, type OwnerKind} from './node-table.js';
import {ReferenceTable} from './reference-table.js';

/** What has to be done because of a change. */
export interface GraphListener {
  /** The object has to be looked at. */
  check(uid: string): void;
  /** All dependents of the object have to be looked at. */
  checkDependents(uid: string): void;
  /** A dependent names an owner that is in another namespace. */
  invalidNamespace(dependent: GraphNode, link: OwnerLink): void;
  /** Whether an object, not seen so far, is in the cache. Answers what is known of it. */
  find(link: OwnerLink): {readonly type: ServedResource; readonly key: string; readonly state: DeletionState} | undefined;
}

/** An object as a change tells it. */
export interface SeenObject {
  readonly type: ServedResource;
  /** `NAMESPACE/NAME`, or `NAME` in no namespace. */
  readonly key: string;
  readonly metadata: Readonly<ObjectMeta>;
}

/** Kinds of which one is kept for all references; more than that come only from somebody who makes them up. */
const mostSharedKinds = 10_000;

/** Who owns whom: objects with owners, and the owners that they name. Other objects are not in it. What it answers is as things are now. */
export class ObjectGraph {
  readonly #nodes = new NodeTable();
  readonly #references = new ReferenceTable();
  readonly #kinds = new Map<string, OwnerKind>();
  readonly #listener: GraphListener;

  constructor(listener: GraphListener) {
    this.#listener = listener;
  }

  get size(): number {
    return this.#nodes.size;
  }

  /** How many owners are named that are still to be looked for: while there are any, each new object may be one of them. */
  get unseen(): number {
    return this.#nodes.unknown;
  }

  get(uid: string): GraphNode | undefined {
    const node = this.#nodes.uids.find(uid);
    return node === 0 ? undefined : this.#describe(node);
  }

  /** How an object names its owners. */
  owners(uid: string): OwnerLink[] {
    const links: OwnerLink[] = [];
    for (const reference of this.#ownersOf(this.#nodes.uids.find(uid))) links.push(this.#linkOf(reference));
    return links;
  }

  /** How the dependents of an owner that nobody has seen name it, as long as one of them names it so. */
  usualLink(uid: string): OwnerLink | undefined {
    for (const reference of this.#dependentsOf(this.#nodes.uids.find(uid))) {
      if (!this.#references.isOdd(reference)) return this.#linkOf(reference);
    }
    return undefined;
  }

  /** Uids of the dependents that an object has now. They may have changed when they are taken. */
  *dependents(uid: string, which: 'all' | 'odd' = 'all'): Generator<string> {
    const numbers: number[] = [];
    for (const reference of this.#dependentsOf(this.#nodes.uids.find(uid))) {
      if (which === 'all' || this.#references.isOdd(reference)) numbers.push(this.#references.dependent[reference]!);
    }
    // A number that was given to another object meanwhile answers that one: looking at it once more does no harm.
    for (const node of numbers) if (this.#nodes.types[node] !== undefined) yield this.#nodes.uids.uidOf(node);
  }

  hasDependents(uid: string): boolean {
    return this.#nodes.firstDependent[this.#nodes.uids.find(uid)] !== 0;
  }

  /** Whether a dependent blocks its deletion. */
  isBlocked(uid: string): boolean {
    return this.#nodes.blocking[this.#nodes.uids.find(uid)]! > 0;
  }

  /** Whether an object that dependents name is known not to exist. */
  isAbsent(uid: string): boolean {
    return this.#nodes.isAbsent(this.#nodes.uids.find(uid));
  }

  /** Whether a dependent of an object waits for dependents of its own. */
  hasWaitingDependent(uid: string): boolean {
    for (const reference of this.#dependentsOf(this.#nodes.uids.find(uid))) {
      if (this.#nodes.state(this.#references.dependent[reference]!) === 'dependentsFirst') return true;
    }
    return false;
  }

  /** An object that is there. */
  see({type, key, metadata}: SeenObject): void {
    const {uid, ownerReferences = []} = metadata;
    if (uid === undefined) return;
    const state = deletionState(metadata);
    let node = this.#nodes.uids.find(uid);
    if (node === 0) {
      if (ownerReferences.length === 0 && (state === 'live' || state === 'deleting')) return;
      node = this.#nodes.add(uid);
    }
    this.#nodes.setDoubtful(node, false);
    this.#place(node, type, key);
    this.#setOwners(node, ownerReferences);
    this.#setState(node, state);
    this.#dropUnneeded(node);
  }

  /** An object was found somewhere. Dependents that describe it otherwise have to be looked at. */
  place(uid: string, type: ServedResource, key: string): void {
    const node = this.#nodes.uids.find(uid);
    if (node !== 0) this.#place(node, type, key);
  }

  /** An object is gone: nobody can name it any more and mean an object. */
  remove(uid: string, type: ServedResource, key: string): void {
    const node = this.#nodes.uids.find(uid);
    if (node === 0) return;
    // Which dependents could mean it depends on where it was.
    this.#place(node, type, key);
    this.#setOwners(node, []);
    this.#nodes.setState(node, 'live');
    this.#nodes.markAbsent(node);
    if (this.#nodes.firstDependent[node] === 0) this.#dropUnneeded(node);
    else this.#listener.checkDependents(uid);
  }

  /** An owner that was looked for does not exist, as dependents usually name it. */
  markAbsent(uid: string): void {
    const node = this.#nodes.uids.find(uid);
    if (node !== 0 && !this.#nodes.isSeen(node)) this.#nodes.markAbsent(node);
  }

  /** An owner as one dependent names it does not exist. */
  markLinkAbsent(dependent: string, link: OwnerLink): void {
    const {place, owner, reference} = link;
    const {uids} = this.#nodes;
    // The dependent may name others by now, and the place may be free, or another's.
    if (this.#references.kinds[place] === undefined) return;
    if (this.#references.dependent[place] !== uids.find(dependent) || this.#references.owner[place] !== uids.find(owner)) return;
    if (!this.#isNamed(place, reference)) return;
    if (this.#references.isOdd(place)) this.#references.markAbsent(place);
    else this.markAbsent(owner);
  }

  /** Whether an owner exists was looked up and cannot be known now: it is not waited for. */
  markLookedUp(uid: string): void {
    const node = this.#nodes.uids.find(uid);
    if (node !== 0) this.#nodes.markKnown(node);
  }

  /** Objects of a type may be gone: those that are not seen until `loseDoubtful` are. */
  doubt(type: ServedResource): void {
    for (const node of this.#ofType(type)) this.#nodes.setDoubtful(node, true);
  }

  loseDoubtful(type: ServedResource): void {
    for (const node of this.#ofType(type)) if (this.#nodes.isDoubtful(node)) this.#lose(node);
  }

  /** No object of a type can be seen any more. */
  loseAll(type: ServedResource): void {
    for (const node of this.#ofType(type)) this.#lose(node);
  }

  /** An object cannot be seen any more, because its type is not served or the history was lost: it may still exist. */
  #lose(node: number): void {
    this.#setOwners(node, []);
    this.#nodes.markUnknown(node);
    if (this.#nodes.firstDependent[node] !== 0) this.#listener.check(this.#nodes.uids.uidOf(node));
    this.#dropUnneeded(node);
  }

  *#ofType({group, resource}: ServedResource): Generator<number> {
    for (const node of this.#nodes.numbers()) {
      const type = this.#nodes.types[node]!;
      if (this.#nodes.isSeen(node) && 'resource' in type && type.group === group && type.resource === resource) yield node;
    }
  }

  *#ownersOf(node: number): Generator<number> {
    for (let next = this.#nodes.firstOwner[node]!; next !== 0; next = this.#references.nextOwner[next]!) yield next;
  }

  *#dependentsOf(node: number): Generator<number> {
    for (let next = this.#nodes.firstDependent[node]!; next !== 0; next = this.#references.nextDependent[next]!) yield next;
  }

  #place(node: number, type: ServedResource, key: string): void {
    const nodes = this.#nodes;
    const references = this.#references;
    const wasSeen = nodes.isSeen(node);
    const nameBefore = nameOf(nodes.keys[node] ?? '');
    nodes.types[node] = type;
    nodes.keys[node] = key;
    nodes.markSeen(node);
    if (wasSeen) return;
    for (let next = nodes.firstDependent[node]!; next !== 0; next = references.nextDependent[next]!) {
      const name = references.isOdd(next) ? references.oddName(next) : nameBefore;
      const isOdd = !this.#isNamedAsIs(next, name);
      references.setOdd(next, isOdd ? name : undefined);
      references.clearAbsent(next);
      if (isOdd) this.#suspect(next);
    }
  }

  /** An owner's state may be learnt from the cache, before the owner itself is told of: what has to be done about it begins with whichever is first. */
  #setState(node: number, state: DeletionState): void {
    if (this.#nodes.state(node) === state) return;
    this.#nodes.setState(node, state);
    if (state === 'dependentsFirst' || state === 'orphaning') this.#listener.check(this.#nodes.uids.uidOf(node));
  }

  #dropUnneeded(node: number): void {
    const {firstOwner, firstDependent} = this.#nodes;
    if (firstOwner[node] !== 0 || firstDependent[node] !== 0) return;
    const state = this.#nodes.state(node);
    if (state !== 'dependentsFirst' && state !== 'orphaning') this.#nodes.delete(node);
  }

  #setOwners(node: number, owners: readonly OwnerReference[]): void {
    const first = this.#nodes.firstOwner[node]!;
    if ((owners.length === 0 && first === 0) || this.#hasOwners(first, owners)) return;
    // First the new ones: an owner with no dependents is forgotten.
    this.#nodes.firstOwner[node] = 0;
    for (let index = owners.length - 1; index >= 0; index--) if (owners[index]!.uid) this.#attach(node, owners[index]!);
    for (let old = first; old !== 0;) {
      const next = this.#references.nextOwner[old]!;
      this.#detach(old);
      old = next;
    }
  }

  #hasOwners(first: number, owners: readonly OwnerReference[]): boolean {
    let reference = first;
    for (const owner of owners) {
      if (reference === 0 || !this.#isSame(reference, owner)) return false;
      reference = this.#references.nextOwner[reference]!;
    }
    return reference === 0;
  }

  #isSame(reference: number, owner: OwnerReference): boolean {
    return (
      this.#references.owner[reference] === this.#nodes.uids.find(owner.uid) &&
      this.#references.isBlocking(reference) === (owner.blockOwnerDeletion === true) &&
      this.#isNamed(reference, owner)
    );
  }

  #isNamed(reference: number, {apiVersion, kind, name}: LinkReference): boolean {
    const named = this.#references.kinds[reference]!;
    return named.kind === kind && named.apiVersion === apiVersion && this.#nameIn(reference) === name;
  }

  #attach(node: number, {uid, apiVersion, kind: kindName, name, blockOwnerDeletion}: OwnerReference): void {
    const nodes = this.#nodes;
    const references = this.#references;
    const kind = this.#kind(apiVersion, kindName);
    let owner = nodes.uids.find(uid);
    const isNew = owner === 0;
    if (isNew) {
      owner = nodes.add(uid);
      const namespace = namespaceOf(nodes.keys[node]!);
      nodes.types[owner] = kind;
      nodes.keys[owner] = namespace === '' ? name : `${namespace}/${name}`;
    }
    const reference = references.add(owner, node, kind, blockOwnerDeletion === true);
    references.nextOwner[reference] = nodes.firstOwner[node]!;
    nodes.firstOwner[node] = reference;
    const next = nodes.firstDependent[owner]!;
    references.nextDependent[reference] = next;
    references.previousDependent[reference] = 0;
    references.previousDependent[next] = reference;
    nodes.firstDependent[owner] = reference;
    if (blockOwnerDeletion === true) nodes.blocking[owner]! += 1;
    if (!this.#isNamedAsIs(reference, name)) references.setOdd(reference, name);
    if (!nodes.isSeen(owner) && !nodes.isAbsent(owner)) this.#find(reference, isNew);
    if (references.isOdd(reference)) this.#suspect(reference);
    else if (nodes.isAbsent(owner) || nodes.state(owner) === 'dependentsFirst') this.#listener.check(nodes.uids.uidOf(node));
  }

  /** Looks for an owner that nobody has seen, at once in the cache, else later. */
  #find(reference: number, isFirst: boolean): void {
    const owner = this.#references.owner[reference]!;
    // It is being looked for, as this reference names it.
    if (!isFirst && !this.#nodes.isKnown(owner) && !this.#references.isOdd(reference)) return;
    const found = this.#listener.find(this.#linkOf(reference));
    if (!found) return this.#listener.check(this.#nodes.uids.uidOf(owner));
    this.#place(owner, found.type, found.key);
    this.#setState(owner, found.state);
  }

  #detach(reference: number): void {
    const nodes = this.#nodes;
    const references = this.#references;
    const owner = references.owner[reference]!;
    const next = references.nextDependent[reference]!;
    const previous = references.previousDependent[reference]!;
    if (previous === 0) nodes.firstDependent[owner] = next;
    else references.nextDependent[previous] = next;
    if (next !== 0) references.previousDependent[next] = previous;
    if (references.isBlocking(reference)) nodes.blocking[owner]! -= 1;
    const isOwn = references.dependent[reference] === owner;
    references.delete(reference);
    if (nodes.blocking[owner] === 0 && nodes.state(owner) === 'dependentsFirst') this.#listener.check(nodes.uids.uidOf(owner));
    // Of its own references it gets rid while it is seen, or removed.
    if (!isOwn) this.#dropUnneeded(owner);
  }

  /** A dependent describes an owner otherwise than it is, or than others do: whether what it describes exists has to be looked up. */
  #suspect(reference: number): void {
    const nodes = this.#nodes;
    const owner = this.#references.owner[reference]!;
    const dependent = this.#references.dependent[reference]!;
    const type = nodes.types[owner]!;
    if (nodes.isSeen(owner) && 'namespaced' in type && type.namespaced) {
      const link = this.#linkOf(reference);
      if (link.namespace !== namespaceOf(nodes.keys[owner]!)) this.#listener.invalidNamespace(this.#describe(dependent), link);
    }
    this.#listener.check(nodes.uids.uidOf(dependent));
  }

  /** Whether a reference names its owner as it is or, if nobody has seen that, as the first reference did. */
  #isNamedAsIs(reference: number, name: string): boolean {
    const owner = this.#references.owner[reference]!;
    const kind = this.#references.kinds[reference]!;
    const type = this.#nodes.types[owner]!;
    const key = this.#nodes.keys[owner]!;
    const isSameKind = 'namespaced' in type ? type.group === kind.group && type.kind === kind.kind : type === kind;
    if (!isSameKind || nameOf(key) !== name) return false;
    if ('namespaced' in type && !type.namespaced) return true;
    return namespaceOf(key) === namespaceOf(this.#nodes.keys[this.#references.dependent[reference]!]!);
  }

  #nameIn(reference: number): string {
    if (this.#references.isOdd(reference)) return this.#references.oddName(reference);
    return nameOf(this.#nodes.keys[this.#references.owner[reference]!]!);
  }

  #linkOf(reference: number): OwnerLink {
    const references = this.#references;
    const owner = references.owner[reference]!;
    const {apiVersion, kind} = references.kinds[reference]!;
    return {
      owner: this.#nodes.uids.uidOf(owner),
      reference: {apiVersion, kind, name: this.#nameIn(reference)},
      namespace: namespaceOf(this.#nodes.keys[references.dependent[reference]!]!),
      place: reference,
      isAbsent: references.isOdd(reference) ? references.isAbsent(reference) : this.#nodes.isAbsent(owner),
    };
  }

  #describe(node: number): GraphNode {
    const type = this.#nodes.types[node]!;
    const key = this.#nodes.keys[node]!;
    return {
      uid: this.#nodes.uids.uidOf(node),
      type: this.#nodes.isSeen(node) ? (type as ServedResource) : undefined,
      namespace: namespaceOf(key),
      name: nameOf(key),
      state: this.#nodes.state(node),
    };
  }

  #kind(apiVersion: string, kind: string): OwnerKind {
    const id = `${apiVersion} ${kind}`;
    const known = this.#kinds.get(id);
    if (known) return known;
    if (this.#kinds.size >= mostSharedKinds) this.#kinds.clear();
    const made = {apiVersion, group: apiVersion.slice(0, Math.max(0, apiVersion.indexOf('/'))), kind};
    this.#kinds.set(id, made);
    return made;
  }
}
