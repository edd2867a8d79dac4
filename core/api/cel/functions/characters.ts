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

/** Number of UTF-16 units before a character. @throws Error if the text has fewer characters */
export function unitsBefore(text: string, position: bigint): number {
  if (position < 0n || position > text.length) throw outOfRange(position);
  const wanted = Number(position);
  if (!surrogate.test(text)) return wanted;
  let unit = 0;
  for (let count = 0; count < wanted; count += 1) {
    if (unit >= text.length) throw outOfRange(position);
    unit += isHigh(text, unit) && isLow(text, unit + 1) ? 2 : 1;
  }
  return unit;
}

/** The characters from the last to the first. */
export function reversed(text: string): string {
  const from = Buffer.from(text, 'utf16le');
  const to = Buffer.allocUnsafe(from.length);
  let end = to.length;
  for (let unit = 0; unit < text.length; unit += 1) {
    const isPair = isHigh(text, unit) && isLow(text, unit + 1);
    end -= isPair ? 4 : 2;
    to[end] = from[2 * unit]!;
    to[end + 1] = from[2 * unit + 1]!;
    if (!isPair) continue;
    unit += 1;
    to[end + 2] = from[2 * unit]!;
    to[end + 3] = from[2 * unit + 1]!;
  }
  return to.toString('utf16le');
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

function outOfRange(position: bigint): Error {
  return new Error(`index out of range: ${position}`);
}
