/* The distinguished encoding of ASN.1 (X.690), as far as certificates need it. */

const constructed = 0x20;
const contextSpecific = 0x80;

/** One element: tag, length, content. */
export function element(tag: number, ...content: readonly Buffer[]): Buffer {
  const length = content.reduce((sum, {byteLength}) => sum + byteLength, 0);
  return Buffer.concat([Buffer.from([tag, ...lengthBytes(length)]), ...content]);
}

function lengthBytes(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 0x100)) bytes.unshift(rest % 0x100);
  return [0x80 | bytes.length, ...bytes];
}

export const sequence = (...elements: readonly Buffer[]): Buffer => element(0x30, ...elements);
export const set = (...elements: readonly Buffer[]): Buffer => element(0x31, ...elements);
export const octetString = (bytes: Buffer): Buffer => element(0x04, bytes);
export const utf8String = (text: string): Buffer => element(0x0c, Buffer.from(text));
export const boolean = (value: boolean): Buffer => element(0x01, Buffer.from([value ? 0xff : 0]));

/** A positive integer from its bytes, the highest first. */
export function integer(bytes: Buffer): Buffer {
  return element(0x02, bytes[0]! >= 0x80 ? Buffer.concat([Buffer.alloc(1), bytes]) : bytes);
}

/** @param unused bits at the end that do not count */
export const bitString = (bytes: Buffer, unused = 0): Buffer => element(0x03, Buffer.from([unused]), bytes);

/** An object identifier, as in `2.5.29.15`. */
export function objectIdentifier(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const bytes = [first * 40 + second, ...rest].flatMap((arc) => {
    const groups = [arc & 0x7f];
    for (let left = arc >>> 7; left > 0; left >>>= 7) groups.unshift(0x80 | (left & 0x7f));
    return groups;
  });
  return element(0x06, Buffer.from(bytes));
}

/** A point of time, to the second, in the form that certificates have for its year (RFC 5280, 4.1.2.5). */
export function time(millis: number): Buffer {
  const date = new Date(millis);
  const digits = date.toISOString().replace(/\.\d+/, '').replaceAll(/[-:T]/g, '');
  return date.getUTCFullYear() < 2050 ? element(0x17, Buffer.from(digits.slice(2))) : element(0x18, Buffer.from(digits));
}

/** `[number]` around an element. */
export const explicit = (number: number, inner: Buffer): Buffer => element(contextSpecific | constructed | number, inner);
/** `[number]` in place of the tag of something that has no parts. */
export const implicit = (number: number, content: Buffer): Buffer => element(contextSpecific | number, content);

/**
 * The elements in the content of another one.
 *
 * @param of a whole element
 * @throws Error for what is cut off
 */
export function elementsOf(of: Buffer): Buffer[] {
  const found: Buffer[] = [];
  const end = endOf(of, 0);
  for (let at = contentStart(of, 0); at < end; at += found.at(-1)!.length) found.push(of.subarray(at, endOf(of, at)));
  return found;
}

function endOf(bytes: Buffer, at: number): number {
  const end = contentStart(bytes, at) + lengthAt(bytes, at);
  if (end > bytes.length) throw new Error('the encoding ends too early');
  return end;
}

function contentStart(bytes: Buffer, at: number): number {
  const first = bytes[at + 1] ?? 0;
  return at + 2 + (first < 0x80 ? 0 : first & 0x7f);
}

function lengthAt(bytes: Buffer, at: number): number {
  const first = bytes[at + 1];
  if (first === undefined) throw new Error('the encoding ends too early');
  if (first < 0x80) return first;
  const count = first & 0x7f;
  if (count === 0 || count > 4 || at + 2 + count > bytes.length) throw new Error('the encoding has no length');
  return bytes.readUIntBE(at + 2, count);
}
