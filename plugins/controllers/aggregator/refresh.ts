import type {AggregatedResource, Logger, NamingProfile} from '../../../sdk/index.js';
import type {AggregatedService, VersionDocuments} from './aggregated-service.js';
import {fetchDiscovery, fetchResourceList, type Resources} from './discovery.js';
import type {Kept} from './fetched.js';
import {fetchOpenApiIndex, fetchOpenApiV2, type OpenApiIndex} from './open-api.js';
import type {RemoteServer} from './remote-server.js';

/** Maximum length of the OpenAPI v2 documents of all servers together; further ones are left out. */
const maximumTextLength = 64 * 1024 * 1024;

/** The documents of a server, fetched once for all of its group versions. */
export class ServerDocuments {
  #discovery: Kept<Resources> | undefined;
  #index: Kept<OpenApiIndex> | undefined;
  #openApiV2: Kept<string> | undefined;
  readonly #server: RemoteServer;
  readonly #naming: NamingProfile;
  readonly #logger: Logger;

  constructor(server: RemoteServer, naming: NamingProfile, logger: Logger) {
    this.#server = server;
    this.#naming = naming;
    this.#logger = logger;
  }

  get textLength(): number {
    return this.#openApiV2?.value.length ?? 0;
  }

  /**
   * Fetches documents that may have changed, and publishes the group versions. Documents that cannot be fetched stay as they were.
   *
   * @param room for text
   * @returns whether everything could be fetched
   */
  async refresh(services: readonly AggregatedService[], signal: AbortSignal, room: number): Promise<boolean> {
    const [discovery, index, text] = await Promise.allSettled([
      fetchDiscovery(this.#server, this.#naming, this.#discovery, signal),
      fetchOpenApiIndex(this.#server, this.#index, signal),
      fetchOpenApiV2(this.#server, this.#openApiV2, signal),
    ]);
    signal.throwIfAborted();
    // One is enough to know that it is the server.
    const failed = [discovery, index, text].find((outcome) => outcome.status === 'rejected');
    if (failed) this.#log(failed.reason);
    if (discovery.status === 'fulfilled') this.#discovery = discovery.value;
    if (index.status === 'fulfilled') this.#index = index.value;
    if (text.status === 'fulfilled') this.#openApiV2 = text.value && text.value.value.length <= room ? text.value : undefined;
    const learnt = await Promise.all(services.map((service) => this.#learn(service, discovery.status === 'rejected', signal)));
    return learnt.every(Boolean) && index.status === 'fulfilled' && text.status === 'fulfilled';
  }

  async #learn(service: AggregatedService, isStale: boolean, signal: AbortSignal): Promise<boolean> {
    const {group, version} = service.place;
    const resources = isStale ? undefined : await this.#resourcesOf(service, signal);
    const hash = this.#index?.value.get(`apis/${group}/${version}`);
    service.learn({
      resources: resources ?? service.documents.resources,
      isStale: resources === undefined,
      ...(this.#openApiV2 ? {openApiV2: this.#openApiV2.value} : {}),
      ...(hash === undefined ? {} : {openApiV3: hash}),
    } satisfies VersionDocuments);
    return resources !== undefined;
  }

  async #resourcesOf({place}: AggregatedService, signal: AbortSignal): Promise<readonly AggregatedResource[] | undefined> {
    if (this.#discovery) return this.#discovery.value.get(`${place.group}/${place.version}`) ?? [];
    try {
      return await fetchResourceList(this.#server, place, signal);
    } catch (error) {
      signal.throwIfAborted();
      this.#log(error);
      return undefined;
    }
  }

  #log(error: unknown): void {
    const {namespace, name} = this.#server.service;
    this.#logger.warn({service: `${namespace}/${name}`, err: error}, 'a document of an aggregated API server cannot be fetched; retrying');
  }
}

/** How much text may be kept for one more server. */
export function roomForText(others: Iterable<ServerDocuments>): number {
  let room = maximumTextLength;
  for (const {textLength} of others) room -= textLength;
  return room;
}
