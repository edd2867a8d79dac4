import {platformGroup} from './facts.js';
import {request, requestJson} from './request.js';
import {objectPath, type ApiObject, type ResourceType} from './types.js';

/** Who the fields belong to that are changed here. */
const fieldManager = 'orch-console';

interface Named {
  readonly name: string;
  readonly namespace?: string;
}

export interface WriteMode {
  readonly dryRun: boolean;
}

const query = ({dryRun}: WriteMode, more: Readonly<Record<string, string>> = {}) =>
  `?${new URLSearchParams({fieldManager, ...more, ...(dryRun ? {dryRun: 'All'} : {})})}`;

/** @throws Refusal, as all of these */
export function readObject(type: ResourceType, named: Named, signal?: AbortSignal): Promise<ApiObject> {
  return requestJson(objectPath(type, named), {signal});
}

/** Replaces an object; its `resourceVersion` says which version it was made from. @returns it as it is, or would be, stored */
export function replaceObject(type: ResourceType, named: Named, object: object, mode: WriteMode): Promise<ApiObject> {
  return requestJson(`${objectPath(type, named)}${query(mode, {fieldValidation: 'Strict'})}`, {method: 'PUT', body: object});
}

export function createObject(path: string, object: object, mode: WriteMode): Promise<ApiObject> {
  return requestJson(`${path}${query(mode, {fieldValidation: 'Strict'})}`, {method: 'POST', body: object});
}

/** Sets labels; those that are null go. */
export async function labelObject(
  type: ResourceType,
  named: Named,
  labels: Readonly<Record<string, string | null>>,
  mode: WriteMode,
): Promise<void> {
  await request(`${objectPath(type, named)}${query(mode)}`, {
    method: 'PATCH',
    type: 'application/merge-patch+json',
    body: {metadata: {labels}},
  });
}

/** @param uid of the object that is meant: another one of its name is not deleted */
export async function deleteObject(type: ResourceType, named: Named & {readonly uid: string}, {dryRun}: WriteMode): Promise<void> {
  await request(objectPath(type, named), {
    method: 'DELETE',
    body: {apiVersion: 'v1', kind: 'DeleteOptions', preconditions: {uid: named.uid}, ...(dryRun ? {dryRun: ['All']} : {})},
  });
}

/** Sets the number of replicas of what has `scale`. */
export async function scaleObject(type: ResourceType, named: Named, replicas: number): Promise<void> {
  await request(`${objectPath(type, named)}/scale${query({dryRun: false})}`, {
    method: 'PATCH',
    type: 'application/merge-patch+json',
    body: {spec: {replicas}},
  });
}

/** The metadata of all objects of a path, up to a number. */
export async function listMetadata(path: string, limit: number, signal?: AbortSignal): Promise<readonly ApiObject[]> {
  const {items} = await requestJson<{items: readonly ApiObject[]}>(`${path}?limit=${limit}`, {
    accept: `application/json;as=PartialObjectMetadataList;v=v1;g=${platformGroup('meta')},application/json`,
    signal,
  });
  return items;
}
