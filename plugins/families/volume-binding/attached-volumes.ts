import type {ApiObject} from '../../../sdk/index.js';
import {clusterWide, namespaced} from '../../../sdk/types/resource-handle.js';
import type {PersistentVolume, PersistentVolumeClaim, Pod} from '../../../sdk/types/unchecked/core/v1.js';
import type {CSIDriver as CsiDriver} from '../../../sdk/types/unchecked/storage/v1.js';

export const driverType = clusterWide<CsiDriver & ApiObject>('storage.orch', 'v1', 'csidrivers', 'CSIDriver');
export const volumeType = clusterWide<PersistentVolume & ApiObject>('', 'v1', 'persistentvolumes', 'PersistentVolume');
export const claimType = namespaced<PersistentVolumeClaim & ApiObject>('', 'v1', 'persistentvolumeclaims', 'PersistentVolumeClaim');

/** The name of a volume in the statuses of nodes. */
export function uniqueVolumeName({spec}: PersistentVolume, csiPlugin: string): string {
  return `${csiPlugin}/${spec?.csi?.driver ?? ''}^${spec?.csi?.volumeHandle ?? ''}`;
}

/** Names of the claims that a pod uses, with those of its ephemeral volumes. */
export function claimsOfPod({metadata, spec}: Pod): string[] {
  return (spec?.volumes ?? []).flatMap(({name: volume, persistentVolumeClaim, ephemeral}) => {
    const claim = persistentVolumeClaim?.claimName ?? (ephemeral ? `${metadata.name ?? ''}-${volume}` : undefined);
    return claim === undefined ? [] : [claim];
  });
}
