import {badRequest, type JsonObject, type JsonValue} from '../../../sdk/index.js';
import {cloneJson} from '../json/clone-json.js';
import {getMember} from '../json/get-member.js';
import {isJsonObject} from '../json/is-json-object.js';
import {setMember} from '../json/set-member.js';
import {deleteScalars, mergeList, orderList} from './merge-list.js';
import {newValue, patchMembers} from './patch-directives.js';
import {patchNotApplicable} from './patch-error.js';
import type {PatchSchema} from './patch-schema.js';
import {noObjectText} from '../schema/go-words/mismatch.js';

/**
 * Applies a strategic merge patch: a merge patch that also merges lists if their schema says so, with the directives `$patch`,
 * `$retainKeys`, `$deleteFromPrimitiveList/MEMBER` and `$setElementOrder/MEMBER`. The document and the patch are not modified, and the
 * result shares nothing with them. A null patch changes nothing, as in Kubernetes.
 *
 * @throws StatusError 400 for a malformed patch, 422 for one that cannot be applied to this document
 */
export function applyStrategicMergePatch(document: JsonObject, patch: JsonValue, schema: PatchSchema): JsonObject {
  return mergeStrategically(cloneJson(document), patch, schema);
}

/** The same for a document that belongs to the caller: the result is made of it. */
export function mergeStrategically(document: JsonObject, patch: JsonValue, schema: PatchSchema): JsonObject {
  if (patch === null) return document;
  if (!isJsonObject(patch)) throw badRequest(noObjectText(patch));
  return mergeObject(document, patch, schema);
}

/** Modifies and returns `target`, unless the patch replaces it. Of the patch only scalars get into the result; the rest is copied. */
function mergeObject(target: JsonObject, patch: JsonObject, schema: PatchSchema | undefined): JsonObject {
  const members = patchMembers(patch);
  if (members.directive === 'delete') return {};
  if (members.directive === 'replace') return newValue(patch) as JsonObject;

  if (members.retainKeys !== undefined) {
    for (const key of Object.keys(target)) if (!members.retainKeys.has(key)) delete target[key];
  }
  for (const [key, order] of members.orders) {
    if (getMember(members.changes, key) !== undefined) continue;
    const current = getMember(target, key);
    if (Array.isArray(current)) setMember(target, key, orderList(current, order, schema?.child(key)?.mergeKey));
  }
  for (const key of Object.keys(members.changes)) {
    const change = members.changes[key];
    if (change === undefined) continue;
    if (change === null) delete target[key];
    else setMember(target, key, mergeValue(getMember(target, key), change, schema?.child(key), members.orders.get(key)));
  }
  for (const [key, deletions] of members.deletions) {
    const current = getMember(target, key);
    if (Array.isArray(current)) setMember(target, key, deleteScalars(current, deletions));
  }
  return target;
}

function hasDirective(item: JsonValue): boolean {
  return isJsonObject(item) && Object.hasOwn(item, '$patch');
}

function mergeValue(
  current: JsonValue | undefined,
  change: JsonValue,
  schema: PatchSchema | undefined,
  order: readonly JsonValue[] | undefined,
): JsonValue {
  const strategies = schema?.strategies ?? [];
  if (isJsonObject(change)) {
    if (strategies.includes('replace')) return newValue(change);
    return mergeObject(isJsonObject(current) ? current : {}, change, schema);
  }
  if (order !== undefined && !Array.isArray(change)) throw patchNotApplicable('$setElementOrder stands beside a member that is no list');
  if (!Array.isArray(change)) return change;
  if (!strategies.includes('merge')) return newValue(change);
  // Where there is no list yet, that of the patch becomes it, whatever its items are.
  if (!Array.isArray(current) && order === undefined && !change.some(hasDirective)) return newValue(change);
  const items = Array.isArray(current) ? current : [];
  return mergeList(items, change, schema?.mergeKey, (item, patch) => mergeObject(item, patch, schema?.element()), order);
}
