import type {PersistentVolume, PersistentVolumeClaim} from '../../../../sdk/types/unchecked/core/v1.js';
import type {BindingKeys} from '../../../families/volume-binding/binding-keys.js';
import {className, isAnnotated} from '../../../families/volume-binding/binding-state.js';
import type {PodShape} from '../model/pod-shape.js';
import type {StorageView} from '../model/storage-view.js';
import {refusal, type Filter, type RefusedEverywhere} from './filter.js';
import {chooseVolumes, isReachable} from './volume-choice.js';
import {concernsStorage} from './volume-rules.js';

const elsewhere = "node(s) didn't match PersistentVolume's node affinity";
const noVolume = "node(s) didn't find available persistent volumes to bind";
const missingVolume = 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)';

const nowhere = (reason: string): RefusedEverywhere => ({everywhere: refusal(true, reason)});

/** The claims of a pod, by how far they are. */
export interface PodClaims {
  readonly bound: readonly PersistentVolumeClaim[];
  /** Those that get their volumes when the pod has its node. */
  readonly waiting: readonly PersistentVolumeClaim[];
  /** Whether some are not bound that do not wait for the pod. */
  readonly isUnbound: boolean;
}

/** Looks at the claims of a pod. @returns why nothing can be done with one of them */
export function podClaims(
  {namespace, volumes}: Pick<PodShape, 'namespace' | 'volumes'>,
  storage: StorageView,
  keys: BindingKeys,
): PodClaims | string {
  const bound: PersistentVolumeClaim[] = [];
  const waiting: PersistentVolumeClaim[] = [];
  let isUnbound = false;
  for (const {name, isEphemeral} of volumes.claims) {
    const claim = storage.claim(namespace, name);
    const fault = claimFault(claim, name, isEphemeral);
    if (fault !== undefined) return fault;
    if (isBound(claim!, keys)) bound.push(claim!);
    else if (waitsForPod(claim!, storage, keys)) waiting.push(claim!);
    else isUnbound = true;
  }
  return {bound, waiting, isUnbound};
}

/** Claims that must be bound, or can be on a node, and nodes from which their volumes can be reached. */
export function volumeBinding(storage: StorageView, keys: BindingKeys): Filter {
  return {
    name: 'VolumeBinding',
    prepare: ({shape}) => {
      if (shape.volumes.claims.length === 0) return undefined;
      const claims = podClaims(shape, storage, keys);
      if (typeof claims === 'string') return nowhere(claims);
      if (claims.isUnbound) return nowhere('pod has unbound immediate PersistentVolumeClaims');
      const {bound, waiting} = claims;
      const volumes = bound.map(({spec}) => storage.volume(spec!.volumeName!));
      const present = volumes.filter((volume): volume is PersistentVolume => volume !== undefined);
      const lacksVolume = present.length < volumes.length;
      if (!lacksVolume && waiting.length === 0 && present.every(({spec}) => !spec?.nodeAffinity?.required)) return undefined;
      return {
        check: ({facts}) => {
          const reasons = [
            ...(present.every((volume) => isReachable(volume, facts)) ? [] : [elsewhere]),
            ...(waiting.length === 0 || chooseVolumes(waiting, facts, storage, keys) ? [] : [noVolume]),
            ...(lacksVolume ? [missingVolume] : []),
          ];
          return reasons.length === 0 ? undefined : refusal(true, ...reasons);
        },
      };
    },
    mayHelp: concernsStorage,
  };
}

/** Whether a claim gets its volume when its first pod has a node. */
function waitsForPod(claim: PersistentVolumeClaim, storage: StorageView, keys: BindingKeys): boolean {
  return !claim.spec?.volumeName && storage.storageClass(className(claim, keys))?.volumeBindingMode === 'WaitForFirstConsumer';
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

/** Whether the binding of a claim is complete. */
export function isBound(claim: PersistentVolumeClaim, {bindCompleted}: BindingKeys): boolean {
  return Boolean(claim.spec?.volumeName) && isAnnotated(claim, bindCompleted);
}
