import {pathNotFound, type NamingProfile} from '../../../sdk/index.js';
import {encodeJson} from '../../api/codec/json.js';
import {buildGroupVersionDocument} from '../../api/openapi/group-version-document.js';
import {buildOpenApiIndex, documentHash} from '../../api/openapi/openapi-index.js';
import type {GroupVersionInput, OpenApiResource} from '../../api/openapi/openapi-input.js';
import type {SchemaCatalog} from '../../api/schema/schema-catalog.js';
import type {ResourceTypeVersion} from '../../api/types/resource-type.js';
import type {GroupVersionEntry, ResourceCatalog} from '../../api/types/resource-catalog.js';
import {allPatchMediaTypes} from '../../registry/patch-object.js';
import type {Exchange} from '../exchange.js';
import {respond, respondJson, respondNotModified} from '../respond.js';

interface Document {
  readonly body: Buffer;
  readonly hash: string;
}

/** Serves `/openapi/v3` and the document of each group version below it. A document is made when it is first asked for. */
export class OpenApi {
  #generation = -1;
  readonly #documents = new Map<string, Document>();

  constructor(
    private readonly catalog: ResourceCatalog,
    private readonly schemas: SchemaCatalog,
    private readonly naming: NamingProfile,
    private readonly serverVersion: string,
  ) {}

  static owns(segments: readonly string[]): boolean {
    return segments[0] === 'openapi' && segments[1] === 'v3';
  }

  async serve(exchange: Exchange): Promise<void> {
    if (this.#generation !== this.catalog.generation) {
      this.#generation = this.catalog.generation;
      this.#documents.clear();
    }
    const {segments} = exchange.info;
    if (segments.length === 2) {
      const entries = this.#groupVersions().map((entry) => ({group: entry.group, version: entry.version, hash: this.#document(entry).hash}));
      return respondJson(exchange, 200, buildOpenApiIndex(entries));
    }
    const [group, version] = segments[2] === 'api' && segments.length === 4 ? ['', segments[3]] : segments[2] === 'apis' && segments.length === 5 ? segments.slice(3) : [];
    const entry = this.#groupVersions().find((candidate) => candidate.group === group && candidate.version === version);
    if (!entry) throw pathNotFound();
    await this.#send(exchange, this.#document(entry));
  }

  /** An address with the hash of the document may be kept for ever. */
  async #send(exchange: Exchange, {body, hash}: Document): Promise<void> {
    const {response} = exchange;
    response.setHeader('ETag', `"${hash}"`);
    response.setHeader('Vary', 'Accept-Encoding');
    if (exchange.header('if-none-match') === `"${hash}"`) return respondNotModified(exchange);
    await respond(exchange, 200, 'application/json', body);
  }

  #groupVersions(): GroupVersionEntry[] {
    return this.catalog.groups().flatMap(({versions}) => versions);
  }

  #document(entry: GroupVersionEntry): Document {
    const key = `${entry.group}/${entry.version}`;
    let document = this.#documents.get(key);
    if (!document) {
      const body = Buffer.from(encodeJson(buildGroupVersionDocument(this.#input(entry))));
      document = {body, hash: documentHash(body)};
      this.#documents.set(key, document);
    }
    return document;
  }

  #input({group, version, types}: GroupVersionEntry): GroupVersionInput {
    return {
      group,
      version,
      title: 'Orch',
      serverVersion: this.serverVersion,
      catalog: this.schemas,
      naming: this.naming,
      patchMediaTypes: allPatchMediaTypes,
      protobuf: true,
      resources: types.map((version) => this.#resource(version)),
    };
  }

  #resource(version: ResourceTypeVersion): OpenApiResource {
    const {type, schema, subresources} = version;
    return {
      plural: type.plural,
      kind: type.kind,
      listKind: type.listKind,
      namespaced: type.namespaced,
      verbs: type.verbs,
      schema,
      subresources: Object.keys(subresources).map((name) => {
        const subresource = version.subresource(name)!;
        const verbs = subresource.definition.verbs ?? ['get', 'patch', 'update'];
        return subresource.hasOwnKind ? {name, verbs, kind: subresource.kind, schema: subresource.schema} : {name, verbs};
      }),
    };
  }
}
