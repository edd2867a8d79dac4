import {
  isNotFound,
  type AccessReviewer,
  type ObjectCache,
  type ObjectInCache,
  type OwnerReference,
  type ResourceClient,
  type ServedResource,
  type Task,
  type UserInfo,
} from '../../../sdk/index.js';
import * as bounds from './bounds.js';
import type {NamedObject} from './object-query.js';
import {mayDo} from './own-right.js';

/** An object of a graph. */
export interface GraphObject {
  readonly uid: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Empty where no type of the server has the kind. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly isDeleting: boolean;
  /** `named` is known from a reference only: the user may not get it, or it is not there. */
  readonly state: 'present' | 'named' | 'absent';
}

/** That one object owns another. */
export interface Ownership {
  /** Uids. */
  readonly owner: string;
  readonly dependent: string;
  readonly isController: boolean;
  readonly blocksDeletion: boolean;
}

export interface OwnerGraph {
  /** Uid of the object that was asked about. */
  readonly start: string;
  readonly objects: readonly GraphObject[];
  readonly ownerships: readonly Ownership[];
  /** Types, as in `pods.v1.` with version and group, that were not looked through because the user may not list them there. */
  readonly unlisted: readonly string[];
  /** Why there may be more than is here; empty if this is all. */
  readonly incomplete: string;
}

export interface GraphParts {
  readonly resources: Pick<ResourceClient, 'resources'>;
  readonly cache: Pick<ObjectCache, 'caughtUp' | 'find' | 'list'>;
  readonly access: AccessReviewer;
  readonly user: UserInfo;
  readonly task: Task;
  readonly signal: AbortSignal;
}

interface Found {
  readonly type: ServedResource;
  readonly object: ObjectInCache;
}

/** An object, and the reference by which it belongs to an owner. To read its metadata takes time, and it may have many owners. */
interface Dependent extends Found {
  readonly uid: string;
  readonly reference: OwnerReference;
}

/**
 * The owners of an object, theirs, and so on; its dependents, theirs, and so on. Of owners and dependents only those are shown that the user may get or list. The right to get the
 * object itself has been looked at.
 */
export class GraphSearch {
  readonly #parts: GraphParts;
  readonly #objects = new Map<string, GraphObject>();
  /** By the uids of both. */
  readonly #ownerships = new Map<string, Ownership>();
  readonly #unlisted: string[] = [];
  readonly #until = performance.now() + bounds.graphMillis;
  readonly #types: readonly ServedResource[];
  #incomplete = '';

  constructor(parts: GraphParts) {
    this.#parts = parts;
    this.#types = oneVersionEach(parts.resources.resources());
  }

