import type {ResourceCatalog} from '../../api/types/resource-catalog.js';
import type {AuthenticatedExchange} from '../request/stages.js';
import type {OpenApiSettings} from './group-version-input.js';
import type {OpenApiV2} from './serve-openapi-v2.js';
import type {OpenApi} from './serve-openapi.js';

/** Serves the documents of both OpenAPI versions. The code that builds them is loaded with the first request. */
export class OpenApiDocuments {
  #v2: Promise<OpenApiV2> | undefined;
  #v3: Promise<OpenApi> | undefined;
  readonly #catalog: ResourceCatalog;
  readonly #settings: OpenApiSettings;

  constructor(catalog: ResourceCatalog, settings: OpenApiSettings) {
    this.#catalog = catalog;
    this.#settings = settings;
  }

  static owns(segments: readonly string[]): boolean {
    return segments[0] === 'openapi' && (segments[1] === 'v3' || (segments[1] === 'v2' && segments.length === 2));
  }

  async serve(exchange: AuthenticatedExchange): Promise<void> {
    const documents = await (exchange.info.segments[1] === 'v2' ? (this.#v2 ??= this.#loadV2()) : (this.#v3 ??= this.#loadV3()));
    await documents.serve(exchange);
  }

  async #loadV2(): Promise<OpenApiV2> {
    const {OpenApiV2} = await import('./serve-openapi-v2.js');
    return new OpenApiV2(this.#catalog, this.#settings);
  }

  async #loadV3(): Promise<OpenApi> {
    const {OpenApi} = await import('./serve-openapi.js');
    return new OpenApi(this.#catalog, this.#settings);
  }
}
