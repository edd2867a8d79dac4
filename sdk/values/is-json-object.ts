import type {JsonObject} from '../objects/api-object.js';

/** Whether a value is a JSON object: neither null nor a list nor a scalar. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
