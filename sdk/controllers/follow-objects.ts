import {setTimeout as delay} from 'node:timers/promises';
import type {ListOptions, ResourceClient, ResourceRef} from '../contracts/resource-client.js';
import {StatusError} from '../errors/status-error.js';
import type {ApiObject} from '../objects/api-object.js';
import type {Status} from '../objects/status.js';
import {Backoff} from '../values/backoff.js';

/** Where a list and its changes go. */
export interface ObjectFollower {
  /**
   * All objects that there are now; each of them has been passed to `changed`. Called again when the history was lost. Changes wait
   * until a promise that it answers is resolved.
   */
  listed?(objects: readonly ApiObject[]): void | Promise<void>;
  /**
   * An object that is there: from the list, or added or changed since. May be called again for the same state. Further objects wait
   * until a promise that it answers is resolved.
   */
  changed(object: ApiObject): void | Promise<void>;
  /** An object that is gone, in its last state. */
  deleted?(object: ApiObject): void;
  /** Listing or watching failed; it is tried again after a pause. */
  failed(error: unknown): void;
}

export interface FollowOptions {
  /** The first list takes what the server's cache has; changes since then come with the watch. */
  readonly startFromCache?: boolean;
  /** Objects that are there at the beginning are not reported: `listed` is called with none, and what happens from then on is told. */
  readonly changesOnly?: boolean;
  /** Only objects that it chooses. */
  readonly fieldSelector?: string;
}

/** Before a watch that ended is resumed. */
const pauseMillis = 100;

/**
 * Reports every object of a type, every change and every deletion until `signal` fires: lists, then watches from there. A watch
 * that ends is taken up where it was; one whose history is gone begins anew with a list.
 */
export async function followObjects(
  resources: ResourceClient,
  ref: ResourceRef,
  follower: ObjectFollower,
  signal: AbortSignal,
  options: FollowOptions = {},
): Promise<void> {
  let {startFromCache = false} = options;
  const {changesOnly = false} = options;
  const selection = options.fieldSelector === undefined ? {} : {fieldSelector: options.fieldSelector};
  let version: string | undefined;
  const backoff = new Backoff({initialMillis: pauseMillis, maximumMillis: 10_000});
  while (!signal.aborted) {
    try {
      const cached = startFromCache ? {resourceVersion: '0'} : {};
      version ??= changesOnly
        ? await begin(resources, ref, follower, {...selection, ...cached, limit: 1})
        : await list(resources, ref, follower, {...selection, ...cached});
      startFromCache = false;
      for await (const event of resources.watch(ref, '', {...selection, resourceVersion: version, signal})) {
        if (event.type === 'ERROR') throw errorOf(event.object as unknown as Status);
        version = event.object.metadata.resourceVersion ?? version;
        backoff.reset();
        if (event.type === 'DELETED') follower.deleted?.(event.object);
        else if (event.type !== 'BOOKMARK') await follower.changed(event.object);
      }
      await wait(pauseMillis, signal);
    } catch (error) {
      if (signal.aborted) return;
      version = undefined;
      if (!StatusError.is(error) || error.code !== 410) follower.failed(error);
      await wait(backoff.next(), signal);
    }
  }
}

async function list(resources: ResourceClient, ref: ResourceRef, follower: ObjectFollower, options: ListOptions): Promise<string> {
  const {items, metadata} = await resources.list(ref, '', options);
  for (const object of items) await follower.changed(object);
  const takenIn = follower.listed?.(items);
  if (takenIn) await takenIn;
  return metadata.resourceVersion ?? '';
}

/** Learns the version from which on changes are told. */
async function begin(resources: ResourceClient, ref: ResourceRef, follower: ObjectFollower, options: ListOptions): Promise<string> {
  const {metadata} = await resources.list(ref, '', options);
  await follower.listed?.([]);
  return metadata.resourceVersion ?? '';
}

function errorOf(status: Status): StatusError {
  return new StatusError(status.code ?? 500, status.reason ?? 'Unknown', status.message ?? 'the watch failed');
}

/** Resolves after the time, or at once when the signal fires. */
async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(milliseconds, undefined, {signal});
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
