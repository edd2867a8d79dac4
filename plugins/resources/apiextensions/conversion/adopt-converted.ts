import {
  fieldErrorText,
  FieldPath,
  isJsonObject,
  type ApiObject,
  type JsonObject,
  type JsonValue,
  type ObjectMeta,
} from '../../../../sdk/index.js';
import {validateAnnotations, validateLabels} from '../../../../sdk/labels/index.js';

/** Members of the metadata that a webhook must return unchanged. */
const identity = [
  ['name', 'name'],
  ['namespace', 'namespace'],
  ['uid', 'UID'],
] as const;

/**
 * Checks a webhook's conversion of `original` and returns it with the original's metadata, in which only labels and annotations may have
 * changed. Modifies neither argument, and the result shares nothing with the original.
 *
 * @throws Error that says why the object is not acceptable
 */
export function adoptConverted(original: ApiObject, converted: JsonValue | undefined, apiVersion: string): ApiObject {
  if (!isJsonObject(converted)) throw new Error('it is no object');
  if (converted['apiVersion'] !== apiVersion)
    throw new Error(`invalid groupVersion (expected ${apiVersion}, received ${text(converted['apiVersion'])})`);
  if (converted['kind'] !== original.kind)
    throw new Error(`invalid kind (expected ${original.kind ?? ''}, received ${text(converted['kind'])})`);
  const {metadata} = converted;
  if (metadata === undefined) throw new Error('missing metadata in converted object');
  if (!isJsonObject(metadata)) throw new Error(`invalid metadata of type ${typeName(metadata)} in converted object`);
  for (const [member, title] of identity) {
    const [before, after] = [original.metadata[member] ?? '', metadata[member] ?? ''];
    if (before !== after) throw new Error(`must have the same ${title}: ${before} != ${text(after)}`);
  }
  return {...converted, metadata: restoredMetadata(original.metadata, metadata)};
}

function restoredMetadata(original: ObjectMeta, converted: JsonObject): ObjectMeta {
  const {labels: _labels, annotations: _annotations, ...rest} = original;
  const restored: ObjectMeta = structuredClone(rest);
  for (const member of ['labels', 'annotations'] as const) {
    const texts = textsOf(converted[member], member);
    if (texts === undefined) continue;
    // Values stored before the current rules may stay.
    if (!isSame(texts, original[member])) check(texts, member);
    restored[member] = texts;
  }
  return restored;
}

function textsOf(value: JsonValue | undefined, member: string): Record<string, string> | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isJsonObject(value)) throw new Error(`invalid metadata.${member} of type ${typeName(value)} in converted object`);
  for (const [key, entry] of Object.entries(value)) {
    if (typeof entry !== 'string')
      throw new Error(`metadata.${member}[${key}] must be a string, but is ${typeName(entry)} in converted object`);
  }
  return value as Record<string, string>;
}

function isSame(texts: Record<string, string>, before: Record<string, string> = {}): boolean {
  const keys = Object.keys(texts);
  return keys.length === Object.keys(before).length && keys.every((key) => Object.hasOwn(before, key) && before[key] === texts[key]);
}

function check(texts: Record<string, string>, member: 'labels' | 'annotations'): void {
  const faults = (member === 'labels' ? validateLabels : validateAnnotations)(texts, FieldPath.of('metadata', member));
  if (faults.length > 0) throw new Error(faults.map(fieldErrorText).join(', '));
}

function typeName(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value;
}

function text(value: unknown): string {
  return value === undefined || value === null ? '' : typeof value === 'string' ? value : typeName(value);
}
