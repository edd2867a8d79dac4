/** Whether the character positions of a string differ from its UTF-16 positions. */
const surrogate = /[\ud800-\udfff]/;
const ascii = /^[\x00-\x7f]*$/;

/** Number of characters in the first `end` UTF-16 units. */
export function lengthOf(text: string, end = text.length): number {
  if (!surrogate.test(text)) return end;
  let count = end;
  for (let unit = 1; unit < end; unit += 1) if (isLow(text, unit) && isHigh(text, unit - 1)) count -= 1;
  return count;
}

/** Number of UTF-16 units before a character; undefined if the text has fewer characters. */
export function unitsBefore(text: string, position: bigint): number | undefined {
  if (position < 0n || position > text.length) return undefined;
  const wanted = Number(position);
  if (!surrogate.test(text)) return wanted;
  let unit = 0;
  for (let count = 0; count < wanted; count += 1) {
    if (unit >= text.length) return undefined;
    unit += isHigh(text, unit) && isLow(text, unit + 1) ? 2 : 1;
  }
  return unit;
}

/** The text with its ASCII letters in lower or upper case. */
export function withAsciiCase(text: string, wanted: 'lower' | 'upper'): string {
  if (ascii.test(text)) return wanted === 'lower' ? text.toLowerCase() : text.toUpperCase();
  const first = wanted === 'lower' ? 0x41 : 0x61;
  const bytes = Buffer.from(text, 'utf16le');
  for (let unit = 0; unit < bytes.length; unit += 2) {
    const byte = bytes[unit]!;
    if (bytes[unit + 1] === 0 && byte >= first && byte < first + 26) bytes[unit] = byte ^ 0x20;
  }
  return bytes.toString('utf16le');
}

function isHigh(text: string, unit: number): boolean {
  return (text.charCodeAt(unit) & 0xfc00) === 0xd800;
}

function isLow(text: string, unit: number): boolean {
  return (text.charCodeAt(unit) & 0xfc00) === 0xdc00;
}
