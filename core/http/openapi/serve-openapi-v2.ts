import {notAcceptable} from '../../../sdk/index.js';
import {negotiate, type MediaOffer} from '../../api/negotiation/negotiate.js';
import {swaggerJson} from '../../api/openapi/v2/swagger-json.js';
import {buildSwaggerPart, joinSwaggerParts, type SwaggerForm, type SwaggerPart} from '../../api/openapi/v2/swagger-part.js';
import {swaggerProtobuf} from '../../api/openapi/v2/swagger-protobuf.js';
import {withForeignParts} from '../../api/openapi/v2/foreign-part.js';
import type {ResourceCatalog} from '../../api/types/resource-catalog.js';
import type {Exchange} from '../request/exchange.js';
import {GroupVersionCache} from './group-version-cache.js';
import type {OpenApiSettings} from './group-version-input.js';
import {soundDocument} from './sound-document.js';
import {sendDocument, servedDocument, type ServedDocument} from './served-document.js';

const jsonType = 'application/json';
const protobufType = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
const offers: readonly MediaOffer[] = [{mediaType: jsonType}, {mediaType: protobufType}];
/** How kubectl writes that type. A media type must not have the sign in it, so that answers never do. */
const oldProtobufType = /\bapplication\/com\.github\.proto-openapi\.spec\.v2@v1\.0\+protobuf/gi;

/**
 * Serves `/openapi/v2`: one document over all group versions, as JSON and in the binary form. It is built on the first request for each
 * format, from one part per group version; after a change, only the affected parts are rebuilt.
 */
export class OpenApiV2 {
  readonly #documents: ReadonlyMap<string, LazyDocument>;

  constructor(catalog: ResourceCatalog, settings: OpenApiSettings) {
    this.#documents = new Map([
      [jsonType, new LazyDocument(catalog, settings, swaggerJson)],
      [protobufType, new LazyDocument(catalog, settings, swaggerProtobuf)],
    ]);
  }

  async serve(exchange: Exchange): Promise<void> {
    const found = negotiate(exchange.header('accept')?.replace(oldProtobufType, protobufType), offers);
    if (!found) throw notAcceptable(offers.map(({mediaType}) => mediaType));
    const {mediaType} = found.offer;
    await sendDocument(exchange, mediaType, await this.#documents.get(mediaType)!.get(exchange.task));
  }
}

/** The document in one form. */
class LazyDocument {
  readonly #parts: GroupVersionCache<SwaggerPart>;
  #generation = -1;
  #document: Promise<ServedDocument> | undefined;
  readonly #catalog: ResourceCatalog;
  readonly #settings: OpenApiSettings;
  readonly #form: SwaggerForm;

  constructor(catalog: ResourceCatalog, settings: OpenApiSettings, form: SwaggerForm) {
    this.#catalog = catalog;
    this.#settings = settings;
    this.#form = form;
    this.#parts = new GroupVersionCache((entry) => soundDocument(entry, settings, (input) => buildSwaggerPart(input, form)));
  }

  /** The document of the types that are served now. Requests at the same time share the work. */
  get(task: Exchange['task']): Promise<ServedDocument> {
    const {generation} = this.#catalog;
    if (!this.#document || this.#generation !== generation) {
      this.#generation = generation;
      const document = this.#make(task);
      this.#document = document;
      // The waiting requests get the error; the next request tries again.
      document.catch(() => {
        if (this.#document === document) this.#document = undefined;
      });
    }
    return this.#document;
  }

  async #make(task: Exchange['task']): Promise<ServedDocument> {
    const entries = this.#catalog.groups().flatMap(({versions}) => versions);
    const parts = await this.#parts.all(
      entries.filter(({aggregated}) => !aggregated),
      task,
    );
    const foreign = entries.flatMap(({group, version, aggregated}) =>
      aggregated?.openApiV2 === undefined ? [] : [{group, version, text: aggregated.openApiV2}],
    );
    return servedDocument(joinSwaggerParts(this.#settings, await withForeignParts(parts, foreign, this.#form, task), this.#form));
  }
}
