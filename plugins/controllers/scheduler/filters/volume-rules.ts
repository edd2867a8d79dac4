import type {PersistentVolume} from '../../../../sdk/types/unchecked/core/v1.js';
import type {ClusterEvent} from '../cluster/cluster-event.js';
import type {KnownPod} from '../model/known-pod.js';
import {disksCollide} from '../model/pod-volumes.js';
import type {PodShape} from '../model/pod-shape.js';
import type {StorageView} from '../model/storage-view.js';
import {refusal, type Filter, type MovableFilter} from './filter.js';

const diskInUse = refusal(false, 'node(s) had no available disk');
const claimInUse = refusal(
  false,
  'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod',
);
const otherZone = refusal(true, 'node(s) had no available volume zone');

/** Whether an event may concern what a pod needs of storage. */
export function concernsStorage({shape}: KnownPod, event: ClusterEvent): boolean {
  if (event.type !== 'storage') return event.type === 'node';
  return !event.isClaim || (event.namespace === shape.namespace && shape.volumes.claims.some(({name}) => name === event.name));
}

/** Disks that only one pod of a node can use, and claims that only one pod can use. */
export function volumeRestrictions(storage: StorageView): Filter {
  return {
    name: 'VolumeRestrictions',
    prepare: ({shape}, cluster) => {
      const {volumes, namespace} = shape;
      const mayCollide = volumes.disks.length > 0;
      const exclusive = volumes.claims
        .map(({name}) => name)
        .filter((name) => storage.claim(namespace, name)?.spec?.accessModes?.includes('ReadWriteOncePod'));
      const users = exclusive.length === 0 ? [] : [...cluster.shapes.of(namespace)].filter((other) => usesAny(other, exclusive));
      const inUse = users.reduce((sum, {placed}) => sum + [...placed.values()].reduce((count, {all}) => count + all, 0), 0);
      if (!mayCollide && exclusive.length === 0) return undefined;
      return exclusiveUse(shape, exclusive, inUse);
    },
    mayHelp: (pod, event) => event.type === 'removed' || concernsStorage(pod, event),
  };
}

/** @param inUse how many pods use one of the claims that only one pod can use */
function exclusiveUse(shape: Pick<PodShape, 'namespace' | 'volumes'>, exclusive: readonly string[], inUse: number): MovableFilter {
  const {namespace, volumes} = shape;
  let users = inUse;
  const count = ({shape: other}: KnownPod, amount: number): void => {
    if (other.namespace === namespace && usesAny(other, exclusive)) users += amount;
  };
  return {
    check: ({pods}) => {
      if (users > 0) return claimInUse;
      if (volumes.disks.length === 0) return undefined;
      for (const {shape: other} of pods.values()) if (disksCollide(volumes, other.volumes)) return diskInUse;
      return undefined;
    },
    fork: () => exclusiveUse(shape, exclusive, users),
    add: (pod) => count(pod, 1),
    remove: (pod) => count(pod, -1),
  };
}

function usesAny({volumes}: PodShape, names: readonly string[]): boolean {
  return volumes.claims.some(({name}) => names.includes(name));
}

/** Volumes in a zone are used there. @param keys of the labels that name zones and regions */
export function volumeZone(storage: StorageView, keys: readonly string[]): Filter {
  return {
    name: 'VolumeZone',
    prepare: ({shape: {namespace, volumes}}) => {
      const wanted = volumes.claims.flatMap(({name}) =>
        zonesOf(storage.volume(storage.claim(namespace, name)?.spec?.volumeName ?? ''), keys),
      );
      if (wanted.length === 0) return undefined;
      return {
        check: ({facts: {labels}}) => {
          // Without any such label the nodes are in one zone.
          if (!keys.some((key) => Object.hasOwn(labels, key))) return undefined;
          return wanted.every(({key, values}) => values.has(labels[key] ?? '')) ? undefined : otherZone;
        },
      };
    },
    mayHelp: concernsStorage,
  };
}

function zonesOf(volume: PersistentVolume | undefined, keys: readonly string[]): {key: string; values: ReadonlySet<string>}[] {
  const labels = (volume?.metadata.labels ?? {}) as Record<string, string>;
  return keys.filter((key) => Object.hasOwn(labels, key)).map((key) => ({key, values: new Set(labels[key]!.split('__'))}));
}
