import {setTimeout as delay} from 'node:timers/promises';
import {StatusError, type ResourceClient} from '../../../../sdk/index.js';
import {definitions, type CustomResourceDefinition} from '../custom-resource-definition.js';

/** Where definitions and their changes go. */
export interface DefinitionListener {
  /** All definitions that there are; those that are not among them are gone. */
  listed(all: readonly CustomResourceDefinition[]): void;
  changed(definition: CustomResourceDefinition): void;
  removed(definition: CustomResourceDefinition): void;
  /** Listing or watching failed; it is tried again after a pause. */
  failed(error: unknown): void;
}

const firstPauseMillis = 20;
const longestPauseMillis = 5000;

/**
 * Reports all definitions and every change until `signal` fires. Resolves `ready` with the first list. A watch that ends is
 * taken up where it was; one whose history is gone begins anew with a list.
 */
export async function followDefinitions(resources: ResourceClient, listener: DefinitionListener, signal: AbortSignal, ready: () => void): Promise<void> {
  let version: string | undefined;
  let pause = firstPauseMillis;
  while (!signal.aborted) {
    try {
      if (version === undefined) {
        const list = await resources.list(definitions, '');
        listener.listed(list.items as CustomResourceDefinition[]);
        version = list.metadata.resourceVersion ?? '';
        ready();
      }
      for await (const {type, object} of resources.watch(definitions, '', {resourceVersion: version, signal})) {
        version = object.metadata.resourceVersion ?? version;
        pause = firstPauseMillis;
        if (type === 'DELETED') listener.removed(object as CustomResourceDefinition);
        else if (type !== 'BOOKMARK') listener.changed(object as CustomResourceDefinition);
      }
    } catch (error) {
      if (signal.aborted) return;
      version = undefined;
      if (!(StatusError.is(error) && error.code === 410)) listener.failed(error);
    }
    await delay(pause, undefined, {signal}).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    pause = Math.min(pause * 2, longestPauseMillis);
  }
}
