/** A copy of a JSON value in which nothing can be changed. */
export function frozenCopy<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy)) as T;
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    // As a member like any other, which an assignment would not make of it.
    if (name === '__proto__') Object.defineProperty(copy, name, {value: frozenCopy(member), enumerable: true});
    else copy[name] = frozenCopy(member);
  }
  return Object.freeze(copy) as T;
}

/** Whether an error comes from an attempt to change what is frozen. */
export function isFrozenError(error: unknown): error is TypeError {
  return error instanceof TypeError && /^Cannot (?:assign to read only|add|delete|define|redefine) property/.test(error.message);
}
