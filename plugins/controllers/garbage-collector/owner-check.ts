import {
  isNotFound,
  taskOf,
  type ApiObject,
  type OwnerReference,
  type ResourceClient,
  type ServedResource,
  type Task,
} from '../../../sdk/index.js';
import type {FollowedTypes} from './followed-types.js';
import {foregroundFinalizer, linkKey, type OwnerLink} from './graph-node.js';
import type {ObjectGraph} from './object-graph.js';

/** The owner references of an object, by the state of the owner. */
export interface OwnersByState {
  /** There, and to stay. */
  readonly solid: readonly OwnerReference[];
  /** The owner does not exist. */
  readonly dangling: readonly OwnerReference[];
  /** There, being deleted, and waiting for its dependents. */
  readonly waiting: readonly OwnerReference[];
}

/** Objects with more owners than this are processed one after the other: concurrently, each would take its slice of the same turn of the event loop. */
const ownersSideBySide = 200;

/** Why it cannot be known whether an owner exists. */
export type Undecided = 'unknown kind' | 'owner in a namespace';

/** Looks up owners as they are now. */
export class OwnerCheck {
  readonly #resources: ResourceClient;
  readonly #types: FollowedTypes;
  readonly #task: Task;
  /** Resolves when the objects with many owners so far have been processed. */
  #sorted: Promise<unknown> = Promise.resolve();

  constructor(resources: ResourceClient, types: FollowedTypes) {
    this.#resources = resources;
    this.#task = taskOf(resources, 'background', 'look-up of owners');
    this.#types = types;
  }

  /** Reads an object live; undefined if there is none with that uid. */
  async read(type: ServedResource, namespace: string, name: string, uid: string): Promise<ApiObject | undefined> {
    try {
      const found = await this.#resources.get(type, namespace, name);
      return found.metadata.uid === uid ? found : undefined;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      // A type that is no longer served answers the same.
      if (!this.#types.isServed(type)) throw new Error(`${type.resource} are no longer served`, {cause: error});
      return undefined;
    }
  }

  /** The owner of a link, with its type; undefined if it does not exist. */
  async ownerOf(link: OwnerLink): Promise<{readonly type: ServedResource; readonly object: ApiObject} | Undecided | undefined> {
    if (link.isAbsent) return undefined;
    const {apiVersion, kind, namespace, name, owner} = link;
    const type = this.#types.ofKind(apiVersion, kind);
    if (!type) return 'unknown kind';
    if (type.namespaced && namespace === '') return 'owner in a namespace';
    const object = await this.read(type, type.namespaced ? namespace : '', name, owner.uid);
    return object && {type, object};
  }

  /** Sorts the current owner references of an object. If the graph has others, it is stale and nothing is decided. */
  sort(graph: ObjectGraph, uid: string, references: readonly OwnerReference[]): Promise<OwnersByState | Undecided | 'behind'> {
    if (references.length <= ownersSideBySide) return this.#sort(graph, uid, references);
    const sorted = this.#sorted.then(() => this.#task.yield()).then(() => this.#sort(graph, uid, references));
    this.#sorted = sorted.catch(() => undefined);
    return sorted;
  }

  async #sort(graph: ObjectGraph, uid: string, references: readonly OwnerReference[]): Promise<OwnersByState | Undecided | 'behind'> {
    const solid: OwnerReference[] = [];
    const dangling: OwnerReference[] = [];
    const waiting: OwnerReference[] = [];
    const links = new Map(graph.owners(uid).map((link) => [linkKey(link.owner.uid, link), link]));
    for (const reference of references) {
      const link = links.get(linkKey(reference.uid, reference));
      if (!link) return 'behind';
      // Absent owners are found in memory, so nothing else would run in between.
      await this.#task.yieldIfDue();
      const found = await this.ownerOf(link);
      if (typeof found === 'string') return found;
      if (!found) {
        graph.markAbsent(link);
        dangling.push(reference);
      } else if (waitsForDependents(found.object)) waiting.push(reference);
      else solid.push(reference);
    }
    return {solid, dangling, waiting};
  }
}

function waitsForDependents({metadata}: ApiObject): boolean {
  return Boolean(metadata.deletionTimestamp) && (metadata.finalizers ?? []).includes(foregroundFinalizer);
}
