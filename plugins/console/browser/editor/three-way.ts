/** What both have changed, as paths: `spec.replicas`. */
export interface Merged {
  readonly value: unknown;
  readonly conflicts: readonly string[];
}

type Members = Record<string, unknown>;

/**
 * Puts what changed from `base` to `mine` on top of `theirs`. Lists count as one value. Where both changed the same, mine is taken and the path is named.
 */
export function mergeThree(base: unknown, mine: unknown, theirs: unknown): Merged {
  const conflicts: string[] = [];
  const merge = (before: unknown, own: unknown, other: unknown, path: string): unknown => {
    if (isSame(own, before)) return other;
    if (isSame(other, before) || isSame(own, other)) return own;
    if (!isMembers(own) || !isMembers(other)) {
      conflicts.push(path);
      return own;
    }
    const from = isMembers(before) ? before : {};
    const names = [...new Set([...Object.keys(other), ...Object.keys(own)])];
    const merged = names.map((name) => [name, merge(from[name], own[name], other[name], path === '' ? name : `${path}.${name}`)] as const);
    return Object.fromEntries(merged.filter(([, value]) => value !== undefined));
  };
  return {value: merge(base, mine, theirs, ''), conflicts};
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((item, index) => isSame(item, right[index]));
  if (!isMembers(left) || !isMembers(right)) return false;
  const names = Object.keys(left);
  return names.length === Object.keys(right).length && names.every((name) => Object.hasOwn(right, name) && isSame(left[name], right[name]));
}
