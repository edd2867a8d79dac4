import type {AggregatedResource, AggregatedVersion, Logger, VersionServer} from '../../../sdk/index.js';
import {sameValue} from '../../../sdk/validation/index.js';
import type {APIService as ApiService} from '../../../sdk/types/unchecked/apiregistration/v1.js';
import {isAvailable} from './api-service.js';
import type {RemoteServer} from './remote-server.js';
import {VersionProxy} from './version-proxy.js';

/** The documents of a server about one of its group versions. */
export interface VersionDocuments {
  readonly resources: readonly AggregatedResource[];
  readonly isStale: boolean;
  readonly openApiV2?: string;
  readonly openApiV3?: string;
}

/** An APIService with a service: the server of its group version, and its documents. */
export class AggregatedService {
  #documents: VersionDocuments = {resources: [], isStale: true};
  #published: AggregatedVersion | undefined;
  readonly #server: VersionServer;

  constructor(
    public object: ApiService,
    public remote: RemoteServer,
    logger: Logger,
  ) {
    this.#server = new VersionProxy(
      () => this.remote,
      () => isAvailable(this.object),
      logger,
    );
  }

  get place(): {readonly group: string; readonly version: string} {
    const {group = '', version = ''} = this.object.spec ?? {};
    return {group, version};
  }

  get documents(): VersionDocuments {
    return this.#documents;
  }

  learn(documents: VersionDocuments): void {
    this.#documents = documents;
  }

  /** The version to publish; undefined if it has been published already. */
  unpublished(): AggregatedVersion | undefined {
    const {groupPriorityMinimum: groupPriority = 0, versionPriority = 0} = this.object.spec ?? {};
    const version = {...this.place, groupPriority, versionPriority, server: this.#server, ...this.#documents};
    const {server: _server, openApiV2, ...rest} = version;
    if (this.#published) {
      const {server: _publishedServer, openApiV2: publishedV2, ...published} = this.#published;
      // Texts of many megabytes are compared first: mostly they are the same text.
      if (openApiV2 === publishedV2 && sameValue(rest, published)) return undefined;
    }
    this.#published = version;
    return version;
  }
}
