import {
  FieldPath,
  forbiddenField,
  invalid,
  qualifiedNameFaults,
  required,
  strategy,
  tooLong,
  type FieldError,
  type ResourceStrategy,
} from '../../../sdk/index.js';
import {sameValue} from '../../../sdk/validation/index.js';
import type {VolumeAttributesClass} from '../../../sdk/types/unchecked/storage/v1.js';
import {maximumParameters, parameterBytesFaults} from './parameter-faults.js';

const driverPath = FieldPath.of('driverName');
const parametersPath = FieldPath.of('parameters');

/** VolumeAttributesClass: how fast volumes are. Claims change to another class; the class itself is immutable. */
@strategy()
export class VolumeAttributesClassStrategy implements ResourceStrategy<VolumeAttributesClass> {
  validateCreate({driverName = '', parameters = {}}: VolumeAttributesClass): FieldError[] {
    const faults =
      driverName === ''
        ? [required(driverPath)]
        : qualifiedNameFaults(driverName.toLowerCase()).map((detail) => invalid(driverPath, driverName, detail));
    const count = Object.keys(parameters).length;
    if (count > maximumParameters) return [...faults, tooLong(parametersPath, maximumParameters)];
    faults.push(...parameterBytesFaults(parameters));
    return count === 0 ? [...faults, required(parametersPath, 'must contain at least one key/value pair')] : faults;
  }

  validateUpdate(object: VolumeAttributesClass, old: VolumeAttributesClass): FieldError[] {
    const changed = (['driverName', 'parameters'] as const).filter((member) => !sameValue(object[member], old[member]));
    return [
      ...changed.map((member) => forbiddenField(FieldPath.of(member), `updates to ${member} are forbidden.`)),
      ...this.validateCreate(object),
    ];
  }
}
