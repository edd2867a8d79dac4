import {createHash} from 'node:crypto';
import {notAcceptable, pathNotFound, type JsonObject, type NamingProfile} from '../../../sdk/index.js';
import type {CborCodec} from '../../api/cbor/cbor-codec.js';
import {encodeJson} from '../../api/codec/json.js';
import {encodeYaml} from '../../api/codec/yaml.js';
import {cborMediaType} from '../../api/negotiation/cbor-media-types.js';
import {acceptsOneOf, negotiate, transformedType, type MediaOffer} from '../../api/negotiation/negotiate.js';
import {encodeMeta} from '../../api/protobuf/encode-meta.js';
import type {ResourceCatalog} from '../../api/types/resource-catalog.js';
import type {AuthenticatedExchange} from '../request/stages.js';
import {noRepresentation} from '../response/http-errors.js';
import {wantsPretty} from '../options/pretty.js';
import {respond, respondJson, respondNothingThere, respondNotModified} from '../response/respond.js';
import {aggregatedList, coreVersions, groupDocument, groupList, resourceList, type DiscoveryDocument} from './discovery-documents.js';
import {addVary} from '../response/vary.js';

/** A document as it is sent. */
interface EncodedDocument {
  readonly body: Buffer;
  readonly etag: string;
}

/** Serves `/api`, `/apis` and the paths below them, in the plain and the aggregated form. Documents are created on first use. */
export class Discovery {
  #generation = -1;
  readonly #documents = new Map<string, EncodedDocument>();
  readonly #catalog: ResourceCatalog;
  readonly #offers: readonly MediaOffer[];
  /** For the two documents that have an aggregated form. */
  readonly #rootOffers: readonly MediaOffer[];

