import {readFileSync} from 'node:fs';
import type {FeatureGates} from '../../../sdk/index.js';
import {platformGates} from '../gates/platform-gates.js';
import {definitionAtRelease, isPresent, spanOf, type Span} from '../schema/at-release.js';
import type {JsonSchema} from '../schema/json-schema.js';
import {compareReleases, defaultReleaseOf, servedReleases} from '../lifetimes/releases.js';
import {ObjectSchema} from './object-schema.js';
import {schemaBehaviour, type SchemaBehaviour} from '../schema/schema-behaviour.js';
import {metaDocument, type SchemaDocument} from '../schema/schema-document.js';
import {SchemaNode, type Names, type SchemaScope} from '../schema/schema-node.js';

const metaFile = new URL('../../../sdk/schemas/meta.v1.json', import.meta.url);
const separator = '#/definitions/';

/** @param manifest what the manifest says of the types, for a file that leaves it out */
export function readSchemaFile(file: string | URL, manifest: Partial<Pick<SchemaDocument, 'group' | 'version'>> = {}): SchemaDocument {
  return {...manifest, ...(JSON.parse(readFileSync(file, 'utf8')) as SchemaDocument)};
}

function givenDefinition({definitions}: SchemaDocument, name: string): JsonSchema | undefined {
  return Object.hasOwn(definitions, name) ? definitions[name] : undefined;
}

/** The release that has something and is nearest to the given one. */
function nearestRelease(span: Span, release: string): string {
  const having = servedReleases.filter((other) => isPresent(span, other));
  return having.find((other) => compareReleases(other, release) >= 0) ?? having.at(-1) ?? release;
}

function gatesOf(release: string): FeatureGates {
  const gates = platformGates(release, {});
  return {enabled: (name) => gates.get(name)?.enabled === true};
}

interface Entry {
  readonly load: () => SchemaDocument;
  document: SchemaDocument | undefined;
  /** Those that were asked for; undefined for one that no release has. */
  readonly definitions: Map<string, JsonSchema | undefined>;
  scope: SchemaScope | undefined;
}

/** A definition and the id of its document. */
export interface Definition {
  readonly documentId: string;
  readonly document: SchemaDocument;
  readonly name: string;
  readonly schema: JsonSchema;
}

/**
 * The known schema documents by id (`core/v1`, `coordination.orch/v1`; any string for a plugin's own file). A document is read on first
 * use; its definitions are compiled one by one when they are needed. The common metadata (`meta.orch/v1`) is always included.
 */
export class SchemaCatalog {
  readonly #documents = new Map<string, Entry>();
  readonly #nodes = new Map<string, SchemaNode>();
  readonly #schemas = new Map<string, ObjectSchema>();
  readonly #resolving = new Set<string>();
  readonly #inlineScope: SchemaScope;
  readonly #naming: Names | undefined;
  readonly release: string;
  #behaviour: SchemaBehaviour | undefined;

  /**
   * @param naming how names in schemas are spelled; unchanged if left out
   * @param release what schema files say of other releases is left out, and whose language expressions speak
   */
  constructor(naming?: Names, release = defaultReleaseOf()) {
    this.#naming = naming;
    this.release = release;
    this.#inlineScope = this.#scopeWith(false, (reference) => this.#node(reference));
    this.add(metaDocument, () => readSchemaFile(metaFile));
  }

  /** Values are judged as these gates say; without them as those of the release do. */
  useGates(gates: FeatureGates): void {
    this.#behaviour = schemaBehaviour(gates);
  }

  /** Adds a document, or replaces the one with the same id. Schemas already taken from it do not change. */
  add(id: string, load: () => SchemaDocument): void {
    this.#documents.set(id, {load, document: undefined, definitions: new Map(), scope: undefined});
    const prefix = id + separator;
    for (const known of [this.#nodes, this.#schemas]) for (const key of known.keys()) if (key.startsWith(prefix)) known.delete(key);
  }

  has(id: string): boolean {
    return this.#documents.has(id);
  }

  /**
   * The schema of an API object by reference (`core/v1#/definitions/ConfigMap`). The definition is looked up immediately, the rest on use.
   *
   * @throws Error that names the reference if there is no such document or definition, or if the file cannot be read
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

  /** The schema of an API object given inline in a manifest or CustomResourceDefinition. References must be full ones. */
  fromInline(schema: JsonSchema): ObjectSchema {
    return new ObjectSchema(schema, this.#inlineScope);
  }

  /** A part of such a schema that describes a single value. */
  inlineNode(schema: JsonSchema): SchemaNode {
    return new SchemaNode(schema, this.#inlineScope);
  }

  /** A schema of something other than an API object (options of a request, part of a subresource's body). */
  node(reference: string): SchemaNode {
    return this.#node(reference);
  }

  /**
   * A definition's text, uncompiled.
   *
   * @param from id of the document that contains a short reference (`#/definitions/X`)
   * @throws Error that names the reference if there is no such document or definition
   */
  definition(reference: string, from = ''): Definition {
    const at = reference.indexOf(separator);
    if (at < 0) throw new Error(`schema reference ${JSON.stringify(reference)} is not of the form DOCUMENT${separator}NAME`);
    const id = at === 0 ? from : reference.slice(0, at);
    const name = reference.slice(at + separator.length);
    const entry = this.#entry(id, reference);
    const schema = this.#definitionOf(entry, name);
    if (schema === undefined) throw new Error(`schema document ${id} has no definition ${JSON.stringify(name)}`);
    return {documentId: id, document: entry.document as SchemaDocument, name, schema};
  }

  /** Whether a document that is known has a definition, in the release. */
  hasDefinition(id: string, name: string): boolean {
    const definition = givenDefinition(this.#entry(id, id).document!, name);
    return definition !== undefined && isPresent(spanOf(definition), this.release);
  }

  /** As the release has it. One of another release is asked for only to read what was stored there: it is as it was when it came, or went. */
  #definitionOf({document, definitions}: Entry, name: string): JsonSchema | undefined {
    if (!definitions.has(name)) {
      const given = givenDefinition(document!, name);
      definitions.set(name, given && definitionAtRelease(given, nearestRelease(spanOf(given), this.release)));
    }
    return definitions.get(name);
  }

  #entry(id: string, reference: string): Entry {
    const entry = this.#documents.get(id);
    if (!entry) throw new Error(`schema reference ${JSON.stringify(reference)} names an unknown document ${JSON.stringify(id)}`);
    entry.document ??= entry.load();
    return entry;
  }

  #scopeOf(id: string): SchemaScope {
    const entry = this.#entry(id, id);
    return (entry.scope ??= this.#scopeWith(entry.document?.semantics === 'typed', (reference) =>
      this.#node(reference.startsWith('#') ? id + reference : reference),
    ));
  }

  /** Gates are asked when the first value is judged, not when a schema is read. */
  #scopeWith(kubernetesSemantics: boolean, resolve: (reference: string) => SchemaNode): SchemaScope {
    const behaviour = () => (this.#behaviour ??= schemaBehaviour(gatesOf(this.release)));
    return {
      kubernetesSemantics,
      naming: this.#naming,
      release: this.release,
      get behaviour() {
        return behaviour();
      },
      resolve,
    };
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
