/**
 * Sets a member of an object whose key comes from outside. `__proto__` becomes an ordinary own member instead of replacing the prototype;
 * any other key is a plain assignment.
 */
export function setMember(target: object, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, {value, writable: true, enumerable: true, configurable: true});
  } else {
    (target as Record<string, unknown>)[key] = value;
  }
}
