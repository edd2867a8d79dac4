import type {PersistentVolume, PersistentVolumeClaim} from '../../../../sdk/types/unchecked/core/v1.js';
import type {CSIDriver, CSINode, StorageClass, VolumeAttachment} from '../../../../sdk/types/unchecked/storage/v1.js';

/** Claims, volumes, classes and drivers as they are now; they must not be changed. */
export interface StorageView {
  claim(namespace: string, name: string): PersistentVolumeClaim | undefined;
  volume(name: string): PersistentVolume | undefined;
  storageClass(name: string): StorageClass | undefined;
  driver(name: string): CSIDriver | undefined;
  /** What drivers say of a node. */
  csiNode(node: string): CSINode | undefined;
  /** What is attached to a node, or is to be. */
  attachments(node: string): Iterable<VolumeAttachment>;
  /** Volumes that are bound to no claim. */
  freeVolumes(): Iterable<PersistentVolume>;
  /** The key of the claim that a volume is about to be bound to. */
  reservedFor(volume: string): string | undefined;
  /** The node on which a claim, by its key, is about to get its volume. */
  reservedNode(claim: string): string | undefined;
}
