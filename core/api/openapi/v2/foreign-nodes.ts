import {isJsonObject} from '../../json/is-json-object.js';
import type {OpenApiNode} from '../openapi-input.js';
import {swaggerDefinition, swaggerSchema} from './swagger-schema.js';

/** The name under which a definition is published; undefined for one that there is not. */
export type Refer = (definition: string) => string | undefined;

/** Deepest nesting of a schema; what is deeper may be anything. */
const maximumDepth = 64;
const definitionReference = /^#\/definitions\/([\w.~-]+)$/;
const parameterReference = /^#\/parameters\/([\w.~-]+)$/;
const methods = ['get', 'put', 'post', 'delete', 'patch'] as const;

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number';
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);

type Kind = (value: unknown) => boolean;
/** What becomes of a schema in the form of v3, in which they are read. */
type Write = (schema: OpenApiNode) => OpenApiNode;

/** Members that are taken over as they are, if their value is of the right kind. */
const schemaMembers: Readonly<Record<string, Kind>> = {
  format: isText,
  title: isText,
  description: isText,
  pattern: isText,
  type: isText,
  multipleOf: isNumber,
  maximum: isNumber,
  minimum: isNumber,
  maxLength: Number.isSafeInteger,
  minLength: Number.isSafeInteger,
  maxItems: Number.isSafeInteger,
  minItems: Number.isSafeInteger,
  maxProperties: Number.isSafeInteger,
  minProperties: Number.isSafeInteger,
  exclusiveMaximum: isBoolean,
  exclusiveMinimum: isBoolean,
  uniqueItems: isBoolean,
  required: isTexts,
  enum: Array.isArray,
};
const parameterMembers: Readonly<Record<string, Kind>> = {
  name: isText,
  in: (value) => value === 'path' || value === 'query' || value === 'body',
  description: isText,
  type: isText,
  format: isText,
  required: isBoolean,
  uniqueItems: isBoolean,
};
const operationMembers: Readonly<Record<string, Kind>> = {
  tags: isTexts,
  summary: isText,
  description: isText,
  operationId: isText,
  consumes: isTexts,
  produces: isTexts,
  deprecated: isBoolean,
};

export function isNode(value: unknown): value is OpenApiNode {
  return isJsonObject(value);
}

/** A definition that another server has written, in a shape that all clients understand. */
export function plainDefinition(schema: unknown, refer: Refer): OpenApiNode {
  return swaggerDefinition(plainSchema(schema, refer, 0));
}

/**
 * A path item that another server has written.
 *
 * @param shared parameters that operations may refer to
 * @param write the form of its schemas, that of v2 by default
 */
export function plainPathItem(item: unknown, shared: OpenApiNode, refer: Refer, write: Write = swaggerSchema): OpenApiNode {
  const given = isNode(item) ? item : {};
  const plain = extensions(given);
  if (given['parameters'] !== undefined) plain['parameters'] = plainParameters(given['parameters'], shared, refer, write);
  for (const method of methods) if (isNode(given[method])) plain[method] = plainOperation(given[method], shared, refer, write);
  return plain;
}

function plainOperation(given: OpenApiNode, shared: OpenApiNode, refer: Refer, write: Write): OpenApiNode {
  const responses = isNode(given['responses']) ? Object.entries(given['responses']) : [];
  return {
    ...chosen(given, operationMembers),
    ...extensions(given),
    parameters: plainParameters(given['parameters'], shared, refer, write),
    responses: Object.fromEntries(responses.map(([code, response]) => [code, plainResponse(response, refer, write)])),
  };
}

function plainResponse(response: unknown, refer: Refer, write: Write): OpenApiNode {
  const given = isNode(response) ? response : {};
  const {description, schema} = given;
  return {
    description: isText(description) ? description : '',
    ...(schema === undefined ? {} : {schema: write(plainSchema(schema, refer, 0))}),
  };
}

function plainParameters(parameters: unknown, shared: OpenApiNode, refer: Refer, write: Write): OpenApiNode[] {
  if (!Array.isArray(parameters)) return [];
  return parameters.flatMap((parameter: unknown) => {
    const given = isNode(parameter) ? (sharedParameter(parameter, shared) ?? parameter) : {};
    const plain: OpenApiNode = {...chosen(given, parameterMembers), ...extensions(given)};
    if (plain['name'] === undefined || plain['in'] === undefined) return [];
    if (plain['in'] === 'body') plain['schema'] = write(plainSchema(given['schema'], refer, 0));
    return [plain];
  });
}

function sharedParameter({$ref}: OpenApiNode, shared: OpenApiNode): OpenApiNode | undefined {
  const name = isText($ref) ? parameterReference.exec($ref)?.[1] : undefined;
  const found = name !== undefined && Object.hasOwn(shared, name) ? shared[name] : undefined;
  return isNode(found) ? found : undefined;
}

/** As the schemas that this server publishes are before they are put in the form of v2. */
export function plainSchema(schema: unknown, refer: Refer, depth = 0): OpenApiNode {
  if (!isNode(schema) || depth > maximumDepth) return {};
  const plain: OpenApiNode = {...chosen(schema, schemaMembers), ...extensions(schema)};
  const inner = (value: unknown) => plainSchema(value, refer, depth + 1);
  const target = referenceOf(schema);
  const name = target === undefined ? undefined : refer(target);
  if (name !== undefined) return {...plain, $ref: `#/components/schemas/${name}`};
  const {properties, items, additionalProperties} = schema;
  if (isNode(properties)) plain['properties'] = Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, inner(value)]));
  if (isNode(items)) plain['items'] = inner(items);
  if (isBoolean(additionalProperties)) plain['additionalProperties'] = additionalProperties;
  else if (isNode(additionalProperties)) plain['additionalProperties'] = inner(additionalProperties);
  return plain;
}

function referenceOf({$ref, allOf}: OpenApiNode): string | undefined {
  const [only, ...others] = Array.isArray(allOf) ? (allOf as unknown[]) : [];
  const reference = $ref ?? (others.length === 0 && isNode(only) ? only['$ref'] : undefined);
  return isText(reference) ? definitionReference.exec(reference)?.[1] : undefined;
}

function chosen(node: OpenApiNode, kinds: Readonly<Record<string, Kind>>): OpenApiNode {
  return Object.fromEntries(Object.entries(node).filter(([member, value]) => Object.hasOwn(kinds, member) && kinds[member]!(value)));
}

function extensions(node: OpenApiNode): OpenApiNode {
  return Object.fromEntries(Object.entries(node).filter(([member]) => member.startsWith('x-')));
}
