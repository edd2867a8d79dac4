import type {JsonSchema} from '../api/schema/json-schema.js';

/**
 * What a path in dot notation (`.spec.replicas`) leads to in a schema: a type, `any` where the schema leaves everything open, or undefined if there is no such
 * field.
 */
export function typeAtPath(schema: JsonSchema, path: string): string | undefined {
  let place: JsonSchema = schema;
  for (const name of path.slice(1).split('.')) {
    const {properties = {}, additionalProperties} = place;
    if (Object.hasOwn(properties, name)) place = properties[name]!;
    else if (typeof additionalProperties === 'object') place = additionalProperties;
    else return (place as Record<string, unknown>)['x-kubernetes-preserve-unknown-fields'] === true ? 'any' : undefined;
  }
  return place.type ?? 'any';
}
