import {readFileSync} from 'node:fs';
import type {JsonSchema} from './json-schema.js';
import {ObjectSchema} from './object-schema.js';
import {metaDocument, type SchemaDocument} from './schema-document.js';
import {SchemaNode, type Names, type SchemaScope} from './schema-node.js';

const metaFile = new URL('../../../sdk/schemas/meta.v1.json', import.meta.url);
const separator = '#/definitions/';

/** Reads a schema file. */
export function readSchemaFile(file: string | URL): SchemaDocument {
  return JSON.parse(readFileSync(file, 'utf8')) as SchemaDocument;
}

interface Entry {
  readonly load: () => SchemaDocument;
  document: SchemaDocument | undefined;
  scope: SchemaScope | undefined;
}

/** A definition together with the id of the document it stands in. */
export interface Definition {
  readonly documentId: string;
  readonly document: SchemaDocument;
  readonly name: string;
  readonly schema: JsonSchema;
}

/**
 * The schema documents that are known, by id (`core/v1`, `coordination.orch/v1`; any text for a plugin's own file). A document
 * is read on first use; its definitions are compiled one by one when they are reached. The common metadata
 * (`meta.orch/v1`) is always there.
 */
export class SchemaCatalog {
  readonly #documents = new Map<string, Entry>();
  readonly #nodes = new Map<string, SchemaNode>();
  readonly #schemas = new Map<string, ObjectSchema>();
  readonly #resolving = new Set<string>();
  readonly #inlineScope: SchemaScope;
  readonly #naming: Names | undefined;

  /** @param naming how names in schemas are spelled; as they stand in the files when left out */
  constructor(naming?: Names) {
    this.#naming = naming;
    this.#inlineScope = {kubernetesSemantics: false, naming, resolve: (reference) => this.#node(reference)};
    this.add(metaDocument, () => readSchemaFile(metaFile));
  }

  /**
   * Makes a document known. A document of the same id is replaced; schemas taken from it before stay as they are.
   */
  add(id: string, load: () => SchemaDocument): void {
    this.#documents.set(id, {load, document: undefined, scope: undefined});
    const prefix = id + separator;
    for (const known of [this.#nodes, this.#schemas]) for (const key of known.keys()) if (key.startsWith(prefix)) known.delete(key);
  }

  has(id: string): boolean {
    return this.#documents.has(id);
  }

  /**
   * The schema of an API object by reference (`core/v1#/definitions/ConfigMap`). The definition is found at once, the rest on use.
   *
   * @throws Error that names the reference when there is no such document or definition, or when the file cannot be read
   */
  schema(reference: string): ObjectSchema {
    let schema = this.#schemas.get(reference);
    if (!schema) {
      const definition = this.definition(reference);
      schema = new ObjectSchema(definition.schema, this.#scopeOf(definition.documentId), reference);
      this.#schemas.set(reference, schema);
    }
    return schema;
  }

  /** The schema of an API object that stands in a manifest or a CustomResourceDefinition itself. References must be full ones. */
  fromInline(schema: JsonSchema): ObjectSchema {
    return new ObjectSchema(schema, this.#inlineScope);
  }

  /** A part of such a schema: what describes a single value. */
  inlineNode(schema: JsonSchema): SchemaNode {
    return new SchemaNode(schema, this.#inlineScope);
  }

  /** A schema that is not an API object's (options of a request, a subresource's body part). */
  node(reference: string): SchemaNode {
    return this.#node(reference);
  }

  /**
   * The text of a definition, uncompiled.
   *
   * @param from id of the document in which a short reference (`#/definitions/X`) stands
   * @throws Error that names the reference when there is no such document or definition
   */
  definition(reference: string, from = ''): Definition {
    const at = reference.indexOf(separator);
    if (at < 0) throw new Error(`schema reference ${JSON.stringify(reference)} is not of the form DOCUMENT${separator}NAME`);
    const id = at === 0 ? from : reference.slice(0, at);
    const name = reference.slice(at + separator.length);
    const document = this.#entry(id, reference).document as SchemaDocument;
    if (!Object.hasOwn(document.definitions, name)) throw new Error(`schema document ${id} has no definition ${JSON.stringify(name)}`);
    return {documentId: id, document, name, schema: document.definitions[name] as JsonSchema};
  }

  #entry(id: string, reference: string): Entry {
    const entry = this.#documents.get(id);
    if (!entry) throw new Error(`schema reference ${JSON.stringify(reference)} names an unknown document ${JSON.stringify(id)}`);
    entry.document ??= entry.load();
    return entry;
  }

  #scopeOf(id: string): SchemaScope {
    const entry = this.#entry(id, id);
    return (entry.scope ??= {
      kubernetesSemantics: entry.document?.semantics === 'typed',
      naming: this.#naming,
      resolve: (reference) => this.#node(reference.startsWith('#') ? id + reference : reference),
    });
  }

  #node(reference: string): SchemaNode {
    let node = this.#nodes.get(reference);
    if (node) return node;
    if (this.#resolving.has(reference)) throw new Error(`schema reference ${JSON.stringify(reference)} leads back to itself`);
    this.#resolving.add(reference);
    try {
      const definition = this.definition(reference);
      node = new SchemaNode(definition.schema, this.#scopeOf(definition.documentId), {reference});
      this.#nodes.set(reference, node);
      return node;
    } finally {
      this.#resolving.delete(reference);
    }
  }
}
