import {StatusError, type JsonValue} from '../../../sdk/index.js';
import {isJsonObject} from '../json/is-json-object.js';
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

/**
 * Checks a decoded body of type `application/json-patch+json`. Members that RFC 6902 does not name have no effect.
 *
 * @param unknown collects the paths of such members (`[0].vlaue`), at most 100
 * @throws StatusError 400 if it is not a JSON patch, 422 for an operation that there is not, 413 if it has more than `maximumOperations` operations
 */
export function parseJsonPatch(value: unknown, unknown: string[] = []): JsonPatch {
  if (value === null) return [];
  if (!Array.isArray(value)) throw malformedPatch('a JSON patch must be an array of operations');
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

function parseOperation(operation: unknown, index: number): JsonPatchOperation {
  if (!isJsonObject(operation)) throw malformedPatch(`operation ${index} must be an object`);
  const {op} = operation;
  switch (op) {
    case 'add':
    case 'replace':
    case 'test':
      return {op, path: pathOf(operation.path, 'path', op, index), value: (operation.value ?? null) as JsonValue};
    case 'remove':
      return {op, path: pathOf(operation.path, 'path', op, index)};
    case 'move':
    case 'copy': {
      const path = pathOf(operation.path, 'path', op, index);
      const from = pathOf(operation.from, 'from', op, index);
      if (op === 'move' && path.text.startsWith(`${from.text}/`)) {
        throw malformedPatch(`operation ${index} (move) moves ${JSON.stringify(from.text)} into itself`);
      }
      return {op, path, from};
    }
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
