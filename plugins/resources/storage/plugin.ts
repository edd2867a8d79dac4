export {CsiDriverStrategy} from './csi-driver-strategy.js';
export {CsiNodeStrategy} from './csi-node-strategy.js';
export {CsiStorageCapacityStrategy} from './csi-storage-capacity-strategy.js';
export {StorageClassStrategy} from './storage-class-strategy.js';
export {VolumeAttachmentStrategy} from './volume-attachment-strategy.js';
export {VolumeAttributesClassStrategy} from './volume-attributes-class-strategy.js';
