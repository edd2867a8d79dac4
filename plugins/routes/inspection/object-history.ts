import type {ServerResponse} from 'node:http';
import {
  inject,
  route,
  Tokens,
  tooManyRequests,
  type AccessReviewer,
  type ObjectCache,
  type ResourceClient,
  type Route,
  type RouteRequest,
} from '../../../sdk/index.js';
import * as bounds from './bounds.js';
import {namedObject, type NamedObject} from './object-query.js';
import {requireRight} from './own-right.js';
import {Places} from './places.js';
import {sendJson} from './send-json.js';

/** What became of an object in the last five minutes, version by version, for who may watch it: a watch from an old version shows the same. */
@route()
export class ObjectHistory implements Route {
  readonly #resources: ResourceClient;
  readonly #cache: ObjectCache;
  readonly #access: AccessReviewer;
  /** Each holds its versions three times: as objects, as a text, as bytes. */
  readonly #places = new Places(bounds.historiesAtOnce, bounds.historiesWaiting);

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.ObjectCache) cache: ObjectCache,
    @inject(Tokens.Access) access: AccessReviewer,
  ) {
    this.#resources = resources;
    this.#cache = cache;
    this.#access = access;
  }

  async handle({query, user, signal}: RouteRequest, response: ServerResponse): Promise<void> {
    const asked = namedObject(query, this.#resources);
    await requireRight(this.#access, user, 'watch', asked);
    const full = () => tooManyRequests('too many histories of objects are asked for', 1);
    await this.#places.within(user.username, signal, full, async () => sendJson(response, await this.#historyOf(asked)));
  }

  async #historyOf(asked: NamedObject): Promise<object> {
    const {after, versions, leftOut} = await this.#cache.changes(asked.type, asked.namespace, asked.name, {
      versions: bounds.versions,
      bytes: bounds.versionBytes,
    });
    return {
      after,
      leftOut,
      versions: versions.map(({type, resourceVersion, time, object}) => ({
        type,
        resourceVersion,
        // What was written by a version of long ago says no time.
        ...(Number.isFinite(time) ? {time: new Date(time).toISOString()} : {}),
        ...(object ? {object} : {}),
      })),
    };
  }
}
