import type {ApiObject} from '../../../sdk/index.js';
import type {LabelSelector} from '../../shared/labels/label-selector.js';
import type {CsiVolume} from '../../shared/volumes/csi-source.js';

/** Fields of the group's types as far as their behaviour looks at them; the schema files have them all. */
export interface StorageClass extends ApiObject {
  provisioner?: string;
  parameters?: Record<string, string>;
  reclaimPolicy?: string;
  allowVolumeExpansion?: boolean;
  volumeBindingMode?: string;
  allowedTopologies?: TopologySelectorTerm[];
}

export interface TopologySelectorTerm {
  matchLabelExpressions?: {key?: string; values?: string[] | null}[];
}

export interface VolumeAttachment extends ApiObject {
  spec?: {
    attacher?: string;
    nodeName?: string;
    source?: {persistentVolumeName?: string; inlineVolumeSpec?: InlineVolumeSpec};
  };
  status?: {
    attached?: boolean;
    attachmentMetadata?: Record<string, string>;
    attachError?: {message?: string};
    detachError?: {message?: string};
  };
}

/** The spec of a PersistentVolume that stands inside an attachment. */
export interface InlineVolumeSpec {
  capacity?: Record<string, string>;
  accessModes?: string[];
  claimRef?: object;
  persistentVolumeReclaimPolicy?: string;
  storageClassName?: string;
  volumeMode?: string;
  nodeAffinity?: object;
  csi?: CsiVolume;
  [source: string]: unknown;
}

export interface CsiDriver extends ApiObject {
  spec?: {
    attachRequired?: boolean;
    podInfoOnMount?: boolean;
    volumeLifecycleModes?: string[];
    storageCapacity?: boolean;
    fsGroupPolicy?: string;
    tokenRequests?: {audience?: string; expirationSeconds?: number | bigint}[];
    requiresRepublish?: boolean;
    seLinuxMount?: boolean;
  };
}

export interface CsiNodeDriver {
  name?: string;
  nodeID?: string;
  topologyKeys?: string[] | null;
  allocatable?: {count?: number};
}

export interface CsiNode extends ApiObject {
  spec?: {drivers?: CsiNodeDriver[] | null};
}

export interface CsiStorageCapacity extends ApiObject {
  /** Absent: the storage can be reached from no node. Empty: from all. */
  nodeTopology?: LabelSelector;
  storageClassName?: string;
  capacity?: string;
  maximumVolumeSize?: string;
}
