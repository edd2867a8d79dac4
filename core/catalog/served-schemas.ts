import type {ResourceRef, ServedSchemas} from '../../sdk/index.js';
import {metaDocument} from '../api/schema/schema-document.js';
import type {ResourceCatalog} from '../api/types/resource-catalog.js';

/** The schemas of all types that a server has at the moment, custom ones included. */
export class CatalogSchemas implements ServedSchemas {
  readonly #catalog: ResourceCatalog;

  constructor(catalog: ResourceCatalog) {
    this.#catalog = catalog;
  }

  of({group, version, resource}: ResourceRef): Readonly<Record<string, unknown>> | undefined {
    const schema = this.#catalog.find(group, version, resource)?.schema;
    if (!schema) return undefined;
    if (schema.reference !== undefined) return {$ref: schema.reference};
    const {source} = schema;
    const text = {type: 'string'};
    // The schema of a custom resource says at most how its metadata is restricted.
    const platform = {apiVersion: text, kind: text, metadata: {$ref: `${metaDocument}#/definitions/ObjectMeta`}};
    return {...source, properties: {...source.properties, ...platform}};
  }
}
