import {conflict, notFound, StoreError, type ApiObject} from '../../../sdk/index.js';
import {cloneJson} from '../../api/json/clone-json.js';
import {convertToStored} from '../../api/types/convert.js';
import type {CachedObject} from '../../storage/cache/cached-object.js';
import {admissionRequest} from './admission-request.js';
import type {DeleteOptions} from './delete-options.js';
import {errorTarget, strategyContext, timestamp, type ServedVersion} from '../served-version.js';
import {transientObject, type ResultObject} from '../result-object.js';
import {toStatusError} from '../store-errors.js';
import type {WriteContext} from './write-context.js';

const maximumAttempts = 20;
const orphanFinalizer = 'orphan';
const foregroundFinalizer = 'foregroundDeletion';

/** What a deletion has done. */
export interface DeleteResult {
  /** The object is gone; otherwise finalizers or a grace period hold it. */
  readonly removed: boolean;
  /** Its last state, or its state as it waits. */
  readonly result: ResultObject;
}

/**
 * Deletes an object, or marks it as terminating where finalizers, dependents or a grace period hold it
 * (docs/semantics/deletion.md#finalizers).
 *
 * @throws StatusError 403 (admission), 404, 409 (preconditions), 503
 */
export async function deleteObject(
  served: ServedVersion,
  target: {namespace: string; name: string},
  options: DeleteOptions,
  context: WriteContext,
): Promise<DeleteResult> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const current = await served.storage.get(target.namespace, target.name, 'recent');
      if (!current) throw notFound(errorTarget(served, target.name));
      return await deleteCurrent(served, {...target, subresource: ''}, current, options, context);
    } catch (error) {
      const overtaken = StoreError.is(error) && (error.code === 'Mismatch' || error.code === 'Missing');
      if (overtaken && attempt < maximumAttempts && !context.signal?.aborted) continue;
      throw toStatusError(error, errorTarget(served, target.name));
    }
  }
}

async function deleteCurrent(
  served: ServedVersion,
  target: {namespace: string; name: string; subresource: string},
  current: CachedObject,
  options: DeleteOptions,
  context: WriteContext,
): Promise<DeleteResult> {
  const {type, version, storage, view} = served;
  const now = served.clock();
  const shown = await view.converted(current);
  const old = shown.object();
  checkPreconditions(served, old, options);
  const admission = admissionRequest(served, 'DELETE', target, context, undefined, old);
  await served.admission.admit(admission);
  await served.admission.validate(admission);

  const object = cloneJson(old);
  const decision = type.strategy?.beforeDelete?.(object, options.gracePeriodSeconds, strategyContext(served, target, context, now)) ?? {
    action: 'remove',
  };
  // After the strategy, which may add one.
  const finalizers = finalizersFor(served, object, options);

  if (finalizers.length === 0 && decision.action === 'remove') {
    if (!context.dryRun) await storage.delete(target.namespace, target.name, current.revision);
    return {removed: true, result: shown};
  }
  const changed = markTerminating(served, object, finalizers, decision.action === 'terminate' ? decision.gracePeriodSeconds : 0, now);
  if (!changed) return {removed: false, result: shown};
  if (context.dryRun) return {removed: false, result: transientObject(object)};
  const cached = await storage.update(
    await convertToStored(object, version),
    current,
    target.namespace,
    target.name,
    type.storageVersion.schemaMark,
  );
  return {removed: false, result: await view.converted(cached)};
}

function checkPreconditions(served: ServedVersion, old: ApiObject, {preconditions}: DeleteOptions): void {
  const target = errorTarget(served, old.metadata.name ?? '');
  const {uid, resourceVersion} = preconditions;
  if (uid !== undefined && uid !== old.metadata.uid) {
    throw conflict(target, `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${old.metadata.uid ?? ''}`);
  }
  if (resourceVersion !== undefined && resourceVersion !== old.metadata.resourceVersion) {
    throw conflict(
      target,
      `Precondition failed: ResourceVersion in precondition: ${resourceVersion}, ResourceVersion in object meta: ${old.metadata.resourceVersion ?? ''}`,
    );
  }
}

/** The finalizers with which the object waits: those it has, and the one that the propagation policy asks for. */
function finalizersFor(served: ServedVersion, object: ApiObject, options: DeleteOptions): string[] {
  const present = object.metadata.finalizers ?? [];
  const policy =
    options.propagationPolicy ??
    (present.includes(orphanFinalizer)
      ? 'Orphan'
      : present.includes(foregroundFinalizer)
        ? 'Foreground'
        : served.type.behaviour.defaultDelete);
  const others = present.filter((name) => name !== orphanFinalizer && name !== foregroundFinalizer);
  if (policy === 'Orphan') return [...others, orphanFinalizer];
  if (policy === 'Foreground') return [...others, foregroundFinalizer];
  return others;
}

/** Answers whether anything changed: a second delete leaves a terminating object as it is, unless it shortens the wait. */
function markTerminating(
  served: ServedVersion,
  object: ApiObject,
  finalizers: readonly string[],
  gracePeriodSeconds: number | undefined,
  now: number,
): boolean {
  const {metadata} = object;
  const sameFinalizers = JSON.stringify(metadata.finalizers ?? []) === JSON.stringify(finalizers);
  if (!sameFinalizers) {
    if (finalizers.length > 0) metadata.finalizers = [...finalizers];
    else delete metadata.finalizers;
  }
  if (metadata.deletionTimestamp) {
    if (gracePeriodSeconds === undefined || gracePeriodSeconds >= (metadata.deletionGracePeriodSeconds ?? 0)) return !sameFinalizers;
    const start = Date.parse(metadata.deletionTimestamp) - (metadata.deletionGracePeriodSeconds ?? 0) * 1000;
    metadata.deletionTimestamp = timestamp(Math.max(start + gracePeriodSeconds * 1000, 0));
  } else {
    metadata.deletionTimestamp = timestamp(now + (gracePeriodSeconds ?? 0) * 1000);
    if (metadata.generation !== undefined && served.type.behaviour.generation === 'spec') metadata.generation += 1;
  }
  if (gracePeriodSeconds !== undefined) metadata.deletionGracePeriodSeconds = gracePeriodSeconds;
  return true;
}
