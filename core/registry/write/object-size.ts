import {requestEntityTooLarge, type ApiObject, type StatusError} from '../../../sdk/index.js';
import {encodeJson} from '../../api/codec/json.js';
import {jsonSize} from '../../api/json/json-size.js';
import type {Pace} from '../pace.js';
import type {ServedVersion} from '../served-version.js';

/** Maximum bytes of JSON for one character of a string: a control character is written as `\u0000`. */
const worstBytes = 6;

/**
 * Rejects an object that is too large to be stored. If it is too large only because of its managed fields, those are dropped, as in
 * Kubernetes, unless the write is an apply, which needs them. An object that is already larger (stored when the limit was higher) may keep
 * its size.
 *
 * Costs less than serializing the object, and no more for a huge object than for one at the limit; later steps never see a huge object.
 *
 * @param stored bytes of the object that is replaced, 0 if there is none
 * @throws StatusError 413
 */
export function checkSize(
  {maximumObjectBytes}: ServedVersion,
  object: ApiObject,
  stored: number,
  isApply: boolean,
  pace: Pace,
): void | Promise<void> {
  const limit = Math.max(maximumObjectBytes, stored);
  // Fast path: what is small by any count needs no other look.
  const characters = jsonSize(object, limit);
  if (characters * worstBytes > limit) return checkLarge(maximumObjectBytes, object, characters, limit, isApply, pace);
}

async function checkLarge(
  maximum: number,
  object: ApiObject,
  characters: number,
  limit: number,
  isApply: boolean,
  pace: Pace,
): Promise<void> {
  await pace.pause();
  if (fits(object, characters, limit)) return;
  if (!isApply && object.metadata.managedFields) {
    delete object.metadata.managedFields;
    await pace.pause();
    if (fits(object, jsonSize(object, limit), limit)) return;
  }
  throw tooLarge(maximum);
}

/**
 * The same check before expensive steps: an object that is too large as it was sent need not be given defaults, and one that these have made too large need not go
 * further.
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

function fits(object: ApiObject, characters: number, limit: number): boolean {
  if (characters > limit) return false;
  return characters * worstBytes <= limit || Buffer.byteLength(encodeJson(object)) <= limit;
}
