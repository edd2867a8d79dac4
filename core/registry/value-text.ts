const longest = 100;

/** The beginning of a string from a client, short enough for a message. */
export function cutText(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** An unexpected value from a client as messages show it: a string quoted and truncated, anything else by its type. */
export function valueText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(cutText(value));
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
