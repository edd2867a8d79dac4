import type {ServerResponse} from 'node:http';
import {
  inject,
  notFound,
  route,
  Tokens,
  tooManyRequests,
  type AccessReviewer,
  type ObjectCache,
  type ResourceClient,
  type Route,
  type RouteRequest,
  type Scheduler,
} from '../../../sdk/index.js';
import * as bounds from './bounds.js';
import {namedObject} from './object-query.js';
import {requireRight} from './own-right.js';
import {GraphSearch} from './owner-graph.js';
import {Places} from './places.js';
import {sendJson} from './send-json.js';

/** The owners and dependents of an object that the user may get, as far as the user may see them. Nothing is kept between requests. */
@route()
export class OwnerGraphs implements Route {
  readonly #resources: ResourceClient;
  readonly #cache: ObjectCache;
  readonly #access: AccessReviewer;
  readonly #scheduler: Scheduler;
  readonly #places = new Places(bounds.graphsAtOnce, bounds.graphsWaiting);

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.ObjectCache) cache: ObjectCache,
    @inject(Tokens.Access) access: AccessReviewer,
    @inject(Tokens.Scheduler) scheduler: Scheduler,
  ) {
    this.#resources = resources;
    this.#cache = cache;
    this.#access = access;
    this.#scheduler = scheduler;
  }

  async handle({query, user, signal}: RouteRequest, response: ServerResponse): Promise<void> {
    const asked = namedObject(query, this.#resources);
    await requireRight(this.#access, user, 'get', asked);
    const full = () => tooManyRequests('too many graphs of owners are asked for', 1);
    await this.#places.within(user.username, signal, full, async () => {
      const search = new GraphSearch({
        resources: this.#resources,
        cache: this.#cache,
        access: this.#access,
        user,
        task: this.#scheduler.task('request', 'owner graph'),
        signal,
      });
      const graph = await search.search(asked);
      if (!graph) throw notFound({group: asked.type.group, resource: asked.type.resource, name: asked.name});
      if (!signal.aborted) sendJson(response, graph);
    });
  }
}
