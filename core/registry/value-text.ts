const longest = 100;

/** A value that a client has sent where another was expected, as messages show it: a text quoted and cut, anything else by its type. */
export function valueText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > longest ? `${value.slice(0, longest)}…` : value);
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
