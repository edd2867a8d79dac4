/** An immutable copy of a JSON value. */
export function frozenCopy<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy)) as T;
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    // Defined as an ordinary member, which an assignment would not do.
    if (name === '__proto__') Object.defineProperty(copy, name, {value: frozenCopy(member), enumerable: true});
    else copy[name] = frozenCopy(member);
  }
  return Object.freeze(copy) as T;
}

/** Whether an error comes from an attempt to modify a frozen value. */
export function isFrozenError(error: unknown): error is TypeError {
  return error instanceof TypeError && /^Cannot (?:assign to read only|add|delete|define|redefine) property/.test(error.message);
}
