import type {JsonSchema} from '../schema/json-schema.js';
import {metaDocument} from '../schema/schema-document.js';
import {objectProperties} from './object-properties.js';
import type {OpenApiNode} from './openapi-input.js';

export interface PublishContext {
  /** Turns a reference in a schema file into one inside the document. */
  readonly reference: (reference: string) => string;
  /** Translates a name in a default. */
  readonly name: (kind: 'group' | 'key', text: string) => string;
  readonly group: (neutral: string) => string;
  readonly kubernetesSemantics: boolean;
}

const schemaMaps = ['properties'] as const;
const schemaLists = ['allOf', 'anyOf', 'oneOf'] as const;
const schemas = ['items', 'not'] as const;

/**
 * A schema as clients see it: our own keywords are removed, references point to the document's components, and keywords beside a reference
 * are moved around it, because clients ignore them there.
 */
export function publishedSchema(schema: JsonSchema, context: PublishContext): OpenApiNode {
  const {$ref, ...rest} = schema;
  const published: OpenApiNode = {};
  for (const [keyword, value] of Object.entries(rest)) {
    if (!keyword.startsWith('x-orch-')) published[keyword] = value;
  }
  for (const keyword of schemaMaps) {
    const given = schema[keyword];
    // An empty map says nothing, and programs in Go leave it out: what they write would not be what they have read.
    if (given && Object.keys(given).length === 0) delete published[keyword];
    else if (given) published[keyword] = mapValues(given, (entry) => publishedSchema(entry, context));
  }
  for (const keyword of schemaLists) {
    const given = schema[keyword];
    if (given) published[keyword] = given.map((entry) => publishedSchema(entry, context));
  }
  for (const keyword of schemas) {
    const given = schema[keyword];
    if (given) published[keyword] = publishedSchema(given, context);
  }
  if (typeof schema.additionalProperties === 'object')
    published['additionalProperties'] = publishedSchema(schema.additionalProperties, context);
  const named = schema['x-orch-name'];
  if (named && typeof schema.default === 'string') published['default'] = context.name(named, schema.default);
  const kinds = schema['x-kubernetes-group-version-kind'] as readonly {group: string; version: string; kind: string}[] | undefined;
  if (kinds) published['x-kubernetes-group-version-kind'] = kinds.map((kind) => ({...kind, group: context.group(kind.group)}));
  if (context.kubernetesSemantics) adjustTyped(schema, published);
  else adjustStructural(schema, published, context);
  if ($ref === undefined) return published;
  const reference = {$ref: context.reference($ref)};
  if (schema['x-orch-presence'] === 'always' && published['default'] === undefined) published['default'] = {};
  return Object.keys(published).length === 0 ? reference : {...published, allOf: [reference]};
}

/** Values that can have several types, as in Kubernetes' documents. */
function adjustTyped(schema: JsonSchema, published: OpenApiNode): void {
  if (schema['x-kubernetes-int-or-string']) {
    delete published['x-kubernetes-int-or-string'];
    published['format'] = 'int-or-string';
    published['oneOf'] = [{type: 'integer'}, {type: 'string'}];
  }
  if (schema['x-orch-form'] === 'quantity') {
    delete published['type'];
    published['oneOf'] = [{type: 'string'}, {type: 'number'}];
  }
  if (schema['x-kubernetes-preserve-unknown-fields']) {
    delete published['x-kubernetes-preserve-unknown-fields'];
    if (schema['x-orch-form'] === 'raw') published['type'] = 'object';
  }
}

function adjustStructural(schema: JsonSchema, published: OpenApiNode, context: PublishContext): void {
  if (schema['x-kubernetes-int-or-string']) nameBothTypes(schema, published);
  if (schema['x-kubernetes-embedded-resource']) embed(published, context);
}

const bothTypes = [{type: 'integer'}, {type: 'string'}];

/** Describes a value that is an integer or a string with keywords that every client knows, unless the schema already does. */
function nameBothTypes({anyOf, allOf}: JsonSchema, published: OpenApiNode): void {
  if (isBothTypes(anyOf) || isBothTypes(allOf?.[0]?.anyOf)) return;
  if (anyOf === undefined) published['anyOf'] = bothTypes;
  else published['allOf'] = [{anyOf: bothTypes}, ...((published['allOf'] ?? []) as readonly OpenApiNode[])];
}

function isBothTypes(schemas: readonly JsonSchema[] | undefined): boolean {
  return schemas?.length === 2 && schemas.every((entry, index) => entry.type === bothTypes[index]!.type && Object.keys(entry).length === 1);
}

/** An embedded object has the members that all API objects have. */
function embed(published: OpenApiNode, context: PublishContext): void {
  const required = (published['required'] ?? []) as readonly string[];
  published['properties'] = objectProperties(published['properties'], {$ref: context.reference(`${metaDocument}#/definitions/ObjectMeta`)});
  published['required'] = [...new Set([...required, 'kind', 'apiVersion'])];
}

function mapValues<T>(members: Readonly<Record<string, T>>, map: (value: T) => OpenApiNode): OpenApiNode {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, map(value)]));
}
