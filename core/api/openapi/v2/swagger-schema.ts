import type {OpenApiNode} from '../openapi-input.js';

const kindsKeyword = 'x-kubernetes-group-version-kind';
const selectableKeyword = 'x-kubernetes-selectable-fields';
const componentPath = '#/components/schemas/';
const definitionPath = '#/definitions/';

/** Keywords with the same meaning in both versions of OpenAPI. Extensions are kept too. */
const sharedKeywords = new Set([
  'format',
  'title',
  'description',
  'multipleOf',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'maxProperties',
  'minProperties',
  'required',
  'enum',
  'type',
  'example',
  'externalDocs',
]);
const types = new Set(['array', 'boolean', 'integer', 'number', 'object', 'string']);

/**
 * Converts a published OpenAPI v3 schema to v2, as Kubernetes publishes it. What v2 cannot express is left out, and so are defaults. The
 * result never promises more than the original: v2 clients reject objects that do not match, and reject the whole document if one of its
 * schemas has a shape they do not know (a reference with a type beside it, a list without a schema for its items, several types).
 */
export function swaggerSchema(schema: OpenApiNode): OpenApiNode {
  const reference = referenceOf(schema);
  const converted: OpenApiNode = reference === undefined ? {} : {$ref: definitionPath + reference.slice(componentPath.length)};
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword.startsWith('x-') || (reference === undefined ? sharedKeywords.has(keyword) : keyword === 'description'))
      converted[keyword] = value;
  }
  if (reference === undefined) {
    resolveType(schema, converted);
    addParts(schema, converted);
  }
  return converted;
}

/**
 * Converts a published OpenAPI v3 definition to v2. If objects of a kind may have arbitrary fields, the result only says that it is an
 * object, because clients treat named fields as the only ones.
 */
export function swaggerDefinition(schema: OpenApiNode): OpenApiNode {
  const kinds = schema[kindsKeyword];
  if (kinds === undefined || !isOpen(schema)) return swaggerSchema(schema);
  const selectable = schema[selectableKeyword];
  return {type: 'object', [kindsKeyword]: kinds, ...(selectable !== undefined && {[selectableKeyword]: selectable})};
}

/** The target of a schema's reference. In v3, keywords beside a reference are moved around it; in v2 they may stand beside it. */
function referenceOf(schema: OpenApiNode): string | undefined {
  const allOf = schema['allOf'] as readonly OpenApiNode[] | undefined;
  const reference = schema['$ref'] ?? (allOf?.length === 1 ? allOf[0]!['$ref'] : undefined);
  return reference as string | undefined;
}

/** Values of several types are strings if one of the types is; null is a type that v2 lacks. */
function resolveType(schema: OpenApiNode, converted: OpenApiNode): void {
  if (typeof schema['type'] !== 'string' || !types.has(schema['type'])) delete converted['type'];
  if (isNullable(schema) || schema['x-kubernetes-int-or-string'] === true) {
    delete converted['type'];
  } else if (schema['type'] === undefined) {
    const alternatives = (schema['oneOf'] ?? []) as readonly OpenApiNode[];
    if (alternatives.some(({type}) => type === 'string')) converted['type'] = 'string';
  } else if (isOpen(schema) ? schema['type'] === 'object' || schema['type'] === 'array' : schema['type'] === 'array' && !schema['items']) {
    // Clients reject lists without a schema for their items, and fields that an object does not name.
    delete converted['type'];
  }
}

function addParts(schema: OpenApiNode, converted: OpenApiNode): void {
  const {additionalProperties} = schema;
  if (typeof additionalProperties === 'boolean') converted['additionalProperties'] = additionalProperties;
  else if (additionalProperties !== undefined) converted['additionalProperties'] = swaggerSchema(additionalProperties as OpenApiNode);
  // Clients treat the listed properties as the only ones, and treat a schema with properties as an object.
  if (isNullable(schema) || isOpen(schema)) {
    if (schema['x-kubernetes-embedded-resource'] === true) dropRequired(converted, (name) => name !== 'apiVersion' && name !== 'kind');
    return;
  }
  const properties = schema['properties'] as Readonly<Record<string, OpenApiNode>> | undefined;
  if (properties)
    converted['properties'] = Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, swaggerSchema(property)]));
  if (schema['items'] !== undefined) converted['items'] = swaggerSchema(schema['items'] as OpenApiNode);
  dropNullableRequired(schema, converted);
}

/** A null where v2 requires a value would be invalid. */
function dropNullableRequired(schema: OpenApiNode, converted: OpenApiNode): void {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, OpenApiNode>>;
  const values = schema['additionalProperties'];
  const allNullable = typeof values === 'object' && isNullable(values as OpenApiNode);
  dropRequired(converted, (name) => !allNullable && !(Object.hasOwn(properties, name) && isNullable(properties[name]!)));
}

function dropRequired(converted: OpenApiNode, isKept: (name: string) => boolean): void {
  const kept = ((converted['required'] ?? []) as readonly string[]).filter(isKept);
  if (kept.length > 0) converted['required'] = kept;
  else delete converted['required'];
}

function isNullable(schema: OpenApiNode): boolean {
  return schema['nullable'] === true;
}

/** Whether values may have fields that the schema does not name. */
function isOpen(schema: OpenApiNode): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] === true;
}
