import type {ServerResponse} from 'node:http';
import {
  inject,
  route,
  Tokens,
  type AccessReviewer,
  type ObjectCache,
  type ResourceClient,
  type Route,
  type RouteRequest,
} from '../../../sdk/index.js';
import * as bounds from './bounds.js';
import {namedObject} from './object-query.js';
import {requireRight} from './own-right.js';
import {sendJson} from './send-json.js';

/** What became of an object in the last five minutes, version by version, for who may watch it: a watch from an old version shows the same. */
@route()
export class ObjectHistory implements Route {
  readonly #resources: ResourceClient;
  readonly #cache: ObjectCache;
  readonly #access: AccessReviewer;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.ObjectCache) cache: ObjectCache,
    @inject(Tokens.Access) access: AccessReviewer,
  ) {
    this.#resources = resources;
    this.#cache = cache;
    this.#access = access;
  }

  async handle({query, user}: RouteRequest, response: ServerResponse): Promise<void> {
    const asked = namedObject(query, this.#resources);
    await requireRight(this.#access, user, 'watch', asked);
    const {after, versions, leftOut} = await this.#cache.changes(asked.type, asked.namespace, asked.name, {
      versions: bounds.versions,
      bytes: bounds.versionBytes,
    });
    sendJson(response, {
      after,
      leftOut,
      versions: versions.map(({type, resourceVersion, time, object}) => ({
        type,
        resourceVersion,
        // What was written by a version of long ago says no time.
        ...(Number.isFinite(time) ? {time: new Date(time).toISOString()} : {}),
        ...(object ? {object} : {}),
      })),
    });
  }
}
