import {forbiddenField, invalid, required, type FieldError, type FieldPath, type Interruptible} from '../../../../../sdk/index.js';
import {itemsOf, propertyOf, someSchema, valuesOf, type SchemaProps} from '../../schema-props.js';
import {completenessFaults} from './completeness-faults.js';
import {valueRuleFaults, type PatternCheck} from './value-rule-faults.js';

type Level = 'root' | 'item' | 'field';

const missingType: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

/** Whether a schema has keywords that no structural schema has: it is judged no further. */
export function isBeyondStructure(schema: SchemaProps): boolean {
  const hasMembers = (members: object | undefined) => members !== undefined && Object.keys(members).length > 0;
  return someSchema(
    schema,
    ({id, $schema, $ref, patternProperties, dependencies, additionalItems, definitions, items, ...others}) =>
      Boolean(id || $schema || $ref) ||
      others['x-kubernetes-preserve-unknown-fields'] === false ||
      additionalItems !== undefined ||
      Array.isArray(items) ||
      [patternProperties, dependencies, definitions].some(hasMembers),
  );
}

/** Errors that keep a schema from being structural: every place must have a type, and value rules must not add structure. */
export function* structuralFaults(schema: SchemaProps, path: FieldPath, patternFault: PatternCheck): Interruptible<FieldError[]> {
  const faults: FieldError[] = [];
  function* visit(part: SchemaProps, level: Level, at: FieldPath): Interruptible<void> {
    const items = itemsOf(part);
    if (items) yield* visit(items, 'item', at.child('items'));
    for (const [name, property] of Object.entries(part.properties ?? {})) yield* visit(property, 'field', at.child('properties').key(name));
    const values = valuesOf(part);
    if (values) yield* visit(values, 'field', at.child('additionalProperties'));
    faults.push(...typeFaults(part, level, at), ...resourceFaults(part, level, at), ...extensionFaults(part, at));
    faults.push(...valueRuleFaults(part, at, patternFault));
    yield;
  }
  yield* visit(schema, 'root', path);
  // Kubernetes looks at what the root says of its parts, and not at what parts say of theirs.
  return [...faults, ...completenessFaults(schema, path)];
}

function typeFaults(schema: SchemaProps, level: Level, path: FieldPath): FieldError[] {
  const faults: FieldError[] = [];
  const isInteger = schema['x-kubernetes-int-or-string'] === true;
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  const type = schema.type ?? '';
  if (isEmbedded && type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true';
    faults.push(type === '' ? required(path.child('type'), detail) : invalid(path.child('type'), type, detail));
  } else if (type === '' && !isInteger && !schema['x-kubernetes-preserve-unknown-fields']) {
    faults.push(required(path.child('type'), missingType[level]));
  }
  if (level === 'root' && type !== '' && type !== 'object') faults.push(invalid(path.child('type'), type, 'must be object at the root'));
  if (type === 'array' && schema.items === undefined) faults.push(required(path.child('items'), 'must be specified'));
  return faults;
}

/** The rules for schemas of whole objects: the root and embedded resources. */
function resourceFaults(schema: SchemaProps, level: Level, path: FieldPath): FieldError[] {
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  if (level !== 'root' && !isEmbedded) return [];
  const faults: FieldError[] = [];
  const properties = path.child('properties');
  if (schema.additionalProperties !== undefined) {
    const detail = level === 'root' ? 'must not be used at the root' : 'must not be used if x-kubernetes-embedded-resource is set';
    faults.push(forbiddenField(path.child('additionalProperties'), detail));
  }
  for (const name of ['kind', 'apiVersion']) {
    const property = propertyOf(schema, name);
    if (property && property.type !== 'string')
      faults.push(invalid(properties.key(name).child('type'), property.type ?? '', 'must be string'));
  }
  const metadata = propertyOf(schema, 'metadata');
  if (metadata && metadata.type !== 'object')
    faults.push(invalid(properties.key('metadata').child('type'), metadata.type ?? '', 'must be object'));
  if (metadata && level === 'root' && !restrictsNamesOnly(metadata)) {
    const detail = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
    faults.push(forbiddenField(properties.key('metadata'), detail));
  }
  if (isEmbedded && !schema['x-kubernetes-preserve-unknown-fields'] && Object.keys(schema.properties ?? {}).length === 0) {
    const detail = 'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    faults.push(required(path.child('properties'), detail));
  }
  return faults;
}

function restrictsNamesOnly({type: _type, default: _default, properties = {}, ...others}: SchemaProps): boolean {
  return Object.keys(others).length === 0 && Object.keys(properties).every((name) => name === 'name' || name === 'generateName');
}

function extensionFaults(schema: SchemaProps, path: FieldPath): FieldError[] {
  if (schema['x-kubernetes-int-or-string'] !== true) return [];
  return (['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const)
    .filter((keyword) => schema[keyword] === true)
    .map((keyword) => invalid(path.child(keyword), true, 'must be false if x-kubernetes-int-or-string is true'));
}
