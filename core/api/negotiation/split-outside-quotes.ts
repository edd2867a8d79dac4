/** Splits a header at separators outside quoted strings. Works in one pass, whatever clients send. */
export function splitOutsideQuotes(text: string, separator: ',' | ';'): string[] {
  if (!text.includes('"')) return text.split(separator);
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  for (let offset = 0; offset < text.length; offset++) {
    const character = text[offset];
    if (character === '"') {
      quoted = !quoted;
    } else if (quoted && character === '\\') {
      offset++;
    } else if (!quoted && character === separator) {
      parts.push(text.slice(start, offset));
      start = offset + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}
