import {resolve} from 'node:path';
import type {JsonSchema} from '../api/schema/json-schema.js';
import type {ObjectSchema} from '../api/object-schema/object-schema.js';
import {readSchemaFile, type SchemaCatalog} from '../api/object-schema/schema-catalog.js';

/** What a reference to a schema leads to, for checks. */
export interface PluginSchema {
  /** As it is served. */
  readonly served: ObjectSchema;
  /** With what it refers to in its place, as a custom resource definition would have to have it. */
  readonly whole: JsonSchema;
  /** Whether its keywords are enforced by code instead (`semantics` of the document). */
  readonly isTyped: boolean;
}

/** More parts than a schema of real types has; definitions that refer to each other can multiply. */
const maximumParts = 50_000;

/**
 * Reads the schema of a version.
 *
 * @param schema from the manifest: the schema, or a reference relative to `folder`
 * @throws Error that says what is wrong with a reference; SyntaxError for a file that is no JSON
 */
export function pluginSchema(schema: string | JsonSchema, folder: string, catalog: SchemaCatalog): PluginSchema {
  if (typeof schema !== 'string')
    return {served: catalog.fromInline(schema), whole: new Expansion(catalog, '').expand(schema), isTyped: false};
  const [file, fragment = ''] = schema.split('#') as [string, string?];
  const path = resolve(folder, file);
  const id = file.endsWith('.json') ? path : file;
  if (!catalog.has(id)) catalog.add(id, () => readSchemaFile(path));
  const definition = catalog.definition(`${id}#${fragment}`);
  return {
    served: catalog.schema(`${id}#${fragment}`),
    whole: new Expansion(catalog, id).expand(definition.schema),
    isTyped: definition.document.semantics === 'typed',
  };
}

/** Puts the targets of references in their place and leaves out our own keywords. */
class Expansion {
  readonly #open = new Set<string>();
  #parts = 0;
  readonly #catalog: SchemaCatalog;
  readonly #document: string;

  constructor(catalog: SchemaCatalog, document: string) {
    this.#catalog = catalog;
    this.#document = document;
  }

  expand(schema: JsonSchema): JsonSchema {
    if (++this.#parts > maximumParts) throw new Error(`it has more than ${maximumParts} parts, with what it refers to`);
    const {$ref, ...own} = schema;
    const members = Object.entries(own).filter(([keyword]) => !keyword.startsWith('x-orch-'));
    const described = Object.fromEntries(members.map(([keyword, value]) => [keyword, this.#member(keyword, value)])) as JsonSchema;
    return $ref === undefined ? described : {...this.#target($ref), ...described};
  }

  #target(reference: string): JsonSchema {
    const {documentId, name, schema, document} = this.#catalog.definition(reference, this.#document);
    const key = `${documentId}#${name}`;
    // Definitions of others are right by themselves, and one that contains itself has no end.
    if (documentId !== this.#document || document.semantics === 'typed' || this.#open.has(key))
      return {type: schema.type ?? 'object', 'x-kubernetes-preserve-unknown-fields': true} as JsonSchema;
    this.#open.add(key);
    const target = this.expand(schema);
    this.#open.delete(key);
    return target;
  }

  #member(keyword: string, value: unknown): unknown {
    const expanded = (each: unknown) => (typeof each === 'object' && each !== null ? this.expand(each as JsonSchema) : each);
    switch (keyword) {
      case 'properties':
        return Object.fromEntries(Object.entries(value as object).map(([name, each]) => [name, expanded(each)]));
      case 'items':
      case 'additionalProperties':
      case 'not':
        return expanded(value);
      case 'allOf':
      case 'anyOf':
      case 'oneOf':
        return (value as unknown[]).map(expanded);
      default:
        return value;
    }
  }
}
