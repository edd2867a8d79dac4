import type {ResourceClient, ResourceRef} from '../contracts/resource-client.js';
import {isNotFound} from '../errors/outcomes.js';
import type {ApiObject} from './api-object.js';

/**
 * Reads an object from this server's cache. Only if it is missing there, the store is asked, because the cache may not contain an object
 * just created, here or through another server. For policies, which read the same few objects on every request.
 *
 * @throws StatusError 404 if it does not exist
 */
export async function readCachedFirst(resources: ResourceClient, ref: ResourceRef, namespace: string, name: string): Promise<ApiObject> {
  try {
    return await resources.get(ref, namespace, name, {resourceVersion: '0'});
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return resources.get(ref, namespace, name);
  }
}
