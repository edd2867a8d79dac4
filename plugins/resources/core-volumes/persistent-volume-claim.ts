import type {ApiObject} from '../../../sdk/index.js';
import type {PersistentVolumeClaimSpec} from '../../shared/volumes/persistent-volume-claim-spec.js';

/** A wish for storage, as far as its behaviour looks at it. */
export interface PersistentVolumeClaim extends ApiObject {
  spec?: PersistentVolumeClaimSpec;
  status?: {
    phase?: string;
    accessModes?: string[];
    capacity?: Record<string, string>;
    allocatedResources?: Record<string, string>;
    resizeStatus?: string;
  };
}
