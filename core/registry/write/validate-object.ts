import {limitFaults, TooManyFaults} from '../../../sdk/errors/fault-limit.js';
import {badRequest, FieldPath, invalidObject, type ApiObject, type FieldError, type JsonObject} from '../../../sdk/index.js';
import {equalJson} from '../../../sdk/values/equal-json.js';
import {finalizerWarnings} from '../../api/metadata/finalizers.js';
import {validateObjectMeta, validateObjectMetaUpdate, type MetadataRules} from '../../api/metadata/validate-object-meta.js';
import {strategyContext, type ServedVersion, type ObjectTarget} from '../served-version.js';
import type {WriteContext} from '../request-context.js';

const metadataPath = FieldPath.of('metadata');

/**
 * Compares an object from a client with the path, and fills in the namespace. One of a cluster-scoped type loses the namespace that it has, as in
 * Kubernetes: Helm and others put their own into all objects. An object that is written by name must contain its name: one
 * without is a mistake, not an empty object of that name.
 *
 * @throws 400 if body and path differ, or the body has no name
 */
export function matchPath(served: ServedVersion, object: ApiObject, target: {namespace: string; name: string}): void {
  const {metadata} = object;
  if (target.name !== '') {
    if (!metadata.name) throw badRequest(`the name of the object (${target.name} based on URL) was undeterminable: name must be provided`);
    if (metadata.name !== target.name)
      throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${target.name})`);
  }
  if (!served.type.namespaced) delete metadata.namespace;
  else if (!metadata.namespace) metadata.namespace = target.namespace;
  else if (metadata.namespace !== target.namespace) {
    throw badRequest(`the namespace of the provided object does not match the namespace sent on the request`);
  }
}

/** Validates a new object. @throws 422 with all errors, or with the first ones found if there are very many */
export function validateNew(
  served: ServedVersion,
  object: ApiObject,
  target: ObjectTarget,
  context: WriteContext,
  now: number,
): Promise<void> {
  const {strategy} = served.type;
  warnOfFinalizers(served, object, undefined, context);
  return judge(served, object, async () => {
    let waiting = context.pace.pause();
    if (waiting) await waiting;
    const ofMetadata = validateObjectMeta(object.metadata, metadataRules(served), metadataPath);
    if ((waiting = context.pace.pause())) await waiting;
    const ofSchema = served.version.schema.validate(object as unknown as JsonObject);
    if ((waiting = context.pace.pause())) await waiting;
    // Strategies rely on the schema.
    if (!strategy?.validateCreate || ofSchema.length > 0) return [...ofMetadata, ...ofSchema];
    return [...ofMetadata, ...(await strategy.validateCreate(object, strategyContext(served, target, context, now)))];
  });
}

/** Validates a changed object. @throws 422 with all errors, or with the first ones found if there are very many */
export function validateChanged(
  served: ServedVersion,
  object: ApiObject,
  old: ApiObject,
  target: ObjectTarget,
  context: WriteContext,
  now: number,
): Promise<void> {
  const {strategy} = served.type;
  const {schema} = served.version;
  warnOfFinalizers(served, object, old, context);
  return judge(served, object, async () => {
    let waiting = context.pace.pause();
    if (waiting) await waiting;
    const faults = validateObjectMeta(object.metadata, metadataRules(served), metadataPath);
    faults.push(...validateObjectMetaUpdate(object.metadata, old.metadata, metadataPath));
    if ((waiting = context.pace.pause())) await waiting;
    const ofSchema = schema.validate(object as unknown as JsonObject, old as unknown as JsonObject);
    if ((waiting = context.pace.pause())) await waiting;
    faults.push(...ofSchema, ...schema.validateUpdate(object as unknown as JsonObject, old as unknown as JsonObject));
    if ((waiting = context.pace.pause())) await waiting;
    if (!strategy?.validateUpdate || ofSchema.length > 0) return faults;
    return [...faults, ...(await strategy.validateUpdate(object, old, strategyContext(served, target, context, now)))];
  });
}

/** Runs a validation up to its limits. @throws 422 with the errors it finds */
async function judge(served: ServedVersion, {metadata}: ApiObject, validate: () => Promise<FieldError[]>): Promise<void> {
  const {kind} = served.version;
  try {
    const faults = await limitFaults(validate);
    if (faults.length > 0) throw invalidObject(kind, metadata.name ?? '', faults);
  } catch (error) {
    throw TooManyFaults.is<FieldError>(error) ? invalidObject(kind, metadata.name ?? '', error.faults, true) : error;
  }
}

function metadataRules({type}: ServedVersion): MetadataRules {
  const {namespaced, behaviour, origin, standardFinalizers} = type;
  return {namespaced, nameFormat: behaviour.nameFormat, standardFinalizers: origin === 'custom' ? undefined : standardFinalizers};
}

function warnOfFinalizers({type}: ServedVersion, {metadata}: ApiObject, old: ApiObject | undefined, context: WriteContext): void {
  const {finalizers = []} = metadata;
  if (type.origin !== 'custom' || finalizers.length === 0) return;
  const path = metadataPath.child('finalizers');
  for (const warning of finalizerWarnings(finalizers, old?.metadata.finalizers ?? [], type.standardFinalizers, path)) context.warn(warning);
}

/** Whether anything changed that `metadata.generation` counts: everything except metadata and, if it is a subresource, status. */
export function specChanged(served: ServedVersion, object: ApiObject, old: ApiObject): boolean {
  const hasStatus = served.version.hasSubresource('status');
  const counts = (member: string) =>
    member !== 'metadata' && member !== 'apiVersion' && member !== 'kind' && !(hasStatus && member === 'status');
  for (const member of new Set([...Object.keys(object), ...Object.keys(old)])) {
    if (counts(member) && !equalJson(object[member] as never, old[member] as never)) return true;
  }
  return false;
}
