import {createHash} from 'node:crypto';
import type {ApiObject} from '../../../sdk/index.js';
import {clusterWide, namespaced} from '../../../sdk/types/resource-handle.js';
import type {Node, PersistentVolume, PersistentVolumeClaim} from '../../../sdk/types/unchecked/core/v1.js';
import type {CSIDriver as CsiDriver, VolumeAttachment} from '../../../sdk/types/unchecked/storage/v1.js';

export type Attachment = VolumeAttachment & ApiObject;

export const attachmentType = clusterWide<Attachment>('storage.orch', 'v1', 'volumeattachments', 'VolumeAttachment');
export const driverType = clusterWide<CsiDriver & ApiObject>('storage.orch', 'v1', 'csidrivers', 'CSIDriver');
export const volumeType = clusterWide<PersistentVolume & ApiObject>('', 'v1', 'persistentvolumes', 'PersistentVolume');
export const claimType = namespaced<PersistentVolumeClaim & ApiObject>('', 'v1', 'persistentvolumeclaims', 'PersistentVolumeClaim');
export const nodeType = clusterWide<Node & ApiObject>('', 'v1', 'nodes', 'Node');

/** The name of the attachment of a volume to a node, by which drivers find it. */
export function attachmentName({spec}: PersistentVolume, node: string): string {
  const {driver = '', volumeHandle = ''} = spec?.csi ?? {};
  return `csi-${createHash('sha256').update(`${volumeHandle}${driver}${node}`).digest('hex')}`;
}

/** The name of a volume in the statuses of nodes. */
export function uniqueVolumeName({spec}: PersistentVolume, csiPlugin: string): string {
  return `${csiPlugin}/${spec?.csi?.driver ?? ''}^${spec?.csi?.volumeHandle ?? ''}`;
}

/** Whether a volume may be attached to one node alone. */
export function isExclusive({spec}: PersistentVolume): boolean {
  const modes = spec?.accessModes ?? [];
  return modes.length > 0 && modes.every((mode) => mode === 'ReadWriteOnce' || mode === 'ReadWriteOncePod');
}
