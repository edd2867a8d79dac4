import type {JsonSchema} from './json-schema.js';

const known = new WeakMap<object, boolean>();

/** Whether a self-contained schema has validation rules anywhere. References are not followed: their targets have none. */
export function hasRules(schema: JsonSchema): boolean {
  let result = known.get(schema);
  if (result === undefined) known.set(schema, (result = search(schema)));
  return result;
}

function search(schema: JsonSchema): boolean {
  if (schema['x-kubernetes-validations'] !== undefined) return true;
  const {properties, items, additionalProperties} = schema;
  if (items && search(items)) return true;
  if (typeof additionalProperties === 'object' && search(additionalProperties)) return true;
  return properties !== undefined && Object.values(properties).some(search);
}
