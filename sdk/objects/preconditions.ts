import type {ApiObject} from './api-object.js';

/** For deletes: only this object, and only as it was read. */
export function preconditionsOf({metadata}: Pick<ApiObject, 'metadata'>): {uid: string; resourceVersion: string} {
  const {uid = '', resourceVersion = ''} = metadata;
  return {uid, resourceVersion};
}
