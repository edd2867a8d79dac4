import {setTimeout as delay} from 'node:timers/promises';
import {StatusError, type ApiObject, type ResourceClient, type ResourceRef, type Status} from '../../../sdk/index.js';

/** Where a list and its changes go. */
export interface ListFollower {
  /** An object that is there: from the list, or added or changed since. May be called again for the same state. */
  changed(object: ApiObject): void;
  /** Listing or watching failed; it is tried again after a pause. */
  failed(error: unknown): void;
}

const firstPauseMillis = 100;
const longestPauseMillis = 10_000;

/**
 * Reports every object of a type and every change of it until `signal` fires: lists, then watches from there. A watch that
 * ends is taken up where it was; one whose history is gone begins anew with a list.
 */
export async function followList(resources: ResourceClient, ref: ResourceRef, follower: ListFollower, signal: AbortSignal): Promise<void> {
  let version: string | undefined;
  let pause = firstPauseMillis;
  while (!signal.aborted) {
    try {
      if (version === undefined) {
        const list = await resources.list(ref, '');
        for (const object of list.items) follower.changed(object);
        version = list.metadata.resourceVersion ?? '';
      }
      for await (const event of resources.watch(ref, '', {resourceVersion: version, signal})) {
        if (event.type === 'ERROR') throw errorOf(event.object as unknown as Status);
        version = event.object.metadata.resourceVersion ?? version;
        pause = firstPauseMillis;
        if (event.type === 'ADDED' || event.type === 'MODIFIED') follower.changed(event.object);
      }
      await wait(firstPauseMillis, signal);
    } catch (error) {
      if (signal.aborted) return;
      version = undefined;
      if (!isExpired(error)) follower.failed(error);
      await wait(pause, signal);
      pause = Math.min(pause * 2, longestPauseMillis);
    }
  }
}

function errorOf(status: Status): StatusError {
  return new StatusError(status.code ?? 500, status.reason ?? 'Unknown', status.message ?? 'the watch failed');
}

function isExpired(error: unknown): boolean {
  return StatusError.is(error) && error.code === 410;
}

/** Resolves after the time, or at once when the signal fires. */
async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(milliseconds, undefined, {signal});
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
