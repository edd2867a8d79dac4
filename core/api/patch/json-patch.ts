import {StatusError, type JsonObject, type JsonValue} from '../../../sdk/index.js';
import {isJsonObject} from '../json/is-json-object.js';
import {valueWord} from '../schema/go-words/mismatch.js';
import {malformedPatch, patchNotApplicable} from './patch-error.js';

/** A place in a document: the pointer as sent, and its tokens. */
export interface PatchPath {
  readonly text: string;
  readonly tokens: readonly string[];
}

/** One operation of a JSON patch. */
export type JsonPatchOperation =
  | {readonly op: 'add' | 'replace' | 'test'; readonly path: PatchPath; readonly value: JsonValue}
  | {readonly op: 'remove'; readonly path: PatchPath}
  | {readonly op: 'move' | 'copy'; readonly path: PatchPath; readonly from: PatchPath};

export type JsonPatch = readonly JsonPatchOperation[];

/** Maximum number of operations of a JSON patch (as in Kubernetes). */
const maximumOperations = 10_000;

const members: ReadonlySet<string> = new Set(['op', 'path', 'from', 'value']);
const reportLimit = 100;

/** How a patch is read. */
export interface PatchReading {
  /** Collects the paths of members that RFC 6902 does not name (`[0].vlaue`), at most 100; they have no effect. */
  readonly unknown?: string[];
  /** Refuses members of the wrong type, as a patch that is none; else they cannot be applied. */
  readonly checksTypes?: boolean;
}

/**
 * Checks a decoded body of type `application/json-patch+json`.
 *
 * @throws StatusError 400 if it is not a JSON patch, 422 for an operation that there is not, 413 if it has more than `maximumOperations` operations
 */
export function parseJsonPatch(value: unknown, {unknown = [], checksTypes = true}: PatchReading = {}): JsonPatch {
  if (value === null) return [];
  if (!Array.isArray(value))
    throw wrongType(value as JsonValue, checksTypes ? 'value of type []handlers.jsonPatchOp' : 'value of type jsonpatch.Patch');
  const mistyped = value.find((operation) => operation !== null && !isJsonObject(operation)) as JsonValue | undefined;
  if (checksTypes) checkTypes(value);
  else if (mistyped !== undefined) throw wrongType(mistyped, 'value of type jsonpatch.Operation');
  if (value.length > maximumOperations) {
    const message = `The allowed maximum operations in a JSON patch is ${maximumOperations}, got ${value.length}`;
    throw new StatusError(413, 'RequestEntityTooLarge', message);
  }
  return value.map((operation: unknown, index) => {
    const parsed = parseOperation(operation, index);
    for (const member in operation as object) {
      if (!members.has(member) && unknown.length < reportLimit) unknown.push(`[${index}].${member}`);
    }
    return parsed;
  });
}

/** In the words of Go's decoder, of the first value that is not what it should be. */
function checkTypes(operations: readonly JsonValue[]): void {
  for (const operation of operations) {
    if (operation === null) continue;
    if (!isJsonObject(operation)) throw wrongType(operation, 'value of type handlers.jsonPatchOp');
    for (const member in operation) {
      if (member === 'value' || !members.has(member)) continue;
      const given = operation[member] ?? null;
      if (given !== null && typeof given !== 'string') throw wrongType(given, `struct field jsonPatchOp.${member} of type string`);
    }
  }
}

function wrongType(value: JsonValue, place: string): StatusError {
  return malformedPatch(`json: cannot unmarshal ${valueWord(value, false)} into Go ${place}`);
}

function parseOperation(operation: unknown, index: number): JsonPatchOperation {
  const {op, ...given} = isJsonObject(operation) ? operation : ({} as JsonObject);
  switch (op) {
    case 'add':
    case 'replace':
    case 'test':
      return {op, path: pathOf(given['path'], 'path', op, index), value: given['value'] ?? null};
    case 'remove':
      return {op, path: pathOf(given['path'], 'path', op, index)};
    case 'move':
    case 'copy':
      return {op, path: pathOf(given['path'], 'path', op, index), from: pathOf(given['from'], 'from', op, index)};
    default:
      throw patchNotApplicable(`operation ${index} has the unknown op ${typeof op === 'string' ? JSON.stringify(op) : typeof op}`);
  }
}

function pathOf(text: unknown, member: string, op: string, index: number): PatchPath {
  if (typeof text !== 'string') throw patchNotApplicable(`operation ${index} (${op}) has no ${member}`);
  const tokens = parseJsonPointer(text);
  if (tokens === undefined)
    throw patchNotApplicable(`operation ${index} (${op}) has the ${member} ${JSON.stringify(text)}, which is no JSON pointer`);
  return {text, tokens};
}

/** The reference tokens of a JSON pointer (RFC 6901); undefined if it is malformed. The empty string is the whole document. */
function parseJsonPointer(text: string): string[] | undefined {
  if (text === '') return [];
  if (text[0] !== '/') return undefined;
  const tokens = text.slice(1).split('/');
  return text.includes('~') ? tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~')) : tokens;
}
