import type {Refusal} from './request.js';
import type {ApiObject} from './types.js';

/** What is edited of an object: who owns the fields is for another view. */
export function editable({metadata: {managedFields: _managedFields, ...metadata}, ...rest}: ApiObject): object {
  const {apiVersion, kind, ...members} = rest;
  return {apiVersion, kind, metadata, ...members};
}

/** What is compared of versions of an object: all of them differ in their numbers. */
export function comparable({
  metadata: {resourceVersion: _resourceVersion, managedFields: _managedFields, ...metadata},
  ...rest
}: ApiObject): object {
  const {apiVersion, kind, ...members} = rest;
  return {apiVersion, kind, metadata, ...members};
}

/** Whether a conflict is about the version, and not about what somebody else owns. */
export function isOvertaken({code, message}: Refusal): boolean {
  return code === 409 && message.includes('the object has been modified');
}
