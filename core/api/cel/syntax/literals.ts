import {Uint, isInt64} from '../values/uint.js';

const unescapable = 'unable to unescape string';

/** The number that a literal stands for; undefined if it is out of range. */
export function intOf(text: string, isNegative: boolean): bigint | undefined {
  const value = BigInt(text) * (isNegative ? -1n : 1n);
  return isInt64(value) ? value : undefined;
}

export function uintOf(text: string): Uint | undefined {
  const value = BigInt(text.slice(0, -1));
  return Uint.isIn(value) ? new Uint(value) : undefined;
}

export function doubleOf(text: string, isNegative: boolean): number | undefined {
  const value = Number(text);
  if (!Number.isFinite(value)) return undefined;
  return isNegative ? -value : value;
}

const escapes: Readonly<Record<string, string>> = {a: '\u0007', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v'};

/** The text or the bytes of a literal, or what is wrong with its escapes. */
export function unquoted(literal: string, isBytes: boolean): {readonly value: string | Uint8Array} | {readonly fault: string} {
  let text = literal.replaceAll(/\r\n?/g, '\n');
  const isRaw = /^[rR]/.test(text);
  if (isRaw) text = text.slice(1);
  const quotes = text.length >= 6 && (text.startsWith('"""') || text.startsWith("'''")) ? 3 : 1;
  text = text.slice(quotes, -quotes);
  if (isRaw || !text.includes('\\')) return {value: isBytes ? Buffer.from(text) : text};
  const parts: (string | number)[] = [];
  for (const [part] of text.matchAll(/\\(?:[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2}|[^])|[^\\]+/g)) {
    const code = codeOf(part);
    if (code === undefined) {
      parts.push(part.startsWith('\\') ? (escapes[part[1]!] ?? part[1]!) : part);
      continue;
    }
    if (isBytes) {
      if (/^\\[uU]/.test(part)) return {fault: unescapable};
      parts.push(code);
      continue;
    }
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return {fault: 'invalid unicode code point'};
    parts.push(String.fromCodePoint(code));
  }
  if (!isBytes) return {value: parts.join('')};
  return {value: Buffer.concat(parts.map((part) => (typeof part === 'number' ? Buffer.of(part) : Buffer.from(part))))};
}

/** The number of an escape that is written as one. */
function codeOf(part: string): number | undefined {
  if (part.length < 3 || !part.startsWith('\\')) return undefined;
  return /^\\[xXuU]/.test(part) ? Number.parseInt(part.slice(2), 16) : Number.parseInt(part.slice(1), 8);
}
