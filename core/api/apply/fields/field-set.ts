import {copyMembers} from '../../json/copy-members.js';

/**
 * A set of fields of an object, as a tree in the form of `FieldsV1`: no conversion is needed for storage, and sets share the subtrees they
 * have in common.
 *
 * Members are path elements (see `path-element.ts`). A place in the tree belongs to the set if it is an empty object, or if it has the
 * member `.` beside the fields below it. The root represents the whole object, which nobody owns; an empty root is the empty set. Sets are
 * immutable. Their elements are in normal form, and they contain no place without fields.
 */
export interface FieldSet {
  readonly [element: string]: FieldSet;
}

/** The elements from the root to a field. */
export type FieldPathElements = readonly string[];

type Draft = Record<string, FieldSet>;

/** The member that marks a place with fields below it as a member of the set itself. */
export const self = '.';

/** In the second set of `recursiveIntersection`: stands for every element of the first one at this place. */
export const anyElement = '*';

/** The empty set; below the root, a field with no fields below it. */
export const emptySet: FieldSet = Object.freeze({});

/** Sets with at least this many elements at one place are cached, because V8 collects all keys before the first is visited. */
const many = 32;
const large = new WeakSet<FieldSet>();

export function isEmptySet(set: FieldSet): boolean {
  if (large.has(set)) return false;
  let count = 0;
  for (const _element in set) if (++count > many) break;
  if (count > many) large.add(set);
  return count === 0;
}

/** Whether the root of a subtree (not the root of the set) belongs to the set. */
export function isMember(subtree: FieldSet): boolean {
  return subtree[self] !== undefined || isEmptySet(subtree);
}

/** The same subtree with its root as a member of the set. */
export function asMember(subtree: FieldSet | undefined): FieldSet {
  if (subtree === undefined) return emptySet;
  if (isMember(subtree)) return subtree;
  const result: Draft = {[self]: emptySet};
  for (const element in subtree) result[element] = subtree[element]!;
  return result;
}

export function setOf(...paths: readonly FieldPathElements[]): FieldSet {
  let set = emptySet;
  for (const path of paths) {
    let branch = emptySet;
    for (let index = path.length - 1; index >= 0; index--) branch = {[path[index]!]: branch};
    set = union(set, branch);
  }
  return set;
}

/** All fields of the set, each before those below it, in the order of their elements. */
export function* fieldsOf(set: FieldSet, prefix: FieldPathElements = []): Generator<FieldPathElements> {
  for (const element in set) {
    if (element === self) continue;
    const path = [...prefix, element];
    const subtree = set[element]!;
    if (isMember(subtree)) yield path;
    yield* fieldsOf(subtree, path);
  }
}

/** Whether two sets contain the same fields. */
export function equalSets(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true;
  let surplus = 0;
  for (const _element in b) surplus++;
  for (const element in a) {
    const other = b[element];
    if (other === undefined || !equalSets(a[element]!, other)) return false;
    surplus--;
  }
  return surplus === 0;
}

/** The fields of either set. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmptySet(a)) return b;
  return isEmptySet(b) ? a : unionBelow(a, b);
}

function unionBelow(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a;
  if (isEmptySet(a)) return asMember(b);
  if (isEmptySet(b)) return asMember(a);
  let result: Draft | undefined;
  for (const element in b) {
    const mine = a[element];
    const both = mine === undefined ? b[element]! : element === self ? mine : unionBelow(mine, b[element]!);
    if (both === mine) continue;
    result ??= copyMembers<Draft>(a);
    result[element] = both;
  }
  return result ?? a;
}

/** The fields of any of the sets. The time depends on their total size, not on their number. */
export function unionOf(sets: Iterable<FieldSet>): FieldSet {
  const own = new Set<FieldSet>();
  let result = emptySet;
  for (const set of sets) result = isEmptySet(result) ? set : isEmptySet(set) ? result : addTo(result, set, own);
  return result;
}

/** Like `unionBelow`, but places in `own` were created for the result and are modified. */
function addTo(a: FieldSet, b: FieldSet, own: Set<FieldSet>): FieldSet {
  if (a === b) return a;
  if (isEmptySet(a)) return asMember(b);
  let result = own.has(a) ? (a as Draft) : undefined;
  const put = (element: string, subtree: FieldSet) => {
    if (!result) own.add((result = copyMembers<Draft>(a)));
    result[element] = subtree;
  };
  if (isEmptySet(b)) {
    if (!isMember(a)) put(self, emptySet);
    return result ?? a;
  }
  for (const element in b) {
    const mine = a[element];
    const both = mine === undefined ? b[element]! : element === self ? mine : addTo(mine, b[element]!, own);
    if (both !== mine) put(element, both);
  }
  return result ?? a;
}

/** The fields of both sets. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  return common(a, b, false) ?? emptySet;
}

/** The fields of `a` that `b` has, or that are below a field of `b`. */
export function recursiveIntersection(a: FieldSet, b: FieldSet): FieldSet {
  return common(a, b, true) ?? emptySet;
}

function common(a: FieldSet, b: FieldSet, recursive: boolean, root = true): FieldSet | undefined {
  const inB = isMember(b) && !root;
  if (recursive && inB) return a;
  const result: Draft = {};
  let found = false;
  // The second set is usually the smaller one: what a write changes, or what an endpoint lets through.
  const any = recursive ? b[anyElement] : undefined;
  for (const element in any !== undefined || large.has(b) ? a : b) {
    const mine = a[element];
    const others = b[element] ?? any;
    if (element === self || mine === undefined || others === undefined) continue;
    const below = common(mine, others, recursive, false);
    if (below === undefined) continue;
    result[element] = below;
    found = true;
  }
  if (inB && isMember(a)) return found ? {[self]: emptySet, ...result} : emptySet;
  return found ? result : undefined;
}

/** The fields of `a` that are not in `b`. Fields below a field of `b` stay. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return without(a, b, false) ?? emptySet;
}

/** The fields of `a` that are neither in `b` nor below a field of `b`. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  return without(a, b, true) ?? emptySet;
}

function without(a: FieldSet, b: FieldSet, recursive: boolean, root = true): FieldSet | undefined {
  if (root && (a === emptySet || b === emptySet)) return a;
  const inB = !root && isMember(b);
  if (inB && (recursive || isEmptySet(a))) return undefined;
  const result: Draft = {};
  let changed = false;
  let stays = false;
  for (const element in a) {
    const mine = a[element]!;
    const others = b[element];
    const left = element === self ? (inB ? undefined : mine) : others === undefined ? mine : without(mine, others, recursive, false);
    changed ||= left !== mine;
    if (left === undefined) continue;
    result[element] = left;
    stays ||= element !== self;
  }
  if (!changed) return a;
  if (stays) return result;
  return result[self] === undefined ? undefined : emptySet;
}

/** The fields of the set with no other fields below them. */
export function leavesOf(set: FieldSet): FieldSet {
  const result: Draft = {};
  for (const element in set) if (element !== self) result[element] = leavesOf(set[element]!);
  return result;
}
