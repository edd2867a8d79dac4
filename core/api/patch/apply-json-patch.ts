import type {JsonObject, JsonValue} from '../../../sdk/index.js';
import {cloneJson} from '../json/clone-json.js';
import {equalJson} from '../../../sdk/values/equal-json.js';
import {jsonSize} from '../json/json-size.js';
import {setMember} from '../json/set-member.js';
import type {JsonPatch, JsonPatchOperation, PatchPath} from './json-patch.js';
import {patchNotApplicable} from './patch-error.js';

/** Limits on the cost of a patch. */
export interface JsonPatchLimits {
  /** Total characters of JSON that `copy` operations may add; 3 MiB by default. */
  readonly maximumCopied?: number;
}

const defaultMaximumCopied = 3 * 1024 * 1024;
/** Total number of list items that insertions and removals may move; each of them moves all items after it. */
const maximumMoved = 20_000_000;

/** How the error of a `test` ends that does not hold. */
export const failedTest = 'testing value failed';

/**
 * Applies a JSON patch (RFC 6902). The document and the patch are not modified, and the result shares nothing with them.
 *
 * Deviations are taken from Kubernetes: a `test` for null passes if the object has no such member, `replace` adds one that is not there, `copy` takes it for
 * null, negative indices count from the end, and only `replace` and `test` are for the whole document.
 *
 * @throws StatusError 422 that names the operation and its path
 */
export function applyJsonPatch(document: JsonValue, patch: JsonPatch, limits?: JsonPatchLimits): JsonValue {
  return patchInPlace(cloneJson(document), patch, limits);
}

/** The same for a document that belongs to the caller: the result is made of it. */
export function patchInPlace(document: JsonValue, patch: JsonPatch, limits: JsonPatchLimits = {}): JsonValue {
  const run = new PatchRun(document, limits.maximumCopied ?? defaultMaximumCopied);
  patch.forEach((operation, index) => run.apply(operation, index));
  return run.document;
}

/** Thrown during a run; becomes a 422 once the operation is known. */
class Inapplicable extends Error {}

class PatchRun {
  #copied = 0;
  #moved = 0;
  readonly #maximumCopied: number;

  constructor(
    public document: JsonValue,
    maximumCopied: number,
  ) {
    this.#maximumCopied = maximumCopied;
  }

  apply(operation: JsonPatchOperation, index: number): void {
    try {
      this.#perform(operation);
    } catch (error) {
      if (!(error instanceof Inapplicable)) throw error;
      throw patchNotApplicable(`JSON patch operation ${index} (${operation.op} ${JSON.stringify(operation.path.text)}): ${error.message}`);
    }
  }

  #perform(operation: JsonPatchOperation): void {
    const {path} = operation;
    switch (operation.op) {
      case 'add':
        return this.#add(path, cloneJson(operation.value));
      case 'remove':
        this.#remove(path);
        return;
      case 'replace':
        return this.#replace(path, cloneJson(operation.value));
      case 'move':
        return this.#add(path, this.#remove(operation.from));
      case 'copy':
        return this.#copy(operation.from, path);
      case 'test':
        return this.#test(path, operation.value);
    }
  }

  #add(path: PatchPath, value: JsonValue): void {
    const place = this.#placeOf(path) ?? wholeDocument();
    if (Array.isArray(place.holder)) this.#splice(place.holder, indexOf(place.holder, place.token, 'insert'), 0, value);
    else setMember(place.holder, place.token, value);
  }

  #remove(path: PatchPath): JsonValue {
    const place = this.#placeOf(path) ?? wholeDocument();
    const value = valueAt(place.holder, place.token);
    if (Array.isArray(place.holder)) this.#splice(place.holder, indexOf(place.holder, place.token), 1);
    else delete place.holder[place.token];
    return value;
  }

  #splice(list: JsonValue[], index: number, removed: number, ...inserted: JsonValue[]): void {
    this.#moved += list.length - index;
    if (this.#moved > maximumMoved) throw new Inapplicable('all operations together move too many items of lists');
    list.splice(index, removed, ...inserted);
  }

  #replace(path: PatchPath, value: JsonValue): void {
    const place = this.#placeOf(path);
    if (place === undefined) {
      if (typeof value !== 'object' || value === null)
        throw new Inapplicable('what replaces the whole document must be an object or array');
      this.document = value;
      return;
    }
    // A member that is not there is added, as Kubernetes does.
    if (Array.isArray(place.holder)) place.holder[indexOf(place.holder, place.token)] = value;
    else setMember(place.holder, place.token, value);
  }

  #copy(from: PatchPath, path: PatchPath): void {
    const value = this.#copiedFrom(from);
    this.#copied += jsonSize(value, this.#maximumCopied - this.#copied);
    if (this.#copied > this.#maximumCopied)
      throw new Inapplicable(`all copy operations together add more than ${this.#maximumCopied} characters`);
    this.#add(path, cloneJson(value));
  }

  #test(path: PatchPath, expected: JsonValue): void {
    const place = this.#placeOf(path);
    if (expected === null && place !== undefined && !Array.isArray(place.holder) && !Object.hasOwn(place.holder, place.token)) return;
    const value = place === undefined ? this.document : valueAt(place.holder, place.token);
    if (!equalJson(value, expected)) throw new Inapplicable(failedTest);
  }

  #copiedFrom(path: PatchPath): JsonValue {
    const place = this.#placeOf(path) ?? wholeDocument();
    // A member that is not there is copied as null, as Kubernetes does.
    return Array.isArray(place.holder) || Object.hasOwn(place.holder, place.token) ? valueAt(place.holder, place.token) : null;
  }

  /** The container that a path points into, and the last token; undefined for the whole document. */
  #placeOf({tokens}: PatchPath): {holder: JsonObject | JsonValue[]; token: string} | undefined {
    if (tokens.length === 0) return undefined;
    let holder = this.document;
    for (let depth = 0; depth < tokens.length - 1; depth++) holder = valueAt(holder, tokens[depth]!);
    if (typeof holder !== 'object' || holder === null) throw new Inapplicable('missing path');
    return {holder, token: tokens.at(-1)!};
  }
}

/** Kubernetes takes the whole document as the target of `replace` and `test` alone. */
function wholeDocument(): never {
  throw new Inapplicable('only replace and test are for the whole document');
}

/** The value at one token in a container. */
function valueAt(holder: JsonValue, token: string): JsonValue {
  if (Array.isArray(holder)) return holder[indexOf(holder, token)]!;
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, token)) throw new Inapplicable('missing path');
  return holder[token]!;
}

/** The index that a token names: of an item, or for an insertion also one past the last item. Negative ones count from there, as in Kubernetes. */
function indexOf(list: readonly JsonValue[], token: string, purpose: 'item' | 'insert' = 'item'): number {
  if (purpose === 'insert' && token === '-') return list.length;
  if (!/^[+-]?[0-9]{1,18}$/.test(token)) throw new Inapplicable(`${JSON.stringify(token)} is no index of an array`);
  const places = list.length + (purpose === 'insert' ? 1 : 0);
  const given = Number(token);
  const index = given < 0 ? given + places : given;
  if (index < 0 || index >= places) throw new Inapplicable(`index ${token} is out of range of an array of ${list.length}`);
  return index;
}
