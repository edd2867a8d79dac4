/**
 * An own member of an object whose key comes from outside, or undefined. Members of the prototype (`constructor`,
 * `toString`) do not count.
 */
export function getMember(target: object, key: string): unknown {
  return Object.hasOwn(target, key) ? (target as Record<string, unknown>)[key] : undefined;
}
