import {conflict, FieldPath, invalid, invalidObject, notFound, StatusError, StoreError, type ApiObject} from '../../../sdk/index.js';
import {fillSystemFields} from '../../api/metadata/fill-system-fields.js';
import {convertToStored} from '../../api/types/convert.js';
import type {CachedObject} from '../../storage/cache/cached-object.js';
import {admissionRequest} from './admission-request.js';
import {createObject} from './create-object.js';
import {applyDefaults, errorTarget, strategyContext, type ServedVersion, type ObjectTarget} from '../served-version.js';
import {FieldOwners, isUnchanged, keepReadable, setManagedFields} from './field-owners.js';
import {matchPath, specChanged, validateChanged} from './object-rules.js';
import {checkSize, refuseHuge} from './object-size.js';
import {uniteOwnerReferences} from './owner-references.js';
import {readyToRemove} from './removal.js';
import {transientObject, type WriteResult} from '../result-object.js';
import {modifiedMessage, toStatusError} from '../store-errors.js';
import {warnWithoutEffect} from './warn-without-effect.js';
import {takeWritableFields} from './writable-fields.js';
import type {WriteContext} from './write-context.js';

/** Tries of a write that does not depend on a certain version, while others change the same object. */
const maximumAttempts = 20;

/** What an update, patch or apply wants of an object. */
export interface ObjectChange {
  /**
   * Makes the wanted object from the current one; undefined when there is none and one may be made.
   * Called again after a conflict; must answer an object of its own each time and leave `current` alone.
   */
  compute(current: ApiObject | undefined): ApiObject | Promise<ApiObject>;
  /** The uid that a PUT names: it is of that object only. A patch changes an object, and a uid cannot be changed. */
  readonly uid?: string | undefined;
  /** Whether `compute` has recorded the owners of the fields of its objects, as an apply does. */
  readonly ownersRecorded?: boolean;
  /** A missing object is created; checked (permission to create, for one) before that happens. */
  readonly create?: () => void | Promise<void>;
}

/**
 * Changes an object: the one path of update, patch and apply, on the main endpoint and on subresources.
 * Commits only if the object is still the one that was looked at; otherwise it starts again from the new state, unless the
 * wanted object names a `resourceVersion` of its own.
 *
 * @throws StatusError 400, 403 (admission), 404, 409 `Conflict`, 422, 503
 */
export async function updateObject(
  served: ServedVersion,
  target: ObjectTarget,
  change: ObjectChange,
  context: WriteContext,
): Promise<WriteResult> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const current = await served.storage.get(target.namespace, target.name, 'recent');
      if (current) return await changeExisting(served, target, current, change, context);
      if (change.uid) throw anotherUid(served, target.name, change.uid, '');
      if (!change.create) throw notFound(errorTarget(served, target.name));
      await change.create();
      return await createMissing(served, target, await change.compute(undefined), change, context);
    } catch (error) {
      if (isOvertaken(error) && attempt < maximumAttempts && !context.signal?.aborted) continue;
      throw toStatusError(error, errorTarget(served, target.name));
    }
  }
}

/** Others changed, removed or created the object in the meantime. */
function isOvertaken(error: unknown): boolean {
  return StoreError.is(error)
    ? error.code === 'Mismatch' || error.code === 'Missing'
    : StatusError.is(error) && error.reason === 'AlreadyExists';
}

/** If the object does not exist, a given version is ignored but a given uid is not: that object is gone. */
function createMissing(
  served: ServedVersion,
  target: ObjectTarget,
  object: ApiObject,
  change: ObjectChange,
  context: WriteContext,
): Promise<WriteResult> {
  const {uid} = object.metadata;
  if (uid) throw anotherUid(served, target.name, uid, '');
  delete object.metadata.resourceVersion;
  return createObject(
    served,
    target.namespace,
    target.name,
    object,
    context,
    change.ownersRecorded ? object.metadata.managedFields : undefined,
  );
}

