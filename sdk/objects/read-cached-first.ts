import type {ResourceClient, ResourceRef} from '../contracts/resource-client.js';
import {StatusError} from '../errors/status-error.js';
import type {ApiObject} from './api-object.js';

/** Whether an error says that an object does not exist. */
export function isNotFound(error: unknown): boolean {
  return StatusError.is(error) && error.code === 404;
}

/**
 * An object as the cache of this server has it. Only where it has none the store is asked, because the cache may not have seen what was just made,
 * here or through another server. For policies, which look at the same few objects for every request.
 *
 * @throws StatusError 404 when there is none
 */
export async function readCachedFirst(resources: ResourceClient, ref: ResourceRef, namespace: string, name: string): Promise<ApiObject> {
  try {
    return await resources.get(ref, namespace, name, {resourceVersion: '0'});
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return resources.get(ref, namespace, name);
  }
}
