import {randomUUID} from 'node:crypto';
import {badRequest, StatusError, StoreError, type ApiObject} from '../../../sdk/index.js';
import type {ManagedFields} from '../../api/apply/managers/managed-fields.js';
import {generateName} from '../../api/metadata/generate-name.js';
import {convertToStored} from '../../api/types/convert.js';
import {admissionRequest} from './admission-request.js';
import {applyDefaults, errorTarget, strategyContext, timestamp, type ServedVersion} from '../served-version.js';
import {FieldOwners, keepReadable, setManagedFields} from './field-owners.js';
import {matchPath, validateNew} from './object-rules.js';
import {checkSize, refuseHuge} from './object-size.js';
import {uniteOwnerReferences} from './owner-references.js';
import {restorePath} from './restore-paths.js';
import {transientObject, type WriteResult} from '../result-object.js';
import {toStatusError} from '../store-errors.js';
import {warnWithoutEffect} from './warn-without-effect.js';
import type {WriteContext} from './write-context.js';

/** Tries with `generateName`, as often as a random name may meet an existing one. */
const nameAttempts = 8;

/**
 * Stores a new object: the one path of create, of an update that creates and of an apply that creates.
 * `object` was decoded by the type's schema and is the function's own from here on.
 *
 * @param name the name of the path, empty for a create
 * @param owners of the object's fields, where they are recorded already
 * @throws StatusError 400, 403 (admission), 409 `AlreadyExists`, 422, 503
 */
export async function createObject(
  served: ServedVersion,
  namespace: string,
  name: string,
  object: ApiObject,
  context: WriteContext,
  owners?: ManagedFields,
): Promise<WriteResult> {
  const now = served.clock();
  const {type} = served;
  if (object.metadata.resourceVersion) throw badRequest('resourceVersion should not be set on objects to be created');
  matchPath(served, object, {namespace, name});
  setSystemFields(served, object, now);
  uniteOwnerReferences(object, context);
  applyDefaults(served, object);
  refuseHuge(served, object, 0);
  setManagedFields(object, owners ?? (await FieldOwners.of(served).ofNew(object, context, now)));
  const recorded = object.metadata.managedFields;

  const target = {namespace, name: object.metadata.name ?? '', subresource: ''};
  const admission = admissionRequest(served, 'CREATE', target, context, object, undefined);
  if (await served.admission.admit(admission)) {
    keepReadable(object, recorded, context);
    uniteOwnerReferences(object, context);
    applyDefaults(served, object);
  }

  for (const path of served.version.resetFields['main'] ?? []) restorePath(object, undefined, path);
  await type.strategy?.prepareForCreate?.(object, strategyContext(served, target, context, now));
  applyDefaults(served, object);
  checkSize(served, object, 0, owners !== undefined);

  const generated = !object.metadata.name && Boolean(object.metadata.generateName);
  for (let attempt = 1; ; attempt += 1) {
    if (generated) object.metadata.name = generateName(object.metadata.generateName!);
    await validateNew(served, object, target, context, now);
    type.strategy?.canonicalize?.(object);
    if (attempt === 1) {
      await served.admission.validate({...admission, name: object.metadata.name!});
      warnWithoutEffect(served, object, undefined, context);
    }
    try {
      return await store(served, namespace, object, context);
    } catch (error) {
      if (generated && attempt < nameAttempts && StoreError.is(error) && error.code === 'Exists') continue;
      throw await tellDeletion(served, namespace, toStatusError(error, errorTarget(served, object.metadata.name!)));
    }
  }
}

/** The existing object may be terminating: operators look for these words and retry. */
async function tellDeletion(served: ServedVersion, namespace: string, error: unknown): Promise<unknown> {
  if (!StatusError.is(error) || error.reason !== 'AlreadyExists') return error;
  let existing;
  try {
    existing = await served.storage.get(namespace, error.details!.name!, 'recent');
  } catch {
    // It is in the way, whether it can be read or not.
    return error;
  }
  if (!existing?.object().metadata.deletionTimestamp) return error;
  return new StatusError(error.code, error.reason, `object is being deleted: ${error.message}`, {details: error.details!});
}

async function store(served: ServedVersion, namespace: string, object: ApiObject, context: WriteContext): Promise<WriteResult> {
  const name = object.metadata.name!;
  if (context.dryRun) {
    const existing = await served.storage.get(namespace, name, 'recent');
    if (existing) throw new StoreError('Exists', `${name} exists`);
    return {result: transientObject(object), created: true};
  }
  const {type, version, storage, view} = served;
  const stored = await convertToStored(object, version);
  served.checkServed('create');
  const cached = await storage.create(stored, namespace, name, type.storageVersion.schemaMark);
  return {result: await view.converted(cached), created: true};
}

/** What only the server decides about a new object (docs/semantics/objects.md#metadata). */
function setSystemFields(served: ServedVersion, object: ApiObject, now: number): void {
  const {metadata} = object;
  delete metadata.resourceVersion;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata.selfLink;
  delete metadata.managedFields;
  metadata.uid = randomUUID();
  metadata.creationTimestamp = timestamp(now);
  if (served.type.behaviour.generation === 'spec') metadata.generation = 1;
  else delete metadata.generation;
}
