import {FieldPath, strategy, type FieldError, type ResourceStrategy} from '../../../sdk/index.js';
import type {ResourceClass} from '../../../sdk/types/unchecked/resource/v1alpha1.js';
import {validateCsiDriverName} from '../../families/volumes/csi-driver-name.js';
import {validateNodeSelector} from '../../families/pods/node-selector.js';
import {classParametersFaults} from './classic/claim-spec-rules.js';

/** ResourceClass: a kind of resource and the driver that provides it. */
@strategy()
export class ResourceClassStrategy implements ResourceStrategy<ResourceClass> {
  validateCreate({driverName, parametersRef, suitableNodes}: ResourceClass): FieldError[] {
    return [
      ...validateCsiDriverName(driverName, FieldPath.of('driverName')),
      ...classParametersFaults(parametersRef, FieldPath.of('parametersRef')),
      ...(suitableNodes ? validateNodeSelector(suitableNodes, FieldPath.of('suitableNodes')) : []),
    ];
  }

  validateUpdate(object: ResourceClass): FieldError[] {
    return this.validateCreate(object);
  }
}
