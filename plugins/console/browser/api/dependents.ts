import {resourceTypes} from './discovery.js';
import {listMetadata} from './objects.js';
import {collectionPath, type ApiObject, type ResourceType} from './types.js';

/** Objects of a type that are looked at. */
const mostOfType = 500;
const atOnce = 4;

export interface Dependent {
  readonly type: ResourceType;
  readonly object: ApiObject;
}

export interface Dependents {
  readonly found: readonly Dependent[];
  /** Types that the user may not list, or that have more objects than are looked at. */
  readonly unseen: readonly string[];
}

/**
 * Objects that name another one as their owner. The server has no index of owners to ask, so the metadata of all types are looked through: in the namespace of the owner, or of the whole
 * cluster for one without.
 */
export async function findDependents({metadata: {uid, namespace = ''}}: ApiObject, signal: AbortSignal): Promise<Dependents> {
  const types = (resourceTypes.value ?? []).filter(({verbs, namespaced}) => verbs.includes('list') && (namespace === '' || namespaced));
  const found: Dependent[] = [];
  const unseen: string[] = [];
  const open = types[Symbol.iterator]();
  const work = async () => {
    for (const type of open) {
      if (signal.aborted) return;
      try {
        const items = await listMetadata(collectionPath(type, namespace), mostOfType, signal);
        if (items.length === mostOfType) unseen.push(type.resource);
        for (const object of items) if (object.metadata.ownerReferences?.some((owner) => owner.uid === uid)) found.push({type, object});
      } catch {
        unseen.push(type.resource);
      }
    }
  };
  await Promise.all(Array.from({length: atOnce}, work));
  return {found, unseen: unseen.sort()};
}
