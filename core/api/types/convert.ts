import type {ApiObject} from '../../../sdk/index.js';
import type {ResourceTypeVersion} from './resource-type.js';

/**
 * The same object in another version of its type. The input is not changed; it is returned itself when it already is
 * in that version. Types whose versions differ only in name need no more than a new `apiVersion`.
 */
export function convertTo(object: ApiObject, version: ResourceTypeVersion): ApiObject {
  return object.apiVersion === version.apiVersion ? object : {...object, apiVersion: version.apiVersion};
}
