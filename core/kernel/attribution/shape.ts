/** Longest text that shows a value. */
const longest = 100;

/** Describes a value for a message, without strings and values of members, which may be secrets. */
export function shape(value: unknown): string {
  if (typeof value === 'string') return 'a text';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value);
  const text = `{${Object.keys(value).join(', ')}}`;
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
