import {isJsonObject, jsonText, type JsonValue} from '../../../sdk/index.js';
import {parseJson} from '../../../sdk/values/json-text.js';

/** Longer bodies, in bytes, are left out of their event. Request bodies are smaller, and a list of everything does not belong in a log. */
export const longestBody = 4 * 1024 * 1024;

const [lineFeed, carriageReturn] = [0x0a, 0x0d];

/** JSON on one line: the bytes themselves if they already are, without the line end of responses. */
export function onOneLine(bytes: Buffer): Buffer {
  const trimmed = bytes.at(-1) === lineFeed ? bytes.subarray(0, -1) : bytes;
  if (!trimmed.includes(lineFeed) && !trimmed.includes(carriageReturn)) return trimmed;
  return Buffer.from(jsonText(parseJson(trimmed.toString('utf8'))));
}

/** The JSON of an object, a list or a Table without `metadata.managedFields`. */
export function withoutManagedFields(bytes: Buffer): Buffer {
  if (!bytes.includes('"managedFields"')) return bytes;
  const value = parseJson(bytes.toString('utf8'));
  drop(value);
  if (isJsonObject(value)) {
    for (const item of listOf(value['items'])) drop(item);
    for (const row of listOf(value['rows'])) if (isJsonObject(row)) drop(row['object']);
  }
  return Buffer.from(jsonText(value));
}

function drop(value: JsonValue | undefined): void {
  if (isJsonObject(value) && isJsonObject(value['metadata'])) delete (value['metadata'] as Record<string, JsonValue>)['managedFields'];
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
