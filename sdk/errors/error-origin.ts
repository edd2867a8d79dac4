/** The method of a plugin that an error came out of. */
export interface ErrorOrigin {
  readonly plugin: string;
  /** `admission RequiredLabels.validate`. */
  readonly hook: string;
}

/** How many causes of causes are looked at. */
const deepest = 8;
const origins = new WeakMap<object, ErrorOrigin>();

/**
 * Records where an error came from. What calls of calls have recorded stays: the innermost plugin is the one at fault.
 *
 * @param thrown anything that can be thrown
 * @returns the error; a new one in place of what is none
 */
export function withOrigin(thrown: unknown, origin: ErrorOrigin): object {
  const error =
    typeof thrown === 'object' && thrown !== null ? thrown : new TypeError(`${origin.hook} threw what is no Error: ${String(thrown)}`);
  if (!originOf(error)) origins.set(error, origin);
  return error;
}

/** Where an error, or the first of its causes of which that is known, came from; undefined if it is not a plugin's. */
export function originOf(error: unknown): ErrorOrigin | undefined {
  let inner = error;
  for (let depth = 0; depth < deepest && typeof inner === 'object' && inner !== null; depth += 1) {
    const origin = origins.get(inner);
    if (origin) return origin;
    inner = (inner as {cause?: unknown}).cause;
  }
  return undefined;
}
