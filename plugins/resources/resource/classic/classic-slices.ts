import {dnsSubdomainFaults, FieldPath, type FieldError} from '../../../../sdk/index.js';
import {invalidFor, validateImmutable} from '../../../../sdk/validation/index.js';
import type {ResourceSlice} from '../../../../sdk/types/unchecked/resource/v1alpha2.js';
import {validateCsiDriverName} from '../../../families/volumes/csi-driver-name.js';
import {instanceFaults, missingModel} from './named-resources.js';

/** What Kubernetes calls the place of an error about the whole object. */
const noPath = FieldPath.of('<nil>');

/** Slices of `v1alpha2`: instances with attributes that a driver has on a node. */
export class ClassicSlices {
  validateCreate({nodeName, driverName, namedResources}: ResourceSlice): FieldError[] {
    return [
      ...(nodeName ? invalidFor(FieldPath.of('nodeName'), nodeName, dnsSubdomainFaults(nodeName)) : []),
      ...validateCsiDriverName(driverName, FieldPath.of('driverName')),
      ...(namedResources ? instanceFaults(namedResources.instances, FieldPath.of('namedResources', 'instances')) : [missingModel(noPath)]),
    ];
  }

  validateUpdate(object: ResourceSlice, old: ResourceSlice): FieldError[] {
    return [
      ...this.validateCreate(object),
      ...validateImmutable(object.nodeName ?? '', old.nodeName ?? '', FieldPath.of('nodeName')),
      ...validateImmutable(object.driverName, old.driverName, FieldPath.of('driverName')),
    ];
  }

  selectableFields({nodeName = '', driverName = ''}: ResourceSlice): Record<string, string> {
    return {nodeName, driverName};
  }
}
