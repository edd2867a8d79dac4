import {boolType, dynType} from '../types/cel-type.js';
import {equal} from '../values/equality.js';
import {Fault} from '../values/fault.js';
import {functionsOf, method, type Library} from './overload.js';

/** Items of a list that can be searched: as many values as a device may have (Kubernetes' bound). */
export const longestIncluding = 48;

/** Kubernetes' `includes` of attributes of devices: whether a list has a value, or a value is another. */
export const includesLibrary: Library = {
  feature: 'includes',
  functions: functionsOf({includes: [method([dynType, dynType], boolType, includes)]}),
};

function includes(target: unknown, value: unknown): boolean | Fault {
  if (!Array.isArray(target)) return equal(target, value) === true;
  for (const [index, item] of target.entries()) {
    if (index === longestIncluding)
      return new Fault(`'includes' function cannot be applied to lists longer than ${longestIncluding} values`);
    if (equal(item, value) === true) return true;
  }
  return false;
}
