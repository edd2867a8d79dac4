import {requestEntityTooLarge, type ApiObject, type StatusError} from '../../../sdk/index.js';
import {encodeJson} from '../../api/codec/json.js';
import {countValues, jsonSize} from '../../api/json/json-size.js';
import type {RequestTask} from '../request-task.js';
import {applyDefaults, type ServedVersion} from '../served-version.js';
import type {WriteScope} from './write-scope.js';

/** Maximum bytes of JSON for one character of a string: a control character is written as `\u0000`. */
const worstBytes = 6;

/**
 * Maximum values (texts, numbers, lists, objects and the like) of an object, apart from its managed fields. Whoever may write cluster-wide objects has power over the
 * server anyway, and definitions of some real types have tens of thousands.
 */
export const maximumObjectValues = {namespaced: 30_000, clusterWide: 90_000} as const;
/** Minimum bytes of a value in JSON, with its comma. */
const leastBytes = 2;

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
  task: RequestTask,
): void | Promise<void> {
  const limit = Math.max(maximumObjectBytes, stored);
  // Fast path: small by any count.
  const characters = jsonSize(object, limit);
  if (characters * worstBytes > limit) return checkLarge(maximumObjectBytes, object, characters, limit, isApply, task);
}

async function checkLarge(
  maximum: number,
  object: ApiObject,
  characters: number,
  limit: number,
  isApply: boolean,
  task: RequestTask,
): Promise<void> {
  if (task.isDue) await task.yield();
  if (fits(object, characters, limit)) return;
  if (!isApply && object.metadata.managedFields) {
    delete object.metadata.managedFields;
    if (task.isDue) await task.yield();
    if (fits(object, jsonSize(object, limit), limit)) return;
  }
  throw tooLarge(maximum);
}

/**
 * Fills in defaults, with the same check before and after: an object that is too large as it was sent need not be given defaults, and one that these have made too
 * large need not go further. Nor may it have more values than steps can work on in one turn, unless it had as many before.
 *
 * @param stored bytes of the object that is replaced, 0 if there is none
 * @param old the object that is replaced
 * @throws StatusError 413
 */
export function fillDefaults(scope: WriteScope, object: ApiObject, stored: number, old?: ApiObject): void | Promise<void> {
  const {served} = scope;
  if (mayBeHuge(served, object)) return fillLarge(scope, object, stored, old);
  applyDefaults(served, object);
  if (mayBeHuge(served, object)) return refuseHuge(scope, object, stored, old);
}

async function fillLarge(scope: WriteScope, object: ApiObject, stored: number, old: ApiObject | undefined): Promise<void> {
  const {served, context} = scope;
  const {task} = context;
  await refuseHuge(scope, object, stored, old);
  if (task.isDue) await task.yield();
  applyDefaults(served, object);
  if (task.isDue) await task.yield();
  await refuseHuge(scope, object, stored, old);
}

/** Whether an object is not too small for that, with its managed fields. */
function mayBeHuge(served: ServedVersion, object: ApiObject): boolean {
  const enough = Math.min(served.maximumObjectBytes, maximumValues(served) * leastBytes);
  return jsonSize(object, enough) >= enough;
}

function maximumValues({type}: ServedVersion): number {
  return type.namespaced ? maximumObjectValues.namespaced : maximumObjectValues.clusterWide;
}

async function refuseHuge(
  {served, context: {task}}: WriteScope,
  object: ApiObject,
  stored: number,
  old: ApiObject | undefined,
): Promise<void> {
  const {maximumObjectBytes} = served;
  const maximum = maximumValues(served);
  const limit = Math.max(maximumObjectBytes, stored);
  const counted = unmanaged(object);
  const size = jsonSize(counted, limit);
  if (size > limit) throw tooLarge(maximumObjectBytes);
  if (size < maximum * leastBytes) return;
  if (task.isDue) await task.yield();
  const values = countValues(counted, Number.POSITIVE_INFINITY);
  if (values > maximum && (!old || values > countValues(unmanaged(old), values)))
    throw requestEntityTooLarge(maximum, 'the object would have too many values (texts, numbers, lists, objects and the like)');
}

function unmanaged(object: ApiObject): object {
  const {managedFields: _managedFields, ...metadata} = object.metadata;
  return {...object, metadata};
}

function tooLarge(maximumObjectBytes: number): StatusError {
  return requestEntityTooLarge(maximumObjectBytes, 'the object would be too large to be stored');
}

function fits(object: ApiObject, characters: number, limit: number): boolean {
  if (characters > limit) return false;
  return characters * worstBytes <= limit || Buffer.byteLength(encodeJson(object)) <= limit;
}
