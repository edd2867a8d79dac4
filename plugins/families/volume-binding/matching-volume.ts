import {compareQuantities} from '../../../sdk/index.js';
import {compileSelector} from '../../../sdk/labels/index.js';
import type {PersistentVolume, PersistentVolumeClaim} from '../../../sdk/types/unchecked/core/v1.js';
import type {BindingKeys} from './binding-keys.js';
import {className, isBoundTo} from './binding-state.js';

export interface MatchingRules {
  readonly keys: Pick<BindingKeys, 'betaClass'>;
  /** Only a volume that is reserved for the claim: the others wait until the node of its pod is known. */
  readonly onlyReserved?: boolean;
  /** Whether a volume can be reached from the node in question; without a node all can. */
  readonly isReachable?: (volume: PersistentVolume) => boolean;
}

const modeOf = ({spec}: PersistentVolume | PersistentVolumeClaim): string => spec?.volumeMode ?? 'Filesystem';
const attributesOf = ({spec}: PersistentVolume | PersistentVolumeClaim): string => spec?.volumeAttributesClassName ?? '';
const sizeOf = ({spec}: PersistentVolume): string => spec?.capacity?.['storage'] ?? '0';

/** Whether a volume can be used in every way that a claim asks for. */
export function hasAccessModes(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const modes = volume.spec?.accessModes ?? [];
  return (claim.spec?.accessModes ?? []).every((mode) => modes.includes(mode));
}

/** Whether volume and claim differ in whether there is a file system. */
export function differsInMode(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  return modeOf(volume) !== modeOf(claim);
}

/** Why a claim cannot have the volume that it names, in the words of Kubernetes; undefined if it can. */
export function mismatch(volume: PersistentVolume, claim: PersistentVolumeClaim, keys: Pick<BindingKeys, 'betaClass'>): string | undefined {
  if (volume.metadata.deletionTimestamp) return `the volume is marked for deletion ${JSON.stringify(volume.metadata.name ?? '')}`;
  if (compareQuantities(sizeOf(volume), claim.spec?.resources?.requests?.['storage'] ?? '0') < 0) return 'requested PV is too small';
  if (className(volume, keys) !== className(claim, keys)) return 'storageClassName does not match';
  if (attributesOf(volume) !== attributesOf(claim)) return 'volumeAttributesClassName does not match';
  if (differsInMode(volume, claim)) return 'incompatible volumeMode';
  return hasAccessModes(volume, claim) ? undefined : 'incompatible accessMode';
}

/**
 * The volume for a claim: one that is reserved for it, else the smallest that is large enough, of those with the fewest ways to be used first.
 *
 * @param volumes that are bound to no claim
 */
export function matchingVolume(
  claim: PersistentVolumeClaim,
  volumes: Iterable<PersistentVolume>,
  {keys, onlyReserved = false, isReachable = () => true}: MatchingRules,
): PersistentVolume | undefined {
  const selects = claim.spec?.selector ? compileSelector(claim.spec.selector) : undefined;
  const wanted = claim.spec?.resources?.requests?.['storage'] ?? '0';
  const wantedClass = className(claim, keys);
  let best: PersistentVolume | undefined;
  for (const volume of volumes) {
    const isReserved = isBoundTo(volume, claim);
    if ((volume.spec?.claimRef && !isReserved) || volume.metadata.deletionTimestamp || !hasAccessModes(volume, claim)) continue;
    if (compareQuantities(sizeOf(volume), wanted) < 0 || differsInMode(volume, claim) || attributesOf(volume) !== attributesOf(claim))
      continue;
    if (isReserved) return isReachable(volume) ? volume : undefined;
    if (onlyReserved || volume.status?.phase !== 'Available') continue;
    if (selects && !selects(volume.metadata.labels as Record<string, string> | undefined)) continue;
    if (className(volume, keys) !== wantedClass || !isReachable(volume)) continue;
    if (!best || isBetter(volume, best)) best = volume;
  }
  return best;
}

function isBetter(one: PersistentVolume, other: PersistentVolume): boolean {
  const modes = (one.spec?.accessModes ?? []).length - (other.spec?.accessModes ?? []).length;
  if (modes !== 0) return modes < 0;
  const size = compareQuantities(sizeOf(one), sizeOf(other));
  return size < 0 || (size === 0 && (one.metadata.name ?? '') < (other.metadata.name ?? ''));
}
