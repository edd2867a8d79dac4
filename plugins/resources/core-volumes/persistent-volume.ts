import type {ApiObject} from '../../../sdk/index.js';
import type {NodeSelector} from '../../shared/pod/pod-types.js';
import type {CsiVolume} from '../../shared/volumes/csi-source.js';

/** A piece of storage, as far as its behaviour looks at it. */
export interface PersistentVolume extends ApiObject {
  spec?: PersistentVolumeSpec;
  status?: {phase?: string; reason?: string};
}

/** Besides these it has exactly one source. */
export interface PersistentVolumeSpec {
  capacity?: Record<string, string>;
  accessModes?: string[];
  claimRef?: {namespace?: string; name?: string};
  persistentVolumeReclaimPolicy?: string;
  storageClassName?: string;
  volumeMode?: string;
  nodeAffinity?: {required?: NodeSelector};
  hostPath?: {path?: string};
  csi?: CsiVolume;
  local?: {path?: string};
  [source: string]: unknown;
}
