import {badRequest, type JsonObject, type JsonValue} from '../../../sdk/index.js';
import {getMember} from '../json/get-member.js';
import {isJsonObject} from '../json/is-json-object.js';
import {setMember} from '../json/set-member.js';
import {malformedPatch, patchNotApplicable} from './patch-error.js';

/** The member that says what to do with the object that contains it: `replace` or `delete`. */
const patchDirective = '$patch';
/** The member that lists the only members that an object keeps. */
const retainKeysDirective = '$retainKeys';
const deletionPrefix = '$deleteFromPrimitiveList';
const orderPrefix = '$setElementOrder';

export type PatchDirective = 'replace' | 'delete';

/** The members of one object in a patch, grouped by their effect. */
export interface PatchMembers {
  readonly directive: PatchDirective | undefined;
  readonly retainKeys: ReadonlySet<string> | undefined;
  /** Items to remove from lists of scalars, by member. */
  readonly deletions: ReadonlyMap<string, readonly JsonValue[]>;
  /** Orders of lists, by member. */
  readonly orders: ReadonlyMap<string, readonly JsonValue[]>;
  /** All other members; often the patch itself. */
  readonly changes: JsonObject;
}

/** Of most objects in a patch: shared, because a patch may have tens of thousands of them. */
const noLists: ReadonlyMap<string, readonly JsonValue[]> = new Map();

/** @throws StatusError 400 for a malformed directive, 422 for an unknown one */
export function patchMembers(patch: JsonObject): PatchMembers {
  const keys = Object.keys(patch);
  if (!keys.some(isDirective)) return {directive: undefined, retainKeys: undefined, deletions: noLists, orders: noLists, changes: patch};
  const deletions = new Map<string, readonly JsonValue[]>();
  const orders = new Map<string, readonly JsonValue[]>();
  const changes: JsonObject = {};
  for (const key of keys) {
    const value = patch[key];
    if (value === undefined || key === patchDirective || key === retainKeysDirective) continue;
    // What is no list deletes nothing, as in Kubernetes.
    if (key.startsWith(deletionPrefix)) deletions.set(listName(key, deletionPrefix), Array.isArray(value) ? value : []);
    else if (key.startsWith(orderPrefix)) orders.set(listName(key, orderPrefix), listOf(key, value));
    else setMember(changes, key, value);
  }
  return {directive: directiveOf(patch), retainKeys: retainKeysOf(patch, changes), deletions, orders, changes};
}

/** Whether a member may be a directive: all of them begin with a dollar sign. */
function isDirective(key: string): boolean {
  return key.startsWith('$');
}

/** The `$patch` of an object, if it has one. */
export function directiveOf(patch: JsonObject): PatchDirective | undefined {
  const directive = getMember(patch, patchDirective);
  if (directive === undefined || directive === 'replace' || directive === 'delete') return directive;
  throw patchNotApplicable(`unknown patch type: ${typeof directive === 'string' ? JSON.stringify(directive) : typeof directive}`);
}

/** In the words of Kubernetes: it is no list of names, or lacks one that the patch sets. */
const misusedRetainKeys = 'invalid patch format of retainKeys';

function listName(key: string, prefix: string): string {
  if (key[prefix.length] !== '/' || key.length === prefix.length + 1)
    throw malformedPatch(`${JSON.stringify(key)} must have the form ${prefix}/MEMBER`);
  return key.slice(prefix.length + 1);
}

function listOf(key: string, value: JsonValue): readonly JsonValue[] {
  if (!Array.isArray(value)) throw malformedPatch(`${JSON.stringify(key)} must be an array`);
  return value;
}

function retainKeysOf(patch: JsonObject, changes: JsonObject): ReadonlySet<string> | undefined {
  const list = getMember(patch, retainKeysDirective);
  if (list === undefined) return undefined;
  if (!Array.isArray(list) || !list.every((key) => typeof key === 'string')) throw badRequest(misusedRetainKeys);
  const keys = new Set<string>(list);
  for (const [key, change] of Object.entries(changes)) {
    if (change !== null && !keys.has(key)) throw badRequest(misusedRetainKeys);
  }
  return keys;
}

/** A copy of a value that a patch adds, without nulls and directives, which have nothing to act on. */
export function newValue(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.filter((item) => !isJsonObject(item) || directiveOf(item) === undefined).map(newValue);
  if (!isJsonObject(value)) return value;
  const {changes} = patchMembers(value);
  const result: JsonObject = {};
  for (const key of Object.keys(changes)) {
    const member = changes[key];
    if (member !== null && member !== undefined) setMember(result, key, newValue(member));
  }
  return result;
}