async function changeExisting(
  served: ServedVersion,
  target: ObjectTarget,
  current: CachedObject,
  change: ObjectChange,
  context: WriteContext,
): Promise<WriteResult> {
  const {type, version, storage, view} = served;
  const now = served.clock();
  const shown = await view.converted(current);
  const old = shown.object();
  let object = await change.compute(old);
  const sentOwners = object.metadata.managedFields;
  matchPath(served, object, target);
  if (change.uid && change.uid !== old.metadata.uid) throw anotherUid(served, target.name, change.uid, old.metadata.uid ?? '');
  const conditional = checkPreconditions(served, object, old);
  object = takeWritableFields(served, target, object, old);
  fillSystemFields(object.metadata, old.metadata);
  object.metadata.resourceVersion = old.metadata.resourceVersion;
  setManagedFields(object, old.metadata.managedFields);
  uniteOwnerReferences(object, context);
  applyDefaults(served, object);
  refuseHuge(served, object, current.bytes.length);
  const owners = change.ownersRecorded ? sentOwners : await FieldOwners.of(served).ofChanged(object, old, sentOwners, target, context, now);
  setManagedFields(object, owners);
  const recorded = object.metadata.managedFields;

  const admission = admissionRequest(served, 'UPDATE', target, context, object, old);
  if (await served.admission.admit(admission)) {
    keepReadable(object, recorded, context);
    uniteOwnerReferences(object, context);
    applyDefaults(served, object);
  }
  await type.strategy?.prepareForUpdate?.(object, old, strategyContext(served, target, context, now));
  if (type.behaviour.generation === 'spec') {
    const before = old.metadata.generation ?? 0;
    const generation = specChanged(served, object, old) ? before + 1 : before;
    if (generation > 0) object.metadata.generation = generation;
  }
  checkSize(served, object, current.bytes.length, change.ownersRecorded ?? false);
  await validateChanged(served, object, old, target, context, now);
  type.strategy?.canonicalize?.(object);
  await served.admission.validate(admission);

  const removable = readyToRemove(served, object);
  // An object stored in an older form is rewritten, so a client migrates objects by writing them all back unchanged.
  if (!removable && isUnchanged(object, old) && view.isStoredAsConverted(current)) return {result: shown, created: false};
  if (target.subresource === '') warnWithoutEffect(served, object, old, context);
  if (context.dryRun) return {result: transientObject(object), created: false};
  try {
    if (removable) {
      await storage.delete(target.namespace, target.name, current.revision);
      return {result: transientObject(object), created: false};
    }
    const cached = await storage.update(
      await convertToStored(object, version),
      current,
      target.namespace,
      target.name,
      type.storageVersion.schemaMark,
    );
    return {result: await view.converted(cached), created: false};
  } catch (error) {
    if (conditional && StoreError.is(error) && error.code === 'Mismatch') throw conflict(errorTarget(served, target.name), modifiedMessage);
    throw error;
  }
}

/**
 * Compares what the wanted object says about the current one. Answers whether the write depends on the current version.
 *
 * A patch without a version of its own carries the version it was computed from; it is computed anew after a conflict,
 * so it counts as conditional only where the version was given by the client, which `compute` tells by leaving it in place:
 * computed objects without a given version have none.
 */
function checkPreconditions(served: ServedVersion, object: ApiObject, old: ApiObject): boolean {
  const {metadata} = object;
  if (!metadata.resourceVersion) return false;
  if (metadata.resourceVersion !== old.metadata.resourceVersion)
    throw conflict(errorTarget(served, old.metadata.name ?? ''), modifiedMessage);
  return true;
}

function anotherUid(served: ServedVersion, name: string, wanted: string, actual: string): StatusError {
  return conflict(errorTarget(served, name), `Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${actual}`);
}

/** @throws 422 for a PUT without a version where the type demands one */
export function requireVersion(served: ServedVersion, object: ApiObject): void {
  if (served.type.behaviour.unconditionalUpdate || object.metadata.resourceVersion) return;
  throw invalidObject(served.version.kind, object.metadata.name ?? '', [
    invalid(FieldPath.of('metadata', 'resourceVersion'), 0, 'must be specified for an update'),
  ]);
}
