const longest = 100;

/** The beginning of a text that came from a client, short enough for a message. */
export function cutText(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** A value that a client has sent where another was expected, as messages show it: a text quoted and cut, anything else by its type. */
export function valueText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(cutText(value));
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
