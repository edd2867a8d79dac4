import type {SchemaNode} from '../../schema/schema-node.js';
import type {CelFeatures} from '../features.js';
import {fieldName, isKeyword} from '../field-names.js';
import {quantityType} from '../libraries/quantities.js';
import {semverType} from '../libraries/semver.js';
import {
  anyType,
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listOf,
  mapOf,
  stringType,
  timestampType,
  type CelType,
} from '../types/cel-type.js';
import {StructType} from '../types/struct-type.js';

const textTypes: Readonly<Record<string, CelType>> = {
  byte: bytesType,
  date: timestampType,
  'date-time': timestampType,
  duration: durationType,
};
const namedTypes: Readonly<Record<string, CelType>> = {
  any: anyType,
  dyn: dynType,
  string: stringType,
  'kubernetes.Quantity': quantityType,
  'kubernetes.Semver': semverType,
  'kubernetes.DeviceAttribute': anyType,
};

/** Those of the members of metadata that expressions see. */
const metadataFields: ReadonlyMap<string, CelType> = new Map([
  ['name', stringType],
  ['generateName', stringType],
]);

/**
 * The type of the values of a place; undefined if nothing is known about them, and expressions cannot see them.
 *
 * @param name of the place, of which the names of the types below are made
 */
export function typeOfSchema(node: SchemaNode, name: string, features: CelFeatures): CelType | undefined {
  const own = node.schema['x-orch-expression-type'];
  if (own !== undefined) return namedTypes[own];
  switch (node.type) {
    case 'array': {
      const item = node.items && typeOfSchema(node.items, `${name}.@idx`, features);
      return item && listOf(item);
    }
    case 'object': {
      if (isStructure(node)) return structOf(node, name, features);
      const value = typeOfSchema(node.additional!, `${name}.@elem`, features);
      return value && mapOf(stringType, value);
    }
    case 'string':
      return (node.format !== undefined && Object.hasOwn(textTypes, node.format) ? textTypes[node.format] : undefined) ?? stringType;
    case 'integer':
      return intType;
    case 'number':
      return doubleType;
    case 'boolean':
      return boolType;
    case 'int-or-string':
      return dynType;
    default:
      return undefined;
  }
}

/** An object with named members, as opposed to a map. */
export function isStructure(node: SchemaNode): boolean {
  return node.properties.size > 0 || !node.additional;
}

/** Its fields get their types when an expression first asks for them. */
function structOf(node: SchemaNode, name: string, features: CelFeatures): StructType {
  const known = new Map<string, CelType | undefined>();
  const properties = fieldsOf(node);
  const fieldType = (field: string): CelType | undefined => {
    const property = properties.get(field);
    if (!property) return undefined;
    if (node.isResource && field === 'metadata') return new StructType(`${name}.${field}`, (member) => metadataFields.get(member));
    return typeOfSchema(property, `${name}.${field}`, features);
  };
  const find = (field: string) => {
    if (!known.has(field)) known.set(field, fieldType(field));
    return known.get(field);
  };
  const withKeywords = features.has('keywords-as-fields');
  return new StructType(name, (field) => find(field) ?? (withKeywords && isKeyword(field) ? find(`__${field}__`) : undefined));
}

const fields = new WeakMap<SchemaNode, ReadonlyMap<string, SchemaNode>>();

/** The properties of an object by the names of their fields. */
function fieldsOf(node: SchemaNode): ReadonlyMap<string, SchemaNode> {
  let found = fields.get(node);
  if (!found) {
    const made = new Map<string, SchemaNode>();
    for (const [member, property] of node.properties) {
      const name = fieldName(member);
      if (name !== undefined) made.set(name, property);
    }
    fields.set(node, (found = made));
  }
  return found;
}