  /** @param hasBeta whether the aggregated form has its older version too (until the gate `AggregatedDiscoveryRemoveBetaType`) */
  constructor(catalog: ResourceCatalog, naming: NamingProfile, hasBeta: boolean) {
    this.#catalog = catalog;
    const group = naming.group('apidiscovery.orch');
    const [json, ...others] = ['application/json', 'application/yaml', naming.protobufMediaType].map((mediaType) => ({mediaType}));
    this.#offers = [json!, ...others];
    this.#rootOffers = [
      json!,
      ...(hasBeta ? ['v2', 'v2beta1'] : ['v2']).map((version) => ({
        mediaType: 'application/json',
        as: 'APIGroupDiscoveryList',
        group,
        version,
      })),
      ...others,
    ];
  }

  /** Whether a path belongs to discovery. */
  static owns(segments: readonly string[]): boolean {
    return (segments[0] === 'api' && segments.length <= 2) || (segments[0] === 'apis' && segments.length <= 3);
  }

  /** @throws StatusError 406 */
  async serve(exchange: AuthenticatedExchange): Promise<void> {
    const {segments} = exchange.info;
    if (this.#generation !== this.#catalog.generation) {
      this.#generation = this.#catalog.generation;
      this.#documents.clear();
    }
    if (segments.length === 1) return this.#serveRoot(exchange, segments[0]!);
    const make =
      segments[0] === 'api'
        ? this.#groupVersion('', segments[1]!)
        : segments.length === 2
          ? this.#group(segments[1]!)
          : this.#groupVersion(segments[1]!, segments[2]!);
    if (!make) return this.#notFound(exchange);
    const isRouted = segments[0] === 'api' || (segments.length === 3 && this.#isBuiltIn(segments[1]!));
    // Kubernetes has it only where the group version's own router answers.
    const offers = isRouted && exchange.cbor ? [...this.#offers, {mediaType: cborMediaType}] : this.#offers;
    await this.#send(exchange, exchange.path.replace(/\/$/, ''), chosenOffer(exchange, offers, isRouted), make);
  }

  async #serveRoot(exchange: AuthenticatedExchange, root: string): Promise<void> {
    const offer = chosenOffer(exchange, this.#rootOffers, root === 'api');
    const {as, group, version} = offer;
    if (as === undefined) {
      const address = exchange.header('host') ?? '';
      // The one document that depends on the host name that a client uses is created for each request: there is no limit on such names.
      if (root === 'api') return this.#send(exchange, undefined, offer, () => coreVersions(this.#catalog, address));
      return this.#send(exchange, '/apis', offer, () => groupList(this.#catalog));
    }
    const groups = this.#catalog.groups().filter((entry) => (entry.group === '') === (root === 'api'));
    return this.#send(exchange, `/${root}`, offer, () => aggregatedList(groups, `${group}/${version}`));
  }

  #isBuiltIn(group: string): boolean {
    const entry = this.#catalog.groups().find((one) => one.group === group);
    return entry?.versions.some(({types}) => types.some(({type}) => type.origin === 'built-in')) === true;
  }

  /** An unknown group is answered in plain text, as Kubernetes does; an unknown version of a known one with a Status. */
  #notFound(exchange: AuthenticatedExchange): void {
    const {segments} = exchange.info;
    if (this.#catalog.hasGroup(segments[0] === 'api' ? '' : segments[1]!)) throw pathNotFound();
    respondNothingThere(exchange);
  }

  #group(name: string): (() => DiscoveryDocument) | undefined {
    const entry = this.#catalog.groups().find(({group}) => group === name && group !== '');
    return entry && (() => groupDocument(entry));
  }

  #groupVersion(group: string, version: string): (() => DiscoveryDocument) | undefined {
    const entry = this.#catalog
      .groups()
      .find((candidate) => candidate.group === group)
      ?.versions.find((candidate) => candidate.version === version);
    return entry && (() => resourceList(entry));
  }

  /** @param name under which the document is kept */
  async #send(exchange: AuthenticatedExchange, name: string | undefined, offer: MediaOffer, make: () => DiscoveryDocument): Promise<void> {
    if (offer.mediaType === 'application/json' && wantsPretty(exchange)) return respondJson(exchange, 200, make());
    const contentType = transformedType(offer);
    const {cbor} = exchange;
    const document = name === undefined ? encoded(make(), offer, cbor) : this.#encoded(`${name} ${contentType}`, offer, make, cbor);
    exchange.response.setHeader('ETag', document.etag);
    // Caches ask each time whether it is still valid; it is the same for all users.
    if (offer.as !== undefined) exchange.response.setHeader('Cache-Control', 'public');
    addVary(exchange.response, 'Accept');
    if (exchange.header('if-none-match') === document.etag) {
      return respondNotModified(exchange);
    }
    await respond(exchange, 200, contentType, document.body);
  }

  #encoded(key: string, offer: MediaOffer, make: () => DiscoveryDocument, cbor: CborCodec | undefined): EncodedDocument {
    let document = this.#documents.get(key);
    if (!document) this.#documents.set(key, (document = encoded(make(), offer, cbor)));
    return document;
  }
}

/**
 * @param isRouted whether Kubernetes chooses the document by its router, which refuses what fits nothing in words of its own
 * @throws StatusError 406
 */
function chosenOffer(exchange: AuthenticatedExchange, offers: readonly MediaOffer[], isRouted: boolean): MediaOffer {
  const found = negotiate(exchange.header('accept'), offers);
  if (found) return found.offer;
  const mediaTypes = [...new Set(offers.map(({mediaType}) => mediaType))];
  throw !isRouted || acceptsOneOf(exchange.header('accept')!, mediaTypes) ? notAcceptable(mediaTypes) : noRepresentation(mediaTypes);
}

function encoded(document: DiscoveryDocument, {mediaType}: MediaOffer, cbor: CborCodec | undefined): EncodedDocument {
  const body = encode(document, mediaType, cbor);
  return {body, etag: `"${createHash('sha256').update(body).digest('hex').toUpperCase()}"`};
}

function encode(document: DiscoveryDocument, mediaType: string, cbor: CborCodec | undefined): Buffer {
  switch (mediaType) {
    case 'application/json':
      return Buffer.from(encodeJson(document));
    case 'application/yaml':
      return Buffer.from(encodeYaml(document));
    case cborMediaType:
      return cbor!.encode(document);
    default:
      return encodeMeta(document.kind, document as unknown as JsonObject);
  }
}
