import {createHash} from 'node:crypto';
import type {ApiObject} from '../../../sdk/index.js';
import {clusterWide} from '../../../sdk/types/resource-handle.js';
import type {Node, PersistentVolume} from '../../../sdk/types/unchecked/core/v1.js';
import type {VolumeAttachment} from '../../../sdk/types/unchecked/storage/v1.js';

export type Attachment = VolumeAttachment & ApiObject;

export const attachmentType = clusterWide<Attachment>('storage.orch', 'v1', 'volumeattachments', 'VolumeAttachment');
export const nodeType = clusterWide<Node & ApiObject>('', 'v1', 'nodes', 'Node');

/** The name of the attachment of a volume to a node, by which drivers find it. */
export function attachmentName({spec}: PersistentVolume, node: string): string {
  const {driver = '', volumeHandle = ''} = spec?.csi ?? {};
  return `csi-${createHash('sha256').update(`${volumeHandle}${driver}${node}`).digest('hex')}`;
}

/** Whether an attachment is one that was made because of pods: those that others make are theirs. */
export function isOfPods({metadata, spec}: Attachment): boolean {
  return /^csi-[0-9a-f]{64}$/.test(metadata.name ?? '') && Boolean(spec?.source?.persistentVolumeName);
}

/** Whether a volume may be attached to one node alone. */
export function isExclusive({spec}: PersistentVolume): boolean {
  const modes = spec?.accessModes ?? [];
  return modes.length > 0 && modes.every((mode) => mode === 'ReadWriteOnce' || mode === 'ReadWriteOncePod');
}
