import type {ResourceClient, ResourceRef} from '../../../sdk/index.js';
import {followObjects, type ObjectFollower} from '../../../sdk/controllers/index.js';

/** What becomes of the objects of a type. */
export interface TypeFollower extends Pick<ObjectFollower, 'changed' | 'deleted'> {
  readonly ref: ResourceRef;
}

/** The types that an authorizer follows, from the server's cache on. */
export class Following {
  readonly #running: Promise<void>[] = [];

  /** Resolves with the first list. @param warn called when a type cannot be watched, which is tried again */
  begin(resources: ResourceClient, {ref, ...follower}: TypeFollower, signal: AbortSignal, warn: (about: object) => void): Promise<void> {
    return new Promise((resolve) => {
      const failed = (err: unknown) => warn({resource: ref.resource, err});
      this.#running.push(followObjects(resources, ref, {...follower, listed: () => resolve(), failed}, signal, {startFromCache: true}));
    });
  }

  /** Resolves when all have ended; the signal must have fired. */
  async ended(): Promise<void> {
    await Promise.all(this.#running);
  }
}
