import type {Logger} from '../contracts/logger.js';
import type {NamingProfile} from '../contracts/naming.js';
import type {ResourceClient, ResourceRef} from '../contracts/resource-client.js';
import type {ApiObject} from '../objects/api-object.js';
import {followObjects, type FollowOptions} from './follow-objects.js';
import {WorkQueue, type WorkQueueOptions, type WorkResult} from './work-queue.js';

/** A type whose objects determine what must be reconciled. */
export interface FollowedType extends FollowOptions {
  readonly ref: ResourceRef;
  /** Keys to reconcile because an object exists or has changed. By default: the key of the object itself. */
  readonly changed?: (object: ApiObject) => Iterable<string>;
  /** Keys to reconcile because an object was deleted. By default: the same as for a change. */
  readonly deleted?: (object: ApiObject) => Iterable<string>;
  /** Keys to reconcile because changes may have been missed; also called after the first list. By default: none. */
  readonly listed?: () => Iterable<string>;
}

/** What a controller works with, inside the server or outside of it. */
export type ControllerParts = Pick<ReconcilerOptions, 'resources' | 'naming' | 'logger'>;

export interface ReconcilerOptions {
  readonly resources: ResourceClient;
  readonly naming: Pick<NamingProfile, 'group'>;
  readonly logger: Logger;
  /** Types to follow from the start; others can be added later. */
  readonly types: readonly FollowedType[];
  /** Number of keys that are reconciled concurrently. */
  readonly concurrency: number;
  /** The metrics and name of the queue; without them it is not counted. */
  readonly figures?: WorkQueueOptions['figures'];
  /** Brings the object of a key a step closer to its desired state. If it throws, it is retried after a growing delay. */
  reconcile(key: string): Promise<WorkResult>;
}

/** Identifies an object among those of its type: `NAMESPACE/NAME`, or `/NAME` for cluster-scoped types. */
export function objectKey({metadata}: ApiObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}

/** Namespace and name of a key from `objectKey`. */
export function splitObjectKey(key: string): [namespace: string, name: string] {
  const slash = key.indexOf('/');
  return [key.slice(0, slash), key.slice(slash + 1)];
}

/**
 * The loop of a controller: follows types, maps their objects to keys, and reconciles each key at most once at a time. Types that are not
 * served are not followed.
 */
export class Reconciler {
  readonly #options: ReconcilerOptions;
  readonly #queue: WorkQueue;
  readonly #following = new Map<string, Promise<void>>();
  #signal: AbortSignal | undefined;

  constructor(options: ReconcilerOptions) {
    this.#options = options;
    this.#queue = new WorkQueue((key) => options.reconcile(key), {
      concurrency: options.concurrency,
      ...(options.figures ? {figures: options.figures} : {}),
      onError: (key, error) => options.logger.warn({key, err: error}, 'an object could not be reconciled; retrying'),
    });
  }

  /** Follows the types until the signal fires. */
  start(signal: AbortSignal): void {
    this.#signal = signal;
    for (const type of this.#options.types) this.follow(type);
  }

  /** Follows another type; no effect if it is followed already or not served. For types that matter only once something else exists. */
  follow(type: FollowedType): void {
    const {resources, naming, logger} = this.#options;
    const {ref} = type;
    const name = `${ref.resource}.${ref.group}`;
    if (!this.#signal || this.#signal.aborted || this.#following.has(name) || !isServed(resources, naming, ref)) return;
    const changed = type.changed ?? ownKey;
    const deleted = type.deleted ?? changed;
    const follower = {
      listed: () => this.#addAll(type.listed?.() ?? []),
      changed: (object: ApiObject) => this.#addAll(changed(object)),
      deleted: (object: ApiObject) => this.#addAll(deleted(object)),
      failed: (error: unknown) => logger.warn({resource: name, err: error}, 'objects cannot be watched; retrying'),
    };
    this.#following.set(name, followObjects(resources, ref, follower, this.#signal, type));
  }

  /** Queues a key. */
  add(key: string): void {
    this.#queue.add(key);
  }

  /** Resolves when no work is left; the signal must have fired. */
  async stop(): Promise<void> {
    await this.#queue.close();
    await Promise.all(this.#following.values());
  }

  #addAll(keys: Iterable<string>): void {
    for (const key of keys) this.#queue.add(key);
  }
}

function ownKey(object: ApiObject): string[] {
  return [objectKey(object)];
}

/** Served types have the names of the profile. */
function isServed(resources: ResourceClient, naming: ReconcilerOptions['naming'], ref: ResourceRef): boolean {
  const wanted = naming.group(ref.group);
  return resources
    .resources()
    .some(({group, version, resource}) => group === wanted && version === ref.version && resource === ref.resource);
}
