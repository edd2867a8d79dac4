import {notAcceptable, pathNotFound} from '../../../sdk/index.js';
import {encodeJson} from '../../api/codec/json.js';
import {negotiate} from '../../api/negotiation/negotiate.js';
import {buildGroupVersionDocument, pathPrefix} from '../../api/openapi/group-version-document.js';
import {buildOpenApiIndex} from '../../api/openapi/openapi-index.js';
import type {GroupVersionEntry} from '../../api/types/group-entry.js';
import type {ResourceCatalog} from '../../api/types/resource-catalog.js';
import {serveAggregated} from '../handlers/serve-aggregated.js';
import type {Exchange} from '../request/exchange.js';
import {respondJson} from '../response/respond.js';
import {GroupVersionCache} from './group-version-cache.js';
import {groupVersionInput, type OpenApiSettings} from './group-version-input.js';
import {sendDocument, sendHashedDocument, servedDocument, type ServedDocument} from './served-document.js';

const mediaType = 'application/json';

/** Serves `/openapi/v3` and the document of each group version below it. A document is built on first use. */
export class OpenApi {
  readonly #documents: GroupVersionCache<ServedDocument>;
  readonly #catalog: ResourceCatalog;

  constructor(catalog: ResourceCatalog, settings: OpenApiSettings) {
    this.#catalog = catalog;
    this.#documents = new GroupVersionCache((entry) =>
      servedDocument(Buffer.from(encodeJson(buildGroupVersionDocument(groupVersionInput(entry, settings))))),
    );
  }

  async serve(exchange: Exchange): Promise<void> {
    if (!negotiate(exchange.header('accept'), [{mediaType}])) throw notAcceptable([mediaType]);
    const {segments} = exchange.info;
    if (segments.length === 2) {
      return respondJson(exchange, 200, buildOpenApiIndex(await this.#fingerprints()));
    }
    const [group, version] =
      segments[2] === 'api' && segments.length === 4
        ? ['', segments[3]]
        : segments[2] === 'apis' && segments.length === 5
          ? segments.slice(3)
          : [];
    const entry = this.#groupVersions().find((candidate) => candidate.group === group && candidate.version === version);
    if (!entry || !isPublished(entry)) throw pathNotFound();
    if (entry.aggregated) return serveAggregated(exchange, entry.aggregated);
    const document = this.#documents.get(entry);
    const hash = exchange.query.get('hash');
    if (hash) await sendHashedDocument(exchange, mediaType, document, `/openapi/v3${pathPrefix(entry)}`, hash);
    else await sendDocument(exchange, mediaType, document);
  }

  /** Of all documents, in the order of discovery. */
  async #fingerprints() {
    const entries = this.#groupVersions();
    const own = entries.filter(({aggregated}) => !aggregated);
    const documents = await this.#documents.all(own);
    const hashes = new Map(own.map((entry, index) => [entry, documents[index]!.hash]));
    return entries
      .filter(isPublished)
      .map((entry) => ({group: entry.group, version: entry.version, hash: hashes.get(entry) ?? entry.aggregated!.openApiV3!}));
  }

  #groupVersions(): GroupVersionEntry[] {
    return this.#catalog.groups().flatMap(({versions}) => versions);
  }
}

function isPublished({aggregated}: GroupVersionEntry): boolean {
  return !aggregated || aggregated.openApiV3 !== undefined;
}
