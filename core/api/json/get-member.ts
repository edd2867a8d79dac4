/**
 * An own member of an object whose key comes from outside, or undefined. Members of the prototype (`constructor`, `toString`) do not count.
 */
export function getMember<T>(target: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(target, key) ? target[key] : undefined;
}
