import {compareQuantities} from '../../../../sdk/index.js';
import type {PersistentVolume, PersistentVolumeClaim} from '../../../../sdk/types/unchecked/core/v1.js';
import type {StorageClass} from '../../../../sdk/types/unchecked/storage/v1.js';
import type {BindingKeys} from '../../../families/volume-binding/binding-keys.js';
import {className} from '../../../families/volume-binding/binding-state.js';
import {matchingVolume} from '../../../families/volume-binding/matching-volume.js';
import {termsPredicate, type NamedLabels} from '../../../families/placement/node-terms.js';
import type {StorageView} from '../model/storage-view.js';
import {claimKey, type VolumeChoice} from '../model/volume-choice.js';

/** Whether a volume can be used on a node. */
export function isReachable({spec}: PersistentVolume, node: NamedLabels): boolean {
  const required = spec?.nodeAffinity?.required;
  return !required || termsPredicate(required.nodeSelectorTerms)(node);
}

/** The volumes for claims on a node; undefined if one of them gets none there. */
export function chooseVolumes(
  claims: readonly PersistentVolumeClaim[],
  node: NamedLabels,
  storage: StorageView,
  keys: BindingKeys,
): VolumeChoice | undefined {
  const bindings: {claim: PersistentVolumeClaim; volume: PersistentVolume}[] = [];
  const provisions: PersistentVolumeClaim[] = [];
  const chosen = new Set<string>();
  for (const claim of claims.toSorted(bySize)) {
    const selected = storage.reservedNode(claimKey(claim)) ?? claim.metadata.annotations?.[keys.selectedNode];
    if (selected !== undefined && selected !== node.name) return undefined;
    const volume = selected === undefined ? freeVolume(claim, node, storage, keys, chosen) : undefined;
    if (volume) {
      chosen.add(volume.metadata.name!);
      bindings.push({claim, volume});
    } else {
      if (!canProvision(storage.storageClass(className(claim, keys)), node, keys)) return undefined;
      provisions.push(claim);
    }
  }
  return {bindings, provisions};
}

function freeVolume(
  claim: PersistentVolumeClaim,
  node: NamedLabels,
  storage: StorageView,
  keys: BindingKeys,
  chosen: ReadonlySet<string>,
): PersistentVolume | undefined {
  const key = claimKey(claim);
  const candidates: PersistentVolume[] = [];
  for (const volume of storage.freeVolumes()) {
    const name = volume.metadata.name!;
    const reservedFor = storage.reservedFor(name);
    if (reservedFor === key) return isReachable(volume, node) ? volume : undefined;
    if (reservedFor === undefined && !chosen.has(name)) candidates.push(volume);
  }
  return matchingVolume(claim, candidates, {keys, isReachable: (volume) => isReachable(volume, node)});
}

function canProvision(storageClass: StorageClass | undefined, {labels}: NamedLabels, {noProvisioner}: BindingKeys): boolean {
  const {provisioner = '', allowedTopologies} = storageClass ?? {};
  if (provisioner === '' || provisioner === noProvisioner) return false;
  const terms = allowedTopologies ?? [];
  return (
    terms.length === 0 ||
    terms.some(({matchLabelExpressions}) =>
      (matchLabelExpressions ?? []).every(({key = '', values}) => values?.includes(labels[key] ?? '')),
    )
  );
}

function bySize(one: PersistentVolumeClaim, other: PersistentVolumeClaim): number {
  const size = ({spec}: PersistentVolumeClaim) => spec?.resources?.requests?.['storage'] ?? '0';
  return compareQuantities(size(one), size(other));
}
