import {forbiddenField, invalid, notSupported, required, shownValue, type FieldError, type FieldPath} from '../../../../../sdk/index.js';
import {itemsOf, propertyOf, type SchemaProps} from '../../schema-props.js';

const listTypes: readonly string[] = ['atomic', 'set', 'map'];

/** Errors in `x-kubernetes-list-type` and `x-kubernetes-list-map-keys` of one schema, regardless of what was stored before. */
export function listTypeFaults(schema: SchemaProps, path: FieldPath): FieldError[] {
  const listType = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const at = path.child('x-kubernetes-list-type');
  const faults: FieldError[] = [];
  if (keys.length > 0 && listType !== 'map') {
    const detail = 'must be map if x-kubernetes-list-map-keys is non-empty';
    faults.push(listType === undefined ? required(at, detail) : invalid(at, listType, detail));
  }
  if (listType === undefined) return faults;
  if (schema.type !== 'array') {
    const detail = 'must be array if x-kubernetes-list-type is specified';
    faults.push(schema.type ? invalid(path.child('type'), schema.type, detail) : required(path.child('type'), detail));
  }
  if (!listTypes.includes(listType)) {
    const values = listTypes.map((one) => JSON.stringify(one)).join(', ');
    // Kubernetes lists them in this order.
    faults.push({...notSupported(at, listType, []), body: `Unsupported value: ${shownValue(listType)}: supported values: ${values}`});
  }
  if (listType === 'map') faults.push(...mapFaults(schema, keys, path));
  return faults;
}

/** Errors in the items of a set: they are compared as a whole, so nothing inside them may have its own owner. */
export function setItemFaults(schema: SchemaProps, path: FieldPath): FieldError[] {
  const items = itemsOf(schema);
  if (schema['x-kubernetes-list-type'] !== 'set' || schema.type !== 'array' || !items) return [];
  const at = path.child('items');
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  const listType = items['x-kubernetes-list-type'];
  const mapType = items['x-kubernetes-map-type'];
  if (items.type === 'array' && listType !== undefined && listType !== 'atomic')
    return [invalid(at.child('x-kubernetes-list-type'), listType, detail)];
  if (items.type === 'object' && mapType !== 'atomic')
    return [invalid(at.child('x-kubernetes-map-type'), items['x-kubernetes-list-type'] ?? null, detail)];
  return [];
}

/** Errors in items and keys of sets and maps that may be null or absent. */
export function keyedItemFaults(schema: SchemaProps, path: FieldPath): FieldError[] {
  const listType = schema['x-kubernetes-list-type'];
  const items = itemsOf(schema);
  if ((listType !== 'set' && listType !== 'map') || !items) return [];
  const faults: FieldError[] = [];
  if (items.nullable)
    faults.push(forbiddenField(path.child('items', 'nullable'), `cannot be nullable when x-kubernetes-list-type is ${listType}`));
  if (listType === 'set') return faults;
  const demanded = new Set(items.required);
  for (const key of schema['x-kubernetes-list-map-keys'] ?? []) {
    const property = propertyOf(items, key);
    if (!property) continue;
    const at = path.child('items', 'properties').key(key);
    if (!demanded.has(key) && property.default === undefined) {
      const detail = 'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property';
      faults.push(required(at.child('default'), detail));
    }
    if (property.nullable)
      faults.push(forbiddenField(at.child('nullable'), 'this property is in x-kubernetes-list-map-keys, so it cannot be nullable'));
  }
  return faults;
}

function mapFaults(schema: SchemaProps, keys: readonly string[], path: FieldPath): FieldError[] {
  const faults: FieldError[] = [];
  const keysPath = path.child('x-kubernetes-list-map-keys');
  if (keys.length === 0) faults.push(required(keysPath, 'must not be empty if x-kubernetes-list-type is map'));
  if (schema.items === undefined) faults.push(required(path.child('items'), 'must have a schema if x-kubernetes-list-type is map'));
  const items = itemsOf(schema);
  if (schema.items !== undefined && !items)
    faults.push(invalid(path.child('items'), schema.items, 'must only have a single schema if x-kubernetes-list-type is map'));
  if (!items) return faults;
  if (items.type !== 'object') {
    faults.push(invalid(path.child('items', 'type'), items.type ?? '', "must be object if parent array's x-kubernetes-list-type is map"));
    return faults;
  }
  const seen = new Set<string>();
  for (const key of keys) {
    const type = propertyOf(items, key)?.type;
    if (type === 'array' || type === 'object') {
      const at = path.child('items', 'properties').key(key).child('type');
      faults.push(invalid(at, type, "must be a scalar type if parent array's x-kubernetes-list-type is map"));
    }
    if (!propertyOf(items, key)) faults.push(invalid(keysPath, keys, 'entries must all be names of item properties'));
    if (seen.has(key)) faults.push(invalid(keysPath, keys, 'must not contain duplicate entries'));
    seen.add(key);
  }
  return faults;
}
