import type {PersistentVolume, PersistentVolumeClaim} from '../../../../sdk/types/unchecked/core/v1.js';

/** How the claims of a pod that have waited for it get their volumes on a node. */
export interface VolumeChoice {
  /** Volumes that are there. */
  readonly bindings: readonly {readonly claim: PersistentVolumeClaim; readonly volume: PersistentVolume}[];
  /** Claims for which volumes are made. */
  readonly provisions: readonly PersistentVolumeClaim[];
}

/** The key of a claim. */
export function claimKey({metadata}: PersistentVolumeClaim): string {
  return `${metadata.namespace}/${metadata.name}`;
}
