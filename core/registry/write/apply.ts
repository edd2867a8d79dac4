import {invalidObject, notFound, type ApiObject, type JsonObject} from '../../../sdk/index.js';
import {conflictError} from '../../api/apply/managers/conflicts.js';
import {applyConfiguration} from '../../api/apply/managers/apply-configuration.js';
import {fieldsLastApplied, kubectlManager, refreshLastApplied} from '../../api/apply/managers/last-applied.js';
import {trackUpdate} from '../../api/apply/managers/track-update.js';
import {difference, emptySet, isEmptySet} from '../../api/apply/fields/field-set.js';
import {cloneJson} from '../../api/json/clone-json.js';
import {nullFaults} from '../../api/schema/validation/null-faults.js';
import {checkName, readConfiguration, reportRepetitions, type ApplyRequest, type Configuration} from './read-configuration.js';
import {decodeObject} from './decode-object.js';
import {errorTarget, type ServedVersion, type ObjectTarget} from '../served-version.js';
import {FieldOwners, setManagedFields} from './field-owners.js';
import type {WriteResult} from '../result-object.js';
import {changeObject} from './change-object.js';
import {forgetVersion} from './changed-object.js';
import {requireVersion} from './update.js';
import {settableOf, takeWritableFields} from './writable-fields.js';
import type {WriteContext} from '../request-context.js';

/** Owner of the fields that existed before ownership was recorded. */
const beforeFirstApply = 'before-first-apply';

/**
 * Server-side apply: merges a configuration into an object, or creates the object. `context.fieldManager` is the applier.
 *
 * @throws StatusError 400 (no configuration of the type, another name), 403, 404, 409 `Conflict` (fields of others, another uid or version), 422, 503
 */
export async function applyObject(
  served: ServedVersion,
  target: ObjectTarget,
  request: ApplyRequest,
  context: WriteContext,
): Promise<WriteResult> {
  // What cannot be created is looked for first, as in Kubernetes, where the status of what a PUT creates can be applied to nothing.
  const isReadFirst = request.mayCreate !== undefined || (target.subresource === 'status' && served.type.behaviour.createOnUpdate);
  let configuration = isReadFirst ? await readConfiguration(served, target, request, context) : undefined;
  const change = {
    ownersRecorded: true,
    compute: async (current: ApiObject | undefined) => {
      configuration ??= await readConfiguration(served, target, request, context);
      const object = await applied(served, target, configuration, current, request.force, context);
      reportRepetitions(request.body, context);
      checkName(served, target, configuration, current !== undefined);
      requireValues(served, target, configuration);
      return object;
    },
    mayCreate: request.mayCreate ?? (configuration && refusal(served, target, configuration)),
  };
  return changeObject(served, target, change, context);
}

/** A status makes no object, whoever may create one. */
function refusal(served: ServedVersion, target: ObjectTarget, configuration: Configuration): () => never {
  return () => {
    checkName(served, target, configuration, false);
    throw notFound(errorTarget(served, target.name));
  };
}

/** @throws 422 for a null where the schema has something else, in what the endpoint lets an applier set */
function requireValues(served: ServedVersion, target: ObjectTarget, {config}: Configuration): void {
  const {kind, schema} = served.version;
  const {isStatus, take} = settableOf(served, target);
  if (nullFaults(schema.node, config, isStatus).length === 0) return;
  const taken = take(cloneJson(config) as unknown as ApiObject);
  const faults = nullFaults(schema.node, taken as unknown as JsonObject, isStatus);
  if (faults.length > 0) throw invalidObject(kind, taken.metadata.name ?? '', faults);
}

async function applied(
  served: ServedVersion,
  target: ObjectTarget,
  {config, textOf, apiVersion}: Configuration,
  current: ApiObject | undefined,
  force: boolean,
  context: WriteContext,
): Promise<ApiObject> {
  const owners = FieldOwners.of(served);
  const {version, find} = owners;
  const now = served.clock();
  const {task} = context;
  const live = current as unknown as JsonObject | undefined;
  let entries = current?.metadata.managedFields ?? [];
  if (live && entries.length === 0) {
    const writer = owners.writer(beforeFirstApply, target.subresource, now);
    entries = [...(await trackUpdate(owners.nothing, live, [], version, find, writer, task))];
  }
  const outcome = await applyConfiguration({
    live: live ?? owners.nothing,
    config,
    entries,
    version,
    find,
    applier: owners.writer(context.fieldManager, target.subresource, now),
    normalize: (object) => normalized(served, target, object, current, context),
    writable: (object) => writablePart(served, target, copyToChange(object) as unknown as ApiObject, current),
    task,
  });
  const isKubectl = context.fieldManager === kubectlManager;
  if (outcome.conflicts.length > 0 && !force) {
    const allowed = isKubectl && current ? fieldsLastApplied(current, version) : emptySet;
    const conflicts = outcome.conflicts
      .map(({owner, fields}) => ({owner, fields: difference(fields, allowed)}))
      .filter(({fields}) => !isEmptySet(fields));
    if (conflicts.length > 0) throw conflictError(conflicts, textOf, apiVersion);
  }
  const object = outcome.object as unknown as ApiObject;
  if (isKubectl) refreshLastApplied(object, config);
  setManagedFields(object, outcome.entries);
  // If the configuration names no version, the write does not depend on the one it was applied to.
  const given = (config['metadata'] as JsonObject)['resourceVersion'];
  if (live && (given === '' || given === '0')) requireVersion(served, object);
  if (given === undefined && live) forgetVersion(object);
  return object;
}

/** The merged object in the form of its type, with only the fields that the endpoint lets an applier set. */
async function normalized(
  served: ServedVersion,
  target: ObjectTarget,
  merged: JsonObject,
  current: ApiObject | undefined,
  context: WriteContext,
): Promise<JsonObject> {
  const {kind, schema} = served.version;
  const value = copyToChange(merged);
  if (context.task.isDue) await context.task.yield();
  const settable = {isStatus: false, take: (body: ApiObject) => body, before: current};
  const object = decodeObject({value, duplicates: []}, {kind, schema}, {...context, fieldValidation: 'Ignore'}, settable);
  if (context.task.isDue) await context.task.yield();
  return writablePart(served, target, object, current);
}

/** A deep copy of a merged object without the owners of its fields: these are those of the live object, as no configuration has any. */
function copyToChange(merged: JsonObject): JsonObject {
  const {managedFields: _managedFields, ...metadata} = (merged['metadata'] ?? {}) as JsonObject;
  return cloneJson({...merged, metadata});
}

/** What the endpoint lets an applier set of a wanted object, which is changed. */
function writablePart(served: ServedVersion, target: ObjectTarget, object: ApiObject, current: ApiObject | undefined): JsonObject {
  const writable = current ? takeWritableFields(served, target, object, current) : object;
  // The same list as in the live object: its items need not be compared.
  if (current?.metadata.managedFields) writable.metadata.managedFields = current.metadata.managedFields;
  return writable as unknown as JsonObject;
}
