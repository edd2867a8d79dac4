import type {Unchecked} from '../../../sdk/index.js';
import type * as core from '../../../sdk/types/core/v1.js';
import type * as storage from '../../../sdk/types/storage/v1.js';

/** The group's types before validation. */
export type CsiDriver = Unchecked<storage.CSIDriver>;
export type CsiNode = Unchecked<storage.CSINode>;
export type CsiNodeDriver = Unchecked<storage.CSINodeDriver>;
export type CsiStorageCapacity = Unchecked<storage.CSIStorageCapacity>;
export type StorageClass = Unchecked<storage.StorageClass>;
export type VolumeAttachment = Unchecked<storage.VolumeAttachment>;
export type InlineVolumeSpec = Unchecked<core.PersistentVolumeSpec>;
export type TopologySelectorTerm = Unchecked<core.TopologySelectorTerm>;
