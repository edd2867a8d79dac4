import {setTimeout as delay} from 'node:timers/promises';
import {
  isConflict,
  isNotFound,
  taskOf,
  type ApiObject,
  type ObjectCache,
  type OwnerReference,
  type ResourceClient,
  type ServedResource,
  type Task,
} from '../../../sdk/index.js';
import {done, type WorkQueue, type WorkResult} from '../../../sdk/controllers/index.js';
import type {FollowedTypes} from './followed-types.js';
import {deletionState, foregroundFinalizer, orphanFinalizer, type GraphNode, type OwnerLink} from './graph-node.js';
import type {InvalidNamespaceEvents} from './invalid-namespace-events.js';
import type {ObjectGraph} from './object-graph.js';
import type {OwnerCheck} from './owner-check.js';

/** Somebody else changed the object: it is looked at again at once. */
const retry: WorkResult = {again: 5};

/** How many dependents are put into the queue in one go, and how many may wait there: more are put in when these are done. */
const dependentsInOneGo = 100;
const maximumWaiting = 2000;
const pauseMillis = 10;
/** Dependents of one object that are freed concurrently: the store writes concurrent commits together. */
const parallelFreeing = 64;
/** Among how many objects of the same name an owner in another namespace is looked for. */
const namesakesLookedAt = 200;

type Seen = Readonly<ApiObject>;

export interface CollectorParts {
  readonly resources: ResourceClient;
  readonly cache: Pick<ObjectCache, 'find' | 'read'>;
  readonly graph: ObjectGraph;
  readonly types: FollowedTypes;
  readonly owners: OwnerCheck;
  readonly events: InvalidNamespaceEvents;
}

/**
 * Processes one object at a time: deletes it if all its owners are absent, and continues its deletion if it waits for its dependents. The object itself is
 * read from the cache, its owners are read live. Every write has the version and the uid of what was read as preconditions, so that a stale cache, or
 * another server doing the same, does no harm.
 */
export class Collector {
  /** Objects with owners of kinds that are not served: looked at again when types change. */
  readonly #ofUnknownKind = new Set<string>();
  #queue: WorkQueue | undefined;
  #stopped = false;
  readonly #parts: CollectorParts;
  readonly #task: Task;

  constructor(parts: CollectorParts) {
    this.#parts = parts;
    this.#task = taskOf(parts.resources, 'background', 'dependents');
  }

