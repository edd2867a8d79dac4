import type {Logger} from '../contracts/logger.js';
import type {NamingProfile} from '../contracts/naming.js';
import type {ResourceClient, ResourceRef} from '../contracts/resource-client.js';
import type {ApiObject} from '../objects/api-object.js';
import {followObjects, type FollowOptions} from './follow-objects.js';
import {WorkQueue, type WorkQueueOptions, type WorkResult} from './work-queue.js';

/** A type whose objects say what there is to do. */
export interface FollowedType extends FollowOptions {
  readonly ref: ResourceRef;
  /** Keys to look at because of an object that is there, or has changed. Not given: the key of the object itself. */
  readonly changed?: (object: ApiObject) => Iterable<string>;
  /** Keys to look at because an object is gone. Not given: the same as for a change. */
  readonly deleted?: (object: ApiObject) => Iterable<string>;
  /** Keys to look at because changes may have been missed; also called after the first list. Not given: none. */
  readonly listed?: () => Iterable<string>;
}

export interface ReconcilerOptions {
  readonly resources: ResourceClient;
  readonly naming: NamingProfile;
  readonly logger: Logger;
  /** Types to follow from the start; more may follow. */
  readonly types: readonly FollowedType[];
  /** How many keys are worked on side by side. */
  readonly concurrency: number;
  /** Where the queue is counted, and under which name; nowhere by default. */
  readonly figures?: WorkQueueOptions['figures'];
  /** Brings what the key stands for a step nearer to what is wanted. One that throws is tried again after a growing pause. */
  reconcile(key: string): Promise<WorkResult>;
}

/** Stands for an object among those of its type: `NAMESPACE/NAME`, and `/NAME` in no namespace. */
export function objectKey({metadata}: ApiObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}

/** Namespace and name of a key that `objectKey` made. */
export function splitObjectKey(key: string): [namespace: string, name: string] {
  const slash = key.indexOf('/');
  return [key.slice(0, slash), key.slice(slash + 1)];
}

/**
 * The loop of a controller: follows types, maps their objects to keys, and reconciles each key at most once at a time. A type that is not served is not
 * followed.
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
      onError: (key, error) => options.logger.warn({key, err: error}, 'an object could not be reconciled; it is tried again'),
    });
  }

  /** Follows the types until the signal fires. */
  start(signal: AbortSignal): void {
    this.#signal = signal;
    for (const type of this.#options.types) this.follow(type);
  }

  /** Follows one more type; one that is followed already, or is not served, stays as it is. For types that matter only once something else is there. */
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
      failed: (error: unknown) => logger.warn({resource: name, err: error}, 'objects cannot be watched; it is tried again'),
    };
    this.#following.set(name, followObjects(resources, ref, follower, this.#signal, type));
  }

  /** Has a key looked at soon. */
  add(key: string): void {
    this.#queue.add(key);
  }

  /** Resolves when no work is left; the signal has fired before. */
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

/** Types are served by the names of the profile. */
function isServed(resources: ResourceClient, naming: NamingProfile, ref: ResourceRef): boolean {
  const wanted = naming.group(ref.group);
  return resources
    .resources()
    .some(({group, version, resource}) => group === wanted && version === ref.version && resource === ref.resource);
}
