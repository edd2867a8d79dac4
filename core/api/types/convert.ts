import type {ApiObject} from '../../../sdk/index.js';
import type {ResourceTypeVersion} from './resource-type.js';

/**
 * An object in a version of a type; itself when it already is in that version. The input is not changed, and the result may
 * share parts with it. Types whose versions differ only in name need no strategy for it.
 */
export function convertTo(object: ApiObject, version: ResourceTypeVersion): ApiObject {
  return convertBy(object, version, version);
}

/** A version's object in the form in which its type is stored. */
export function convertToStored(object: ApiObject, version: ResourceTypeVersion): ApiObject {
  return convertBy(object, version.type.storageVersion, version);
}

/** A type that is a view of another one translates in both directions. */
function convertBy(object: ApiObject, target: ResourceTypeVersion, translator: ResourceTypeVersion): ApiObject {
  if (object.apiVersion === target.apiVersion) return object;
  const {strategy} = translator.type;
  const converted = strategy?.convert?.(object, {group: target.type.group, version: target.name}) ?? object;
  return converted.apiVersion === target.apiVersion ? converted : {...converted, apiVersion: target.apiVersion, kind: target.type.kind};
}
