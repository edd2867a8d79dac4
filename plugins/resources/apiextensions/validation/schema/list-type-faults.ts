import {forbiddenField, invalid, notSupported, required, type FieldError, type FieldPath} from '../../../../../sdk/index.js';
import {itemsOf, propertyOf, type SchemaProps} from '../../schema-props.js';

const listTypes: readonly string[] = ['atomic', 'map', 'set'];

/** What is wrong with `x-kubernetes-list-type` and `x-kubernetes-list-map-keys` of one schema. */
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
  if (!listTypes.includes(listType)) faults.push(notSupported(at, listType, listTypes));
  const items = itemsOf(schema);
  if (listType === 'map') faults.push(...mapFaults(schema, items, keys, path));
  if (listType === 'set' && items) faults.push(...setItemFaults(items, path.child('items')));
  if ((listType === 'set' || listType === 'map') && items?.nullable) {
    faults.push(forbiddenField(path.child('items', 'nullable'), `cannot be nullable when x-kubernetes-list-type is ${listType}`));
  }
  return faults;
}

/** Items of a set are compared as a whole: nothing inside them may be owned on its own. */
function setItemFaults(items: SchemaProps, path: FieldPath): FieldError[] {
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  const listType = items['x-kubernetes-list-type'];
  const mapType = items['x-kubernetes-map-type'];
  if (items.type === 'array' && listType !== undefined && listType !== 'atomic') return [invalid(path.child('x-kubernetes-list-type'), listType, detail)];
  if (items.type === 'object' && mapType !== 'atomic') return [invalid(path.child('x-kubernetes-map-type'), mapType ?? null, detail)];
  return [];
}

function mapFaults(schema: SchemaProps, items: SchemaProps | undefined, keys: readonly string[], path: FieldPath): FieldError[] {
  const faults: FieldError[] = [];
  const keysPath = path.child('x-kubernetes-list-map-keys');
  if (keys.length === 0) faults.push(required(keysPath, 'must not be empty if x-kubernetes-list-type is map'));
  if (schema.items === undefined) faults.push(required(path.child('items'), 'must have a schema if x-kubernetes-list-type is map'));
  if (!items) return faults;
  if (items.type !== 'object') {
    faults.push(invalid(path.child('items', 'type'), items.type ?? '', "must be object if parent array's x-kubernetes-list-type is map"));
    return faults;
  }
  for (const [position, key] of keys.entries()) {
    if (keys.indexOf(key) < position) faults.push(invalid(keysPath, keys, 'must not contain duplicate entries'));
    const property = propertyOf(items, key);
    if (property) faults.push(...keyFaults(property, (items.required ?? []).includes(key), path.child('items', 'properties').key(key)));
    else faults.push(invalid(keysPath, keys, 'entries must all be names of item properties'));
  }
  return faults;
}

function keyFaults(property: SchemaProps, isRequired: boolean, path: FieldPath): FieldError[] {
  const faults: FieldError[] = [];
  if (property.type === 'array' || property.type === 'object') {
    faults.push(invalid(path.child('type'), property.type, "must be a scalar type if parent array's x-kubernetes-list-type is map"));
  }
  if (property.nullable) {
    faults.push(forbiddenField(path.child('nullable'), 'this property is in x-kubernetes-list-map-keys, so it cannot be nullable'));
  }
  if (!isRequired && property.default === undefined) {
    const detail = 'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property';
    faults.push(required(path.child('default'), detail));
  }
  return faults;
}
