import type {Environment} from '@marcbachmann/cel-js';
import {meter} from '../cost-meter.js';

/** Whether the character positions of a string differ from its UTF-16 positions. */
const surrogate = /[\ud800-\udfff]/;
const sync = {async: false};

/**
 * The functions of CEL's extended strings library. Positions count characters, not UTF-16 units. Functions that replace the library's own
 * have a name that ends in `_`; expressions are rewritten to use it.
 */
export function addStringFunctions(environment: Environment): void {
  environment
    .registerFunction('string.charAt(int): string', charAt, sync)
    .registerFunction(
      'string.replace(string, string): string',
      (text: string, from: string, to: string) => replace(text, from, to, -1n),
      sync,
    )
    .registerFunction('string.replace(string, string, int): string', replace, sync)
    .registerFunction('string.reverse(): string', (text: string) => [...text].reverse().join(''), sync)
    .registerFunction('string.lowerAscii_(): string', (text: string) => text.replace(/[A-Z]+/g, (part) => part.toLowerCase()), sync)
    .registerFunction('string.upperAscii_(): string', (text: string) => text.replace(/[a-z]+/g, (part) => part.toUpperCase()), sync)
    .registerFunction('string.indexOf_(string): int', (text: string, part: string) => indexOf(text, part, 0n), sync)
    .registerFunction('string.indexOf_(string, int): int', indexOf, sync)
    .registerFunction(
      'string.lastIndexOf_(string): int',
      (text: string, part: string) => lastIndexOf(text, part, BigInt(lengthOf(text))),
      sync,
    )
    .registerFunction('string.lastIndexOf_(string, int): int', lastIndexOf, sync)
    .registerFunction('string.substring_(int): string', (text: string, from: bigint) => substring(text, from, BigInt(lengthOf(text))), sync)
    .registerFunction('string.substring_(int, int): string', substring, sync)
    .registerFunction('list<string>.join_(): string', (list: string[]) => join(list, ''), sync)
    .registerFunction('list<string>.join_(string): string', join, sync);
}

function lengthOf(text: string): number {
  return surrogate.test(text) ? [...text].length : text.length;
}

function outOfRange(position: bigint): Error {
  return new Error(`index out of range: ${position}`);
}

function charAt(text: string, position: bigint): string {
  const characters = surrogate.test(text) ? [...text] : text;
  if (position < 0n || position > characters.length) throw outOfRange(position);
  return characters[Number(position)] ?? '';
}

function substring(text: string, from: bigint, to: bigint): string {
  const characters = surrogate.test(text) ? [...text] : undefined;
  const length = characters?.length ?? text.length;
  if (from < 0n || from > length) throw outOfRange(from);
  if (to < from || to > length) throw outOfRange(to);
  return characters ? characters.slice(Number(from), Number(to)).join('') : text.slice(Number(from), Number(to));
}

function indexOf(text: string, part: string, from: bigint): bigint {
  if (from < 0n || from > lengthOf(text)) throw outOfRange(from);
  if (!surrogate.test(text)) return BigInt(text.indexOf(part, Number(from)));
  const start = [...text].slice(0, Number(from)).join('').length;
  const found = text.indexOf(part, start);
  return found < 0 ? -1n : BigInt(lengthOf(text.slice(0, found)));
}

function lastIndexOf(text: string, part: string, from: bigint): bigint {
  if (from < 0n || from > lengthOf(text)) throw outOfRange(from);
  if (!surrogate.test(text)) return BigInt(text.lastIndexOf(part, Number(from)));
  const found = text.lastIndexOf(part, [...text].slice(0, Number(from)).join('').length);
  return found < 0 ? -1n : BigInt(lengthOf(text.slice(0, found)));
}

/** Replaces the first `limit` occurrences, or all if it is negative. */
function replace(text: string, from: string, to: string, limit: bigint): string {
  if (limit === 0n) return text;
  const parts = text.split(from);
  const count = limit < 0n ? parts.length - 1 : Math.min(parts.length - 1, Number(limit));
  // Charged before the result is created: it may be far larger than its inputs.
  meter.spend((text.length + count * to.length) / 16);
  return (
    parts.slice(0, count + 1).join(to) +
    parts
      .slice(count + 1)
      .map((part) => from + part)
      .join('')
  );
}

function join(list: readonly string[], separator: string): string {
  meter.spend((list.length * separator.length) / 16);
  return list.join(separator);
}
