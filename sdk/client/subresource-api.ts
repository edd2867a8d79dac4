import type {TypedSubresource} from '../controllers/typed-objects.js';
import type {Status} from '../objects/status.js';
import type {ResourceObject} from '../types/resource-handle.js';
import type {ApiRequests} from './api-requests.js';
import type {ApplyOptions, CallOptions, DeleteOptions, WriteOptions} from './options.js';
import {queryText} from './query.js';
import {applyMediaType, patchMediaTypes, type PatchForms} from '../objects/resource-objects.js';

/** A subresource of the objects of one type. The type determines which methods it supports: `status` cannot be created. */
export class SubresourceApi<T extends ResourceObject> implements TypedSubresource<T> {
  readonly #requests: ApiRequests;
  readonly #path: (name: string) => string;

  /** @param path the subresource's path for an object's name */
  constructor(requests: ApiRequests, path: (name: string) => string) {
    this.#requests = requests;
    this.#path = path;
  }

  async get(name: string, options: CallOptions = {}): Promise<T> {
    return this.#requests.json('GET', this.#path(name), options.signal ? {signal: options.signal} : {});
  }

  /** Performs an operation (`eviction`, `binding`, `token`). */
  create<R extends ResourceObject = T>(name: string, body: T, options: WriteOptions = {}): Promise<R | Status> {
    return this.#send('POST', name, body, 'application/json', options);
  }

  update(name: string, object: T, options: WriteOptions = {}): Promise<T> {
    return this.#send('PUT', name, object, 'application/json', options);
  }

  patch<F extends keyof PatchForms<T>>(name: string, form: F, patch: PatchForms<T>[F], options: WriteOptions = {}): Promise<T> {
    return this.#send('PATCH', name, patch, patchMediaTypes[form], options);
  }

  apply(name: string, object: T, options: ApplyOptions): Promise<T> {
    return this.#send('PATCH', name, object, applyMediaType, options);
  }

  delete(name: string, options: Omit<DeleteOptions, 'preconditions'> = {}): Promise<T | Status> {
    return this.#send('DELETE', name, undefined, '', options);
  }

  async #send<R>(method: string, name: string, body: unknown, contentType: string, options: CallOptions): Promise<R> {
    return this.#requests.json(method, this.#path(name) + queryText(options), {
      ...(body === undefined ? {} : {body, contentType}),
      ...(options.signal ? {signal: options.signal} : {}),
    });
  }
}
