import {
  dnsSubdomainFaults,
  FieldPath,
  invalid,
  quantityAmount,
  required,
  strategy,
  type FieldError,
  type ResourceStrategy,
} from '../../../sdk/index.js';
import {selectorOptions, validateLabelSelector, type LabelSelectorOptions} from '../../../sdk/labels/index.js';
import {validateImmutable} from '../../../sdk/validation/index.js';
import type {CSIStorageCapacity as CsiStorageCapacity} from '../../../sdk/types/unchecked/storage/v1.js';

const classPath = FieldPath.of('storageClassName');
const topologyPath = FieldPath.of('nodeTopology');
const capacityPath = FieldPath.of('capacity');

/**
 * CSIStorageCapacity: how much storage of a class is available to which nodes (docs/semantics/types.md#csistoragecapacity). As in
 * Kubernetes, `maximumVolumeSize` may be negative.
 */
@strategy()
export class CsiStorageCapacityStrategy implements ResourceStrategy<CsiStorageCapacity> {
  validateCreate(object: CsiStorageCapacity): FieldError[] {
    return objectFaults(object, {});
  }

  validateUpdate(object: CsiStorageCapacity, old: CsiStorageCapacity): FieldError[] {
    return [
      ...objectFaults(object, selectorOptions(old.nodeTopology)),
      ...validateImmutable(object.nodeTopology, old.nodeTopology, topologyPath),
      ...validateImmutable(object.storageClassName, old.storageClassName, classPath),
    ];
  }
}

function objectFaults(object: CsiStorageCapacity, options: LabelSelectorOptions): FieldError[] {
  const faults = [...validateLabelSelector(object.nodeTopology, topologyPath, options), ...classFaults(object.storageClassName)];
  if (quantityAmount(object.capacity) < 0n) faults.push(invalid(capacityPath, object.capacity, 'must be greater than or equal to 0'));
  return faults;
}

function classFaults(name: string | undefined): FieldError[] {
  if (!name) return [required(classPath)];
  return dnsSubdomainFaults(name).map((detail) => invalid(classPath, name, detail));
}
