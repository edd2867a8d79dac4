import {badRequest, FieldPath, invalidObject, type ApiObject, type FieldError, type JsonObject} from '../../sdk/index.js';
import {equalJson} from '../api/json/equal-json.js';
import {validateObjectMeta, validateObjectMetaUpdate} from '../api/metadata/validate-object-meta.js';
import {strategyContext, type Endpoint, type ObjectTarget} from './endpoint.js';
import type {WriteContext} from './write-context.js';

const metadataPath = FieldPath.of('metadata');

/** Takes name and namespace from the path where the body leaves them out. @throws 400 where body and path differ */
export function matchPath(endpoint: Endpoint, object: ApiObject, target: {namespace: string; name: string}): void {
  const {metadata} = object;
  if (target.name !== '') {
    if (!metadata.name) metadata.name = target.name;
    else if (metadata.name !== target.name) {
      throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${target.name})`);
    }
  }
  if (!endpoint.type.namespaced) return;
  if (!metadata.namespace) metadata.namespace = target.namespace;
  else if (metadata.namespace !== target.namespace) {
    throw badRequest(`the namespace of the provided object does not match the namespace sent on the request`);
  }
}

/** Collects every fault of a new object. @throws 422 with all of them */
export async function validateNew(
  endpoint: Endpoint,
  object: ApiObject,
  target: ObjectTarget,
  context: WriteContext,
  now: number,
): Promise<void> {
  const faults: FieldError[] = validateObjectMeta(
    object.metadata,
    {namespaced: endpoint.type.namespaced, nameFormat: endpoint.type.behaviour.nameFormat},
    metadataPath,
  );
  const misfits = endpoint.version.schema.validate(object as unknown as JsonObject);
  faults.push(...misfits);
  const {strategy} = endpoint.type;
  // Strategies count on what the schema demands.
  if (strategy?.validateCreate && misfits.length === 0)
    faults.push(...(await strategy.validateCreate(object, strategyContext(endpoint, target, context, now))));
  if (faults.length > 0) throw invalidObject(endpoint.version.kind, object.metadata.name ?? '', faults);
}

/** Collects every fault of a changed object. @throws 422 with all of them */
export async function validateChanged(
  endpoint: Endpoint,
  object: ApiObject,
  old: ApiObject,
  target: ObjectTarget,
  context: WriteContext,
  now: number,
): Promise<void> {
  const {namespaced, behaviour, strategy} = endpoint.type;
  const faults: FieldError[] = validateObjectMeta(object.metadata, {namespaced, nameFormat: behaviour.nameFormat}, metadataPath);
  faults.push(...validateObjectMetaUpdate(object.metadata, old.metadata, metadataPath));
  const misfits = endpoint.version.schema.validate(object as unknown as JsonObject, old as unknown as JsonObject);
  faults.push(...misfits);
  faults.push(...endpoint.version.schema.validateUpdate(object as unknown as JsonObject, old as unknown as JsonObject));
  if (strategy?.validateUpdate && misfits.length === 0)
    faults.push(...(await strategy.validateUpdate(object, old, strategyContext(endpoint, target, context, now))));
  if (faults.length > 0) throw invalidObject(endpoint.version.kind, object.metadata.name ?? '', faults);
}

/** Whether anything changed that `metadata.generation` counts: everything but metadata and, where it is a subresource, status. */
export function specChanged(endpoint: Endpoint, object: ApiObject, old: ApiObject): boolean {
  const hasStatus = endpoint.version.hasSubresource('status');
  const counts = (member: string) =>
    member !== 'metadata' && member !== 'apiVersion' && member !== 'kind' && !(hasStatus && member === 'status');
  for (const member of new Set([...Object.keys(object), ...Object.keys(old)])) {
    if (counts(member) && !equalJson(object[member] as never, old[member] as never)) return true;
  }
  return false;
}
