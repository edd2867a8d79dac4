import {compareQuantities, type Unchecked} from '../../../sdk/index.js';
import {selectorMatches} from '../../../sdk/labels/index.js';
import type * as storage from '../../../sdk/types/storage/v1.js';

/** A volume that a scheduler wants to place. */
export interface WantedVolume {
  readonly storageClassName: string;
  /** As a quantity, in bytes. */
  readonly size: string;
  /** Labels of the node that the volume has to be reachable from. */
  readonly nodeLabels: Readonly<Record<string, string>>;
}

type Capacity = Unchecked<storage.CSIStorageCapacity>;

/**
 * The first of the CSIStorageCapacity objects that has room for a volume, as a scheduler decides it. Undefined if none has: no object is for this class
 * and node, or those that are have no `capacity`, one of 0, or too little. Objects without `nodeTopology` are for no node at all.
 *
 * Built for schedulers and autoscalers that use these objects; nothing in the server calls it.
 */
export function capacityFor(volume: WantedVolume, capacities: Iterable<Capacity>): Capacity | undefined {
  for (const capacity of capacities) if (isFor(volume, capacity) && isEnough(volume.size, capacity)) return capacity;
  return undefined;
}

function isFor({storageClassName, nodeLabels}: WantedVolume, capacity: Capacity): boolean {
  return capacity.storageClassName === storageClassName && selectorMatches(capacity.nodeTopology, nodeLabels);
}

/** The size of one volume is limited by `maximumVolumeSize`, and only without that by `capacity`: the sum of what is left can be more than one volume may have. */
function isEnough(size: string, {capacity, maximumVolumeSize}: Capacity): boolean {
  return compareQuantities(capacity, '0') > 0 && compareQuantities(maximumVolumeSize ?? capacity, size) >= 0;
}