  /** @param queue of the uids to process */
  start(queue: WorkQueue): void {
    this.#queue = queue;
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Types have come or gone. */
  typesChanged(): void {
    const uids = [...this.#ofUnknownKind];
    this.#ofUnknownKind.clear();
    for (const uid of uids) this.#queue?.add(uid);
  }

  /** Looks at each dependent of an object. There may be many: a few at a time, as room in the queue comes free. */
  async checkDependents(ofUid: string): Promise<void> {
    let inThisGo = 0;
    const queue = this.#queue!;
    for (const uid of this.#parts.graph.dependents(ofUid)) {
      queue.add(uid);
      if (++inThisGo < dependentsInOneGo) continue;
      inThisGo = 0;
      await this.#task.yieldIfDue();
      while (queue.waiting > maximumWaiting && !this.#stopped) await delay(pauseMillis);
      if (this.#stopped) return;
    }
  }

  async look(uid: string): Promise<WorkResult> {
    const {graph, types} = this.#parts;
    await types.whenListed();
    const node = graph.get(uid);
    if (!node || this.#stopped) return done;
    const {type} = node;
    if (type === undefined) return this.#lookForUnseen(node);
    if (node.state === 'deleting') return done;
    const object = await this.#seen(node);
    // The cache reports its deletion.
    if (!object) return done;
    const state = deletionState(object.metadata);
    if (state === 'orphaning') return this.#orphan(node, object);
    if (state === 'dependentsFirst') return this.#deleteDependentsFirst(node, object);
    if (state === 'deleting') return done;
    return this.#collect(node, object);
  }

  /** Parsed once for all looks: a large one may be looked at for each of its owners. */
  async #seen({type, namespace, name, uid}: GraphNode): Promise<Seen | undefined> {
    const {cache} = this.#parts;
    const found = cache.find(type!, namespace, name);
    const object = found && (await cache.read(type!, found));
    return object?.metadata.uid === uid ? object : undefined;
  }

  /** Looks up an owner that has not been observed. */
  async #lookForUnseen({uid}: GraphNode): Promise<WorkResult> {
    const {graph, owners} = this.#parts;
    // Those that name it otherwise look for themselves.
    for (const dependent of graph.dependents(uid, 'divergent')) this.#queue?.add(dependent);
    const link = graph.usualLink(uid);
    if (!link) {
      graph.markLookedUp(uid);
      return done;
    }
    const found = await owners.ownerOf(link);
    // It has been observed since, or is no longer referenced.
    const now = graph.get(uid);
    if (!now || now.type !== undefined) return done;
    if (found === 'unknown kind') {
      this.#ofUnknownKind.add(uid);
      graph.markLookedUp(uid);
    } else if (found === undefined || found === 'owner in a namespace') {
      // First, because a dependent whose owner is known to be absent may be deleted before the event is recorded.
      await this.#lookElsewhere(link);
      if (found === undefined) {
        graph.markAbsent(link);
        void this.checkDependents(uid);
      } else graph.markLookedUp(uid);
    } else if (graph.isAbsent(uid)) {
      // Its deletion was reported after it was read, and will not be reported again.
      void this.checkDependents(uid);
    } else if (!this.#isCached(found)) {
      // The same, and the graph has forgotten it since; or the cache is being filled anew.
      return retry;
    } else {
      graph.see({type: found.type, key: keyOf(found.object), metadata: found.object.metadata});
    }
    return done;
  }

  #isCached({type, object: {metadata}}: {readonly type: ServedResource; readonly object: ApiObject}): boolean {
    const {namespace = '', name = '', uid} = metadata;
    return this.#parts.cache.find(type, namespace, name)?.metadata().uid === uid;
  }

  /** The owner may be in another namespace than its dependents, for which they get an event. Otherwise it makes no difference. */
  async #lookElsewhere({owner: {uid}, apiVersion, kind, name}: OwnerLink): Promise<void> {
    const {graph, types, events} = this.#parts;
    const type = types.ofKind(apiVersion, kind);
    if (!type?.namespaced || !events.mayLook()) return;
    const {items} = await this.#parts.resources.list(type, '', {
      fieldSelector: `metadata.name=${name}`,
      resourceVersion: '0',
      limit: namesakesLookedAt,
    });
    const found = items.find(({metadata}) => metadata.uid === uid);
    if (found) graph.place(uid, type, keyOf(found));
  }

  /** Deletes a live object if it has owners and all of them are absent. */
  async #collect(node: GraphNode, object: Seen): Promise<WorkResult> {
    const {metadata} = object;
    const references = metadata.ownerReferences ?? [];
    if (references.length === 0) return done;
    const sorted = await this.#parts.owners.sort(this.#parts.graph, node.uid, references);
    if (sorted === 'unknown kind') this.#ofUnknownKind.add(node.uid);
    if (sorted === 'behind') return retry;
    // A cluster-scoped object that names an owner in a namespace is never collected.
    if (typeof sorted === 'string') return done;
    const {solid, dangling, waiting} = sorted;
    if (solid.length > 0) {
      if (dangling.length === 0 && waiting.length === 0) return done;
      const gone = new Set([...dangling, ...waiting].map(({uid}) => uid));
      return this.#setOwners(
        node,
        object,
        references.filter(({uid}) => !gone.has(uid)),
      );
    }
    const {graph} = this.#parts;
    if (waiting.length > 0 && graph.hasDependents(node.uid)) {
      // A cycle: an object that waits for this one must not be waited for.
      if (references.some(({blockOwnerDeletion}) => blockOwnerDeletion) && graph.hasWaitingDependent(node.uid)) {
        const unblocked = references.map((reference) => ({...reference, blockOwnerDeletion: false}));
        return this.#setOwners(node, object, unblocked, {again: 0});
      }
      return this.#delete(node, object, 'Foreground');
    }
    const finalizers = metadata.finalizers ?? [];
    const policy = finalizers.includes(orphanFinalizer) ? 'Orphan' : finalizers.includes(foregroundFinalizer) ? 'Foreground' : 'Background';
    return this.#delete(node, object, policy);
  }

  /** Deletes the dependents. Those that do not block may outlast their owner. */
  async #deleteDependentsFirst(node: GraphNode, object: Seen): Promise<WorkResult> {
    // Not awaited: they need the place in the queue that this has.
    const {graph} = this.#parts;
    if (graph.hasDependents(node.uid)) void this.checkDependents(node.uid);
    if (graph.isBlocked(node.uid)) return done;
    return this.#removeFinalizer(node, object, foregroundFinalizer);
  }

  /** Removes the references of the dependents, then the finalizer of the object. */
  async #orphan(node: GraphNode, object: Seen): Promise<WorkResult> {
    const {graph} = this.#parts;
    // Shared by all that work: each takes the next.
    const dependents = graph.dependents(node.uid);
    let failure: unknown;
    let inThisGo = 0;
    const work = async () => {
      for (let next = dependents.next(); !next.done && failure === undefined && !this.#stopped; next = dependents.next()) {
        // One that is free already waits for nothing.
        if (++inThisGo % dependentsInOneGo === 0) await this.#task.yieldIfDue();
        try {
          await this.#free(next.value, node.uid);
        } catch (error) {
          failure = error;
        }
      }
    };
    await Promise.all(Array.from({length: parallelFreeing}, work));
    if (failure !== undefined) throw failure;
    if (this.#stopped) return done;
    // Other dependents may have been created, or the cache is not up to date yet.
    if (graph.hasDependents(node.uid)) return {again: pauseMillis};
    return this.#removeFinalizer(node, object, orphanFinalizer);
  }

  async #free(uid: string, ownerUid: string): Promise<void> {
    const dependent = this.#parts.graph.get(uid);
    if (!dependent?.type) return;
    const object = await this.#seen(dependent);
    const references = object?.metadata.ownerReferences ?? [];
    const rest = references.filter((reference) => reference.uid !== ownerUid);
    if (object && rest.length < references.length) await this.#setOwners(dependent, object, rest);
  }

  #setOwners(node: GraphNode, object: Seen, ownerReferences: readonly OwnerReference[], after = done): Promise<WorkResult> {
    return this.#patch(node, object, {ownerReferences: ownerReferences.length > 0 ? ownerReferences : null}, after);
  }

  #removeFinalizer(node: GraphNode, object: Seen, finalizer: string): Promise<WorkResult> {
    const finalizers = (object.metadata.finalizers ?? []).filter((name) => name !== finalizer);
    return this.#patch(node, object, {finalizers}, done);
  }

  #patch({type, namespace, name, uid}: GraphNode, {metadata}: Seen, change: object, after: WorkResult): Promise<WorkResult> {
    const {resourceVersion} = metadata;
    const patch = {metadata: {uid, resourceVersion, ...change}};
    return this.#write(() => this.#parts.resources.patch(type!, namespace, name, patch), after);
  }

  #delete(
    {type, namespace, name, uid}: GraphNode,
    {metadata}: Seen,
    propagationPolicy: 'Orphan' | 'Foreground' | 'Background',
  ): Promise<WorkResult> {
    const options = {uid, resourceVersion: metadata.resourceVersion!, propagationPolicy};
    return this.#write(() => this.#parts.resources.delete(type!, namespace, name, options), done);
  }

  async #write(write: () => Promise<unknown>, after: WorkResult): Promise<WorkResult> {
    try {
      await write();
      return after;
    } catch (error) {
      if (isNotFound(error)) return done;
      if (isConflict(error)) return retry;
      throw error;
    }
  }
}

/** As the graph has it: `NAMESPACE/NAME`, or `NAME` in no namespace. */
function keyOf({metadata: {namespace = '', name = ''}}: ApiObject): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}
