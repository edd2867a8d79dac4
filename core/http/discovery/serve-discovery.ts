import {createHash} from 'node:crypto';
import {notAcceptable, type NamingProfile} from '../../../sdk/index.js';
import {encodeJson} from '../../api/codec/json.js';
import {negotiate, offerText, type MediaOffer} from '../../api/negotiation/negotiate.js';
import type {ResourceCatalog} from '../../api/types/resource-catalog.js';
import type {Exchange} from '../exchange.js';
import {wantsPretty} from '../pretty.js';
import {respond, respondJson, respondNotModified, respondText} from '../respond.js';
import {aggregatedList, coreVersions, groupDocument, groupList, resourceList} from './discovery-documents.js';

interface Document {
  readonly body: Buffer;
  readonly etag: string;
}

/** Serves `/api`, `/apis` and what is below them, in the plain and in the aggregated form. Documents are made when first asked for. */
export class Discovery {
  #generation = -1;
  readonly #documents = new Map<string, Document>();
  readonly #aggregatedOffers: readonly MediaOffer[];

  constructor(
    private readonly catalog: ResourceCatalog,
    naming: NamingProfile,
  ) {
    const group = naming.group('apidiscovery.orch');
    this.#aggregatedOffers = [
      {mediaType: 'application/json'},
      ...['v2', 'v2beta1'].map((version) => ({mediaType: 'application/json', as: 'APIGroupDiscoveryList', group, version})),
    ];
  }

  /** Whether a path is one of discovery's. */
  static owns(segments: readonly string[]): boolean {
    return (segments[0] === 'api' && segments.length <= 2) || (segments[0] === 'apis' && segments.length <= 3);
  }

  async serve(exchange: Exchange): Promise<void> {
    const {segments} = exchange.info;
    if (this.#generation !== this.catalog.generation) {
      this.#generation = this.catalog.generation;
      this.#documents.clear();
    }
    if (segments.length === 1) return this.#serveRoot(exchange, segments[0]!);
    const make =
      segments[0] === 'api'
        ? this.#groupVersion('', segments[1]!)
        : segments.length === 2
          ? this.#group(segments[1]!)
          : this.#groupVersion(segments[1]!, segments[2]!);
    if (!make) return respondText(exchange, 404, '404 page not found\n');
    await this.#send(exchange, exchange.path.replace(/\/$/, ''), 'application/json', make);
  }

  async #serveRoot(exchange: Exchange, root: string): Promise<void> {
    const found = negotiate(exchange.header('accept'), this.#aggregatedOffers);
    if (!found) throw notAcceptable(this.#aggregatedOffers.map(offerText));
    const {as, group, version} = found.offer;
    if (as === undefined) {
      const address = exchange.header('host') ?? '';
      const key = root === 'api' ? `/api ${address}` : '/apis';
      return this.#send(exchange, key, 'application/json', () =>
        root === 'api' ? coreVersions(this.catalog, address) : groupList(this.catalog),
      );
    }
    const groups = this.catalog.groups().filter((entry) => (entry.group === '') === (root === 'api'));
    const contentType = `application/json;g=${group};v=${version};as=${as}`;
    return this.#send(exchange, `/${root} ${version}`, contentType, () => aggregatedList(groups, `${group}/${version}`));
  }

  #group(name: string): (() => object) | undefined {
    const entry = this.catalog.groups().find(({group}) => group === name && group !== '');
    return entry && (() => groupDocument(entry));
  }

  #groupVersion(group: string, version: string): (() => object) | undefined {
    const entry = this.catalog
      .groups()
      .find((candidate) => candidate.group === group)
      ?.versions.find((candidate) => candidate.version === version);
    return entry && (() => resourceList(entry));
  }

  async #send(exchange: Exchange, key: string, contentType: string, make: () => object): Promise<void> {
    if (wantsPretty(exchange)) return respondJson(exchange, 200, make());
    let document = this.#documents.get(key);
    if (!document) {
      const body = Buffer.from(encodeJson(make()));
      document = {body, etag: `"${createHash('sha256').update(body).digest('hex').toUpperCase()}"`};
      if (this.#documents.size < 1000) this.#documents.set(key, document);
    }
    exchange.response.setHeader('ETag', document.etag);
    exchange.response.setHeader('Vary', 'Accept');
    if (exchange.header('if-none-match') === document.etag) {
      return respondNotModified(exchange);
    }
    await respond(exchange, 200, contentType, document.body);
  }
}
