/**
 * Whether two values of an object say the same, whatever the order of their members. Null, a missing member and an empty list
 * are one; an empty object is not the same as none: where the two differ in meaning (a selector of everything, of nothing) it counts.
 */
export function equalValues(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (isNothing(left) || isNothing(right)) return isNothing(left) && isNothing(right);
  if (typeof left !== 'object' || typeof right !== 'object') return false;
  if (Array.isArray(left) || Array.isArray(right)) return Array.isArray(left) && Array.isArray(right) && equalLists(left, right);
  return equalObjects(left as Readonly<Record<string, unknown>>, right as Readonly<Record<string, unknown>>);
}

function isNothing(value: unknown): value is undefined | null | [] {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

function equalLists(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((item, index) => equalValues(item, right[index]));
}

function equalObjects(left: Readonly<Record<string, unknown>>, right: Readonly<Record<string, unknown>>): boolean {
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].every((key) => equalValues(own(left, key), own(right, key)));
}

/** `__proto__` is a member like any other. */
function own(object: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
