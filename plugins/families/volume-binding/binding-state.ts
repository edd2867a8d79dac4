import type {PersistentVolume, PersistentVolumeClaim} from '../../../sdk/types/unchecked/core/v1.js';
import type {BindingKeys} from './binding-keys.js';

/** The class of a volume or claim; empty for none. */
export function className({metadata, spec}: PersistentVolume | PersistentVolumeClaim, {betaClass}: Pick<BindingKeys, 'betaClass'>): string {
  return metadata.annotations?.[betaClass] ?? spec?.storageClassName ?? '';
}

/** Whether a claim says anything of its class, and be it that it wants none. */
export function hasClass({metadata, spec}: PersistentVolumeClaim, {betaClass}: Pick<BindingKeys, 'betaClass'>): boolean {
  return Object.hasOwn(metadata.annotations ?? {}, betaClass) || (spec?.storageClassName ?? undefined) !== undefined;
}

/** Whether a volume is bound to a claim, or reserved for it by name. */
export function isBoundTo({spec}: PersistentVolume, {metadata}: PersistentVolumeClaim): boolean {
  const {claimRef} = spec ?? {};
  if (!claimRef || claimRef.name !== metadata.name || claimRef.namespace !== metadata.namespace) return false;
  return !claimRef.uid || claimRef.uid === metadata.uid;
}

/** Whether an object has an annotation. */
export function isAnnotated({metadata}: PersistentVolume | PersistentVolumeClaim, key: string): boolean {
  return Object.hasOwn(metadata.annotations ?? {}, key);
}

/** The key of the claim that a volume is for; undefined if it is for none. */
export function claimKeyOf({spec}: PersistentVolume): string | undefined {
  const {claimRef} = spec ?? {};
  return claimRef ? `${claimRef.namespace ?? ''}/${claimRef.name ?? ''}` : undefined;
}

/** A volume that is bound to a claim; undefined if nothing has to change for that. */
export function boundVolume(volume: PersistentVolume, claim: PersistentVolumeClaim, keys: BindingKeys): PersistentVolume | undefined {
  const {claimRef} = volume.spec ?? {};
  const {name = '', namespace = '', uid = '', resourceVersion} = claim.metadata;
  const isReferred = claimRef?.name === name && claimRef.namespace === namespace && claimRef.uid === uid;
  const isMarked = isBoundTo(volume, claim) || isAnnotated(volume, keys.boundByController);
  if (isReferred && isMarked) return undefined;
  const reference = {kind: 'PersistentVolumeClaim', namespace, name, uid, apiVersion: 'v1', ...(resourceVersion ? {resourceVersion} : {})};
  return {
    ...volume,
    metadata: isMarked
      ? volume.metadata
      : {...volume.metadata, annotations: {...volume.metadata.annotations, [keys.boundByController]: 'yes'}},
    spec: {...volume.spec, claimRef: isReferred ? claimRef : reference},
  };
}
