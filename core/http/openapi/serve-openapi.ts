import {notAcceptable, pathNotFound} from '../../../sdk/index.js';
import {encodeJson} from '../../api/codec/json.js';
import {negotiate} from '../../api/negotiation/negotiate.js';
import {documentFromV2} from '../../api/openapi/foreign-document.js';
import {buildGroupVersionDocument, documentHead, pathPrefix} from '../../api/openapi/group-version-document.js';
import {buildOpenApiIndex} from '../../api/openapi/openapi-index.js';
import type {OpenApiNode} from '../../api/openapi/openapi-input.js';
import type {GroupEntry, GroupVersionEntry} from '../../api/types/group-entry.js';
import type {ResourceCatalog} from '../../api/types/resource-catalog.js';
import {serveAggregated} from '../handlers/serve-aggregated.js';
import type {AuthenticatedExchange} from '../request/stages.js';
import {respondJson} from '../response/respond.js';
import {GroupVersionCache, KeptForGroups} from './group-version-cache.js';
import type {OpenApiSettings} from './group-version-input.js';
import {soundDocument} from './sound-document.js';
import {sendDocument, sendHashedDocument, servedDocument, type ServedDocument} from './served-document.js';

const mediaType = 'application/json';

/**
 * Serves `/openapi/v3` and the document of each group version below it. A document is built on first use, also for a group version that somebody else answers for
 * and that has one of v2 only.
 */
export class OpenApi {
  readonly #documents: GroupVersionCache<ServedDocument | undefined>;
  readonly #catalog: ResourceCatalog;
  readonly #index = new KeptForGroups<OpenApiNode>();

  constructor(catalog: ResourceCatalog, settings: OpenApiSettings) {
    this.#catalog = catalog;
    this.#documents = new GroupVersionCache((entry) => {
      const {group, version, aggregated} = entry;
      const document = aggregated
        ? documentFromV2({group, version, text: aggregated.openApiV2!}, documentHead(settings))
        : soundDocument(entry, settings, (input) => encodeJson(buildGroupVersionDocument(input)));
      return document === undefined ? undefined : servedDocument(Buffer.from(document));
    });
  }

  async serve(exchange: AuthenticatedExchange): Promise<void> {
    if (!negotiate(exchange.header('accept'), [{mediaType}])) throw notAcceptable([mediaType]);
    const {segments} = exchange.info;
    if (segments.length === 2) {
      const groups = this.#catalog.groups();
      const index = await this.#index.get(groups, async () => buildOpenApiIndex(await this.#fingerprints(groups, exchange.task)));
      return respondJson(exchange, 200, index);
    }
    const [group, version] =
      segments[2] === 'api' && segments.length === 4
        ? ['', segments[3]]
        : segments[2] === 'apis' && segments.length === 5
          ? segments.slice(3)
          : [];
    const entry = this.#groupVersions().find((candidate) => candidate.group === group && candidate.version === version);
    if (entry?.aggregated?.openApiV3 !== undefined) return serveAggregated(exchange, entry.aggregated);
    const document = entry && isBuilt(entry) ? this.#documents.get(entry) : undefined;
    if (!entry || !document) throw pathNotFound();
    const hash = exchange.query.get('hash');
    if (hash) await sendHashedDocument(exchange, mediaType, document, `/openapi/v3${pathPrefix(entry)}`, hash);
    else await sendDocument(exchange, mediaType, document);
  }

  /** Of all documents, in the order of discovery. */
  async #fingerprints(groups: readonly GroupEntry[], task: AuthenticatedExchange['task']) {
    const entries = groups.flatMap(({versions}) => versions);
    const built = entries.filter(isBuilt);
    const documents = await this.#documents.all(built, task);
    const hashes = new Map(built.map((entry, index) => [entry, documents[index]?.hash]));
    return entries.flatMap((entry) => {
      const hash = hashes.get(entry) ?? entry.aggregated?.openApiV3;
      return hash === undefined ? [] : [{group: entry.group, version: entry.version, hash}];
    });
  }

  #groupVersions(): GroupVersionEntry[] {
    return this.#catalog.groups().flatMap(({versions}) => versions);
  }
}

/** Whether the document is made here. */
function isBuilt({aggregated}: GroupVersionEntry): boolean {
  return !aggregated || (aggregated.openApiV3 === undefined && aggregated.openApiV2 !== undefined);
}
