import {
  forbiddenField,
  invalid,
  notSupported,
  required,
  type FieldError,
  type FieldPath,
  type Interruptible,
} from '../../../../../sdk/index.js';
import {dependenciesOf, type SchemaProps} from '../../schema-props.js';
import type {Ratcheting} from '../ratcheting.js';
import {keyedItemFaults, listTypeFaults, setItemFaults} from './list-type-faults.js';
import {ruleFormFaults} from './rule-form-faults.js';

const types: readonly string[] = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const metaMembers: ReadonlySet<string> = new Set(['metadata', 'apiVersion', 'kind']);

/** The current place of a check in a schema. */
interface Place {
  readonly path: FieldPath;
  readonly isRoot: boolean;
  /** Inside the schema of `metadata` of a resource. */
  readonly insideMeta: boolean;
  /** Why a default is not allowed here; undefined if it is allowed. */
  readonly noDefault?: string;
  readonly ratcheting: Ratcheting;
}

/** Which keywords a schema may use, and how they may be combined (Kubernetes' `ValidateCustomResourceDefinitionOpenAPISchema`). */
export function* openApiFaults(schema: SchemaProps, path: FieldPath, ratcheting: Ratcheting): Interruptible<FieldError[]> {
  const faults: FieldError[] = [];
  yield* check(schema, {path, isRoot: true, insideMeta: false, ratcheting}, faults);
  return faults;
}

/** Whether a schema names an unknown type. */
export function hasUnknownType({type}: SchemaProps): boolean {
  return type !== undefined && type !== '' && !types.includes(type);
}

function* check(schema: SchemaProps, place: Place, faults: FieldError[]): Interruptible<void> {
  const {path, ratcheting} = place;
  faults.push(...forbiddenKeywords(schema, place));
  yield* checkMembers(schema, place, faults);
  yield* checkParts(schema, place, faults);
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    faults.push(invalid(path.child('x-kubernetes-preserve-unknown-fields'), false, 'must be true or undefined'));
  }
  faults.push(...mapTypeFaults(schema, path), ...listTypeFaults(schema, path));
  const ofSet = setItemFaults(schema, path);
  if (ofSet.length > 0 && !ratcheting.mergeableSetItems) faults.push(...ofSet);
  const ofKeys = keyedItemFaults(schema, path);
  if (ofKeys.length > 0 && !ratcheting.optionalKeys) faults.push(...ofKeys);
  faults.push(...ruleFormFaults(schema, path, ratcheting.behaviour.shortDetails));
  yield;
}

function forbiddenKeywords(schema: SchemaProps, {path, noDefault, insideMeta, ratcheting}: Place): FieldError[] {
  const faults: FieldError[] = [];
  const forbid = (keyword: string, detail: string) => faults.push(forbiddenField(path.child(keyword), detail));
  if (hasUnknownType(schema) && !ratcheting.unknownTypes) faults.push(notSupported(path.child('type'), schema.type, types));
  if (schema.default !== undefined && noDefault !== undefined) forbid('default', `must not be set ${noDefault}`);
  if (schema.id) forbid('id', 'id is not supported');
  if (schema.additionalItems !== undefined) forbid('additionalItems', 'additionalItems is not supported');
  if (hasMembers(schema.patternProperties)) forbid('patternProperties', 'patternProperties is not supported');
  if (hasMembers(schema.definitions)) forbid('definitions', 'definitions is not supported');
  if (schema.dependencies !== undefined) forbid('dependencies', 'dependencies is not supported');
  if (schema.$ref !== undefined) forbid('$ref', '$ref is not supported');
  if (schema.type === 'null') forbid('type', 'type cannot be set to null, use nullable as an alternative');
  if (Array.isArray(schema.items)) forbid('items', 'items must be a schema object and not an array');
  if (schema.uniqueItems) forbid('uniqueItems', 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic');
  if (insideMeta && schema['x-kubernetes-embedded-resource'])
    forbid('x-kubernetes-embedded-resource', 'must not be used inside of resource meta');
  const {additionalProperties} = schema;
  if (additionalProperties !== undefined && additionalProperties !== true && hasMembers(schema.properties)) {
    forbid('additionalProperties', 'additionalProperties and properties are mutual exclusive');
  }
  return faults;
}

/** Named members and map values. */
function* checkMembers(schema: SchemaProps, place: Place, faults: FieldError[]): Interruptible<void> {
  const {path, isRoot, insideMeta} = place;
  if (typeof schema.additionalProperties === 'object') {
    const inner = {...place, path: path.child('additionalProperties'), isRoot: false};
    yield* check(
      schema.additionalProperties,
      insideMeta ? {...inner, noDefault: 'inside additionalProperties applying to object metadata'} : inner,
      faults,
    );
  }
  const isResource = isRoot || schema['x-kubernetes-embedded-resource'] === true;
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const inner = {...place, path: path.child('properties').key(name), isRoot: false};
    const isMeta = isResource && metaMembers.has(name);
    yield* check(
      property,
      {...inner, insideMeta: insideMeta || isMeta, ...(isMeta && isRoot ? {noDefault: `in top-level ${name}`} : {})},
      faults,
    );
  }
}

function* checkParts(schema: SchemaProps, place: Place, faults: FieldError[]): Interruptible<void> {
  for (const [part, path] of partsOf(schema, place.path)) yield* check(part, {...place, path, isRoot: false}, faults);
}

/** The schemas in others that are neither members nor map values. */
function* partsOf(schema: SchemaProps, path: FieldPath): Generator<[SchemaProps, FieldPath]> {
  if (schema.not) yield [schema.not, path.child('not')];
  for (const keyword of ['allOf', 'oneOf', 'anyOf'] as const)
    for (const [position, part] of (schema[keyword] ?? []).entries()) yield [part, path.child(keyword).index(position)];
  for (const [name, part] of Object.entries(schema.definitions ?? {})) yield [part, path.child('definitions').key(name)];
  for (const [name, part] of dependenciesOf(schema)) yield [part, path.child('dependencies').key(name)];
  if (Array.isArray(schema.items))
    for (const [position, part] of (schema.items as readonly SchemaProps[]).entries()) yield [part, path.child('items').index(position)];
  else if (schema.items) yield [schema.items as SchemaProps, path.child('items')];
}

function mapTypeFaults(schema: SchemaProps, path: FieldPath): FieldError[] {
  const mapType = schema['x-kubernetes-map-type'];
  if (mapType === undefined) return [];
  const faults: FieldError[] = [];
  if (schema.type !== 'object') {
    const detail = 'must be object if x-kubernetes-map-type is specified';
    faults.push(schema.type ? invalid(path.child('type'), schema.type, detail) : required(path.child('type'), detail));
  }
  const known = ['atomic', 'granular'];
  if (!known.includes(mapType)) faults.push(notSupported(path.child('x-kubernetes-map-type'), mapType, known));
  return faults;
}

function hasMembers(members: object | undefined): boolean {
  return members !== undefined && members !== null && Object.keys(members).length > 0;
}
