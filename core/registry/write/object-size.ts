import {requestEntityTooLarge, type ApiObject, type StatusError} from '../../../sdk/index.js';
import {encodeJson} from '../../api/codec/json.js';
import {jsonSize} from '../../api/json/json-size.js';
import type {ServedVersion} from '../served-version.js';

/** Bytes of JSON that a character of a text takes at worst: a control character is written as `\u0000`. */
const worstBytes = 6;

/**
 * Refuses an object that is too large to be stored. What is only too large with the record of who owns its fields loses that
 * record, as in Kubernetes, unless the write is an apply, which is nothing without it. An object that is larger already (stored
 * when the bound was a higher one) may stay so large.
 *
 * Costs less than writing the object as JSON, and no more for a huge object than for one at the bound: what comes behind is spared it.
 *
 * @param stored bytes of the object that is replaced, 0 when there is none
 * @throws StatusError 413
 */
export function checkSize({maximumObjectBytes}: ServedVersion, object: ApiObject, stored: number, isApply: boolean): void {
  const limit = Math.max(maximumObjectBytes, stored);
  if (fits(object, limit)) return;
  if (!isApply && object.metadata.managedFields) {
    delete object.metadata.managedFields;
    if (fits(object, limit)) return;
  }
  throw tooLarge(maximumObjectBytes);
}

/**
 * The same before anything is done with the object that takes longer than looking at it: what defaults have made too large is not
 * worth the rest.
 *
 * @throws StatusError 413
 */
export function refuseHuge({maximumObjectBytes}: ServedVersion, object: ApiObject, stored: number): void {
  const limit = Math.max(maximumObjectBytes, stored);
  const {managedFields: _managedFields, ...metadata} = object.metadata;
  if (jsonSize({...object, metadata}, limit) > limit) throw tooLarge(maximumObjectBytes);
}

function tooLarge(maximumObjectBytes: number): StatusError {
  return requestEntityTooLarge(maximumObjectBytes, 'the object would be too large to be stored');
}

function fits(object: ApiObject, limit: number): boolean {
  const characters = jsonSize(object, limit);
  if (characters > limit) return false;
  return characters * worstBytes <= limit || Buffer.byteLength(encodeJson(object)) <= limit;
}
