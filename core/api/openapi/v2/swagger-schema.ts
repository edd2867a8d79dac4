import type {OpenApiNode} from '../openapi-input.js';

const kindsKeyword = 'x-kubernetes-group-version-kind';
const componentPath = '#/components/schemas/';
const definitionPath = '#/definitions/';

/** Keywords that mean the same in both releases of OpenAPI. Extensions are kept besides. */
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
 * A published schema of OpenAPI v3 in the older form, v2, as Kubernetes publishes it there. What v2 has no word for is left
 * out, and so are defaults. The result never promises more than the original: clients of v2 refuse objects that do not fit,
 * and refuse the whole document when a schema in it is of a shape that they do not know (a reference with a type beside it, a list
 * without a schema of its items, several types).
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
 * A published definition of OpenAPI v3 in the older form. Of a kind whose objects may have any fields nothing is said but that it is an
 * object: clients take fields that are named for all that there are.
 */
export function swaggerDefinition(schema: OpenApiNode): OpenApiNode {
  const kinds = schema[kindsKeyword];
  return kinds !== undefined && isOpen(schema) ? {type: 'object', [kindsKeyword]: kinds} : swaggerSchema(schema);
}

/** What a schema refers to. In v3 what stands beside a reference is put around it; in v2 it may stand beside it. */
function referenceOf(schema: OpenApiNode): string | undefined {
  const allOf = schema['allOf'] as readonly OpenApiNode[] | undefined;
  const reference = schema['$ref'] ?? (allOf?.length === 1 ? allOf[0]!['$ref'] : undefined);
  return reference as string | undefined;
}

/** Values of several types are text where one of them is; null is a type of its own that v2 lacks. */
function resolveType(schema: OpenApiNode, converted: OpenApiNode): void {
  if (typeof schema['type'] !== 'string' || !types.has(schema['type'])) delete converted['type'];
  if (isNullable(schema) || schema['x-kubernetes-int-or-string'] === true) {
    delete converted['type'];
  } else if (schema['type'] === undefined) {
    const alternatives = (schema['oneOf'] ?? []) as readonly OpenApiNode[];
    if (alternatives.some(({type}) => type === 'string')) converted['type'] = 'string';
  } else if (isOpen(schema) ? schema['type'] === 'object' || schema['type'] === 'array' : schema['type'] === 'array' && !schema['items']) {
    // Clients refuse lists without a schema of their items, and fields that an object does not name.
    delete converted['type'];
  }
}

function addParts(schema: OpenApiNode, converted: OpenApiNode): void {
  const {additionalProperties} = schema;
  if (typeof additionalProperties === 'boolean') converted['additionalProperties'] = additionalProperties;
  else if (additionalProperties !== undefined) converted['additionalProperties'] = swaggerSchema(additionalProperties as OpenApiNode);
  // Clients take properties for all that there may be, and a schema with properties for an object.
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

/** A null where v2 requires a value would be a fault. */
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