  /** @returns undefined if there is no such object @throws StatusError 404 if its type stores nothing, 503 if the store cannot be asked */
  async search({type, namespace, name}: NamedObject): Promise<OwnerGraph | undefined> {
    await this.#parts.cache.caughtUp(type);
    const object = this.#parts.cache.find(type, namespace, name);
    if (!object) return undefined;
    const start = {type, object};
    this.#add(start);
    await this.#findOwners(start);
    await this.#findDependents(start);
    const {uid = ''} = object.metadata();
    return {
      start: uid,
      objects: [...this.#objects.values()],
      ownerships: [...this.#ownerships.values()],
      unlisted: this.#unlisted,
      incomplete: this.#incomplete,
    };
  }

  async #findOwners(start: Found): Promise<void> {
    const waiting = [start];
    for (let next = waiting.pop(); next && this.#goesOn(); next = waiting.pop()) {
      const {uid: dependent = '', ownerReferences = [], namespace = ''} = next.object.metadata();
      for (const reference of ownerReferences) {
        if (!this.#own(reference, dependent)) return;
        if (this.#objects.has(reference.uid)) continue;
        const owner = await this.#ownerOf(reference, namespace);
        if (!this.#goesOn()) return;
        if ('object' in owner) {
          this.#add(owner);
          waiting.push(owner);
        } else this.#objects.set(owner.uid, owner);
      }
    }
  }

  async #ownerOf({apiVersion, kind, name, uid}: OwnerReference, within: string): Promise<Found | GraphObject> {
    const slash = apiVersion.indexOf('/');
    const [group, version] = [apiVersion.slice(0, Math.max(0, slash)), apiVersion.slice(slash + 1)];
    const type = this.#types.find((each) => each.group === group && each.kind === kind);
    const namespace = type?.namespaced === true ? within : '';
    const named = {uid, group, version, kind, resource: type?.resource ?? '', namespace, name, isDeleting: false};
    const {cache, access, user} = this.#parts;
    if (!type || !(await mayDo(access, user, 'get', {type, namespace, name})) || !(await this.#isStored(type)))
      return {...named, state: 'named'};
    const object = cache.find(type, namespace, name);
    return object?.metadata().uid === uid ? {type, object} : {...named, state: 'absent'};
  }

  /** Dependents are in the namespace of their owner; those of an object without one may be anywhere. */
  async #findDependents(start: Found): Promise<void> {
    const {namespace} = start.object;
    const byOwner = new Map<string, Dependent[]>();
    let looks = 0;
    for (const type of this.#types) {
      if (!this.#goesOn()) return;
      if (!isSearched(type) || (namespace !== '' && !type.namespaced)) continue;
      const {cache, access, user, task} = this.#parts;
      if (!(await mayDo(access, user, 'list', {type, namespace}))) {
        this.#unlisted.push(`${type.resource}.${type.version}.${type.group}`);
        continue;
      }
      if (!(await this.#isStored(type))) continue;
      task.begin();
      for (const object of cache.list(type, namespace)) {
        looks += object.mayBeOwnedOrDeleted ? 1 + noteOwners({type, object}, byOwner) : 1;
        if (looks > bounds.graphLooks)
          return this.#stop(`more than ${bounds.graphLooks} objects and references would have to be looked at`);
        const due = task.yieldIfDue();
        if (!due) continue;
        await due;
        if (!this.#goesOn()) return;
      }
    }
    this.#follow(start, byOwner);
  }

  #follow(start: Found, byOwner: ReadonlyMap<string, readonly Dependent[]>): void {
    const {uid: first = ''} = start.object.metadata();
    const waiting = [first];
    const seen = new Set<string>();
    for (let owner = waiting.shift(); owner !== undefined; owner = waiting.shift()) {
      if (seen.has(owner)) continue;
      seen.add(owner);
      for (const dependent of byOwner.get(owner) ?? []) {
        const {uid} = dependent;
        if (!this.#objects.has(uid) && !this.#add(dependent)) return;
        if (!this.#own(dependent.reference, uid)) return;
        if (!seen.has(uid)) waiting.push(uid);
      }
    }
  }

  /** Owners upwards of the start were noted already where its dependents name them too. @returns whether there was room for it */
  #own({uid: owner, controller, blockOwnerDeletion}: OwnerReference, dependent: string): boolean {
    const key = `${owner} ${dependent}`;
    if (this.#ownerships.has(key)) return true;
    if (this.#ownerships.size >= bounds.graphOwnerships) {
      this.#stop(`there are more than ${bounds.graphOwnerships} ownerships`);
      return false;
    }
    this.#ownerships.set(key, {owner, dependent, isController: controller === true, blocksDeletion: blockOwnerDeletion === true});
    return true;
  }

  /** Types that are operations store nothing. */
  async #isStored(type: ServedResource): Promise<boolean> {
    try {
      await this.#parts.cache.caughtUp(type);
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }

  /** @returns whether there was room for it */
  #add({type: {group, version, kind, resource}, object}: Found): boolean {
    if (this.#objects.size >= bounds.graphObjects) {
      this.#stop(`there are more than ${bounds.graphObjects} objects`);
      return false;
    }
    const {uid = '', deletionTimestamp} = object.metadata();
    const {namespace, name} = object;
    const isDeleting = deletionTimestamp !== undefined;
    this.#objects.set(uid, {uid, group, version, kind, resource, namespace, name, isDeleting, state: 'present'});
    return true;
  }

  #goesOn(): boolean {
    if (this.#parts.signal.aborted) this.#stop('the client has gone');
    else if (performance.now() > this.#until) this.#stop(`it would have taken longer than ${bounds.graphMillis / 1000} s`);
    else if (this.#objects.size >= bounds.graphObjects) this.#stop(`there are more than ${bounds.graphObjects} objects`);
    return this.#incomplete === '';
  }

  #stop(why: string): void {
    this.#incomplete ||= why;
  }
}

/** Events have no owners, and are many. */
function isSearched({group, resource, verbs}: ServedResource): boolean {
  return verbs.includes('list') && !(resource === 'events' && (group === '' || group.startsWith('events.')));
}

/** @returns how many references it has */
function noteOwners(found: Found, byOwner: Map<string, Dependent[]>): number {
  const {uid = '', ownerReferences = []} = found.object.metadata();
  for (const reference of ownerReferences) {
    const dependent = {...found, uid, reference};
    const known = byOwner.get(reference.uid);
    if (known) known.push(dependent);
    else byOwner.set(reference.uid, [dependent]);
  }
  return ownerReferences.length;
}

/** The preferred version of each type: `resources()` has those first. */
function oneVersionEach(types: readonly ServedResource[]): ServedResource[] {
  const known = new Set<string>();
  return types.filter(({group, resource}) => {
    const key = `${resource}.${group}`;
    if (known.has(key)) return false;
    known.add(key);
    return true;
  });
}
