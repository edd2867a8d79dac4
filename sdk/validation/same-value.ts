/**
 * Whether two JSON values are equivalent. Absent, null and an empty list are the same, also as members; the order of members does not
 * matter. An empty object differs from a missing one: an empty selector, for example.
 */
export function sameValue(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (isNothing(left) || isNothing(right)) return isNothing(left) && isNothing(right);
  if (typeof left !== 'object' || typeof right !== 'object') return isNumeric(left) && isNumeric(right) && BigInt(left) === BigInt(right);
  if (Array.isArray(left) || Array.isArray(right)) {
    return (
      Array.isArray(left) &&
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => sameValue(item, right[index]))
    );
  }
  return sameMembers(left as Record<string, unknown>, right as Record<string, unknown>);
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

function sameMembers(left: Record<string, unknown>, right: Record<string, unknown>): boolean {
  const member = (object: Record<string, unknown>, name: string) => (Object.hasOwn(object, name) ? object[name] : undefined);
  for (const name of Object.keys(left)) if (!sameValue(left[name], member(right, name))) return false;
  for (const name of Object.keys(right)) if (!Object.hasOwn(left, name) && !sameValue(undefined, right[name])) return false;
  return true;
}

/** Integers beyond 2^53 are bigint, smaller ones are numbers. */
function isNumeric(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value));
}
