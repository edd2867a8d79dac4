import type {PersistentVolume, PersistentVolumeClaim} from '../../../../sdk/types/unchecked/core/v1.js';
import type {ClusterEvent} from '../cluster/cluster-event.js';
import type {KnownPod} from '../model/known-pod.js';
import {termsPredicate, type NodePredicate} from '../../../families/placement/node-terms.js';
import {disksCollide} from '../model/pod-volumes.js';
import type {PodShape} from '../model/pod-shape.js';
import type {StorageView} from '../model/storage-view.js';
import {refusal, type Filter, type MovableFilter, type RefusedEverywhere} from './filter.js';

const diskInUse = refusal(false, 'node(s) had no available disk');
const claimInUse = refusal(
  false,
  'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod',
);
const elsewhere = refusal(true, "node(s) didn't match PersistentVolume's node affinity");
const missingVolume = refusal(true, 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)');
const otherZone = refusal(true, 'node(s) had no available volume zone');

const nowhere = (reason: string): RefusedEverywhere => ({everywhere: refusal(true, reason)});

function concernsStorage({shape}: KnownPod, event: ClusterEvent): boolean {
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

/** Claims that must be bound, and nodes from which their volumes can be reached. @param boundKey the annotation of a claim whose binding is complete */
export function volumeBinding(storage: StorageView, boundKey: string): Filter {
  return {
    name: 'VolumeBinding',
    prepare: ({shape: {namespace, volumes}}) => {
      if (volumes.claims.length === 0) return undefined;
      const reachable: NodePredicate[] = [];
      let lacksVolume = false;
      let isUnbound = false;
      for (const {name, isEphemeral} of volumes.claims) {
        const claim = storage.claim(namespace, name);
        const fault = claimFault(claim, name, isEphemeral);
        if (fault !== undefined) return nowhere(fault);
        if (!isBound(claim!, boundKey)) {
          isUnbound = true;
          continue;
        }
        const volume = storage.volume(claim!.spec!.volumeName!);
        if (!volume) lacksVolume = true;
        else if (volume.spec?.nodeAffinity?.required) reachable.push(termsPredicate(volume.spec.nodeAffinity.required.nodeSelectorTerms));
      }
      if (isUnbound) return nowhere('pod has unbound immediate PersistentVolumeClaims');
      if (!lacksVolume && reachable.length === 0) return undefined;
      return {
        check: ({facts}) => {
          if (lacksVolume) return missingVolume;
          return reachable.every((matches) => matches(facts)) ? undefined : elsewhere;
        },
      };
    },
    mayHelp: concernsStorage,
  };
}

/** Why nothing can be done with a claim. */
function claimFault(claim: PersistentVolumeClaim | undefined, name: string, isEphemeral: boolean): string | undefined {
  if (!claim) {
    return isEphemeral
      ? `waiting for ephemeral volume controller to create the persistentvolumeclaim ${JSON.stringify(name)}`
      : `persistentvolumeclaim ${JSON.stringify(name)} not found`;
  }
  if (claim.status?.phase === 'Lost')
    return `persistentvolumeclaim ${JSON.stringify(name)} bound to non-existent persistentvolume ${JSON.stringify(claim.spec?.volumeName ?? '')}`;
  return claim.metadata.deletionTimestamp ? `persistentvolumeclaim ${JSON.stringify(name)} is being deleted` : undefined;
}

function isBound({metadata, spec}: PersistentVolumeClaim, boundKey: string): boolean {
  return Boolean(spec?.volumeName) && Object.hasOwn(metadata.annotations ?? {}, boundKey);
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
