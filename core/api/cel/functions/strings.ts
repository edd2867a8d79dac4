import type {Environment} from '@marcbachmann/cel-js';
import {meter} from '../cost-meter.js';
import {bytesPerStep} from '../weight.js';
import {lengthOf, reversed, unitsBefore, withAsciiCase} from './characters.js';
import {TextSearch} from './text-search.js';

const sync = {async: false};

/**
 * The functions of CEL's extended strings library, each in time linear in the size of its operands and its result. Positions count
 * characters, not UTF-16 units. Functions that replace the library's own have a name that ends in `_`; expressions are rewritten to use it.
 */
export function addStringFunctions(environment: Environment): void {
  environment
    .registerFunction('string.contains_(string): bool', (text: string, part: string) => new TextSearch(part).next(text) >= 0, sync)
    .registerFunction('string.charAt(int): string', charAt, sync)
    .registerFunction(
      'string.replace(string, string): string',
      (text: string, from: string, to: string) => replace(text, from, to, -1n),
      sync,
    )
    .registerFunction('string.replace(string, string, int): string', replace, sync)
    .registerFunction('string.reverse(): string', reversed, sync)
    .registerFunction('string.lowerAscii_(): string', (text: string) => withAsciiCase(text, 'lower'), sync)
    .registerFunction('string.upperAscii_(): string', (text: string) => withAsciiCase(text, 'upper'), sync)
    .registerFunction('string.indexOf_(string): int', (text: string, part: string) => indexOf(text, part, 0n), sync)
    .registerFunction('string.indexOf_(string, int): int', indexOf, sync)
    .registerFunction(
      'string.lastIndexOf_(string): int',
      (text: string, part: string) => positionOf(text, new TextSearch(part).last(text, text.length)),
      sync,
    )
    .registerFunction('string.lastIndexOf_(string, int): int', lastIndexOf, sync)
    .registerFunction('string.substring_(int): string', (text: string, from: bigint) => text.slice(unitsBefore(text, from)), sync)
    .registerFunction('string.substring_(int, int): string', substring, sync)
    .registerFunction('string.split_(string): list<string>', (text: string, separator: string) => split(text, separator, -1n), sync)
    .registerFunction('string.split_(string, int): list<string>', split, sync)
    .registerFunction('list<string>.join_(): string', (list: string[]) => list.join(''), sync)
    .registerFunction('list<string>.join_(string): string', join, sync);
}

/** The position of a character, from that of its first UTF-16 unit; -1 remains -1. */
function positionOf(text: string, unit: number): bigint {
  return BigInt(unit <= 0 ? unit : lengthOf(text, unit));
}

function charAt(text: string, position: bigint): string {
  const unit = unitsBefore(text, position);
  return unit === text.length ? '' : String.fromCodePoint(text.codePointAt(unit)!);
}

function substring(text: string, from: bigint, to: bigint): string {
  const start = unitsBefore(text, from);
  if (to < from) throw new Error(`index out of range: ${to}`);
  return text.slice(start, unitsBefore(text, to));
}

function indexOf(text: string, part: string, from: bigint): bigint {
  return positionOf(text, new TextSearch(part).next(text, unitsBefore(text, from)));
}

function lastIndexOf(text: string, part: string, from: bigint): bigint {
  return positionOf(text, new TextSearch(part).last(text, unitsBefore(text, from)));
}

function* occurrences(text: string, part: string, limit: bigint): Generator<number> {
  let left = limit < 0n ? Number.POSITIVE_INFINITY : Number(limit);
  const search = new TextSearch(part);
  for (let at = search.next(text); at >= 0 && left > 0; at = search.next(text, at + part.length), left -= 1) yield at;
}

/** Replaces the first `limit` occurrences, or all if it is negative. An empty text occurs before each character, and at the end. */
function replace(text: string, from: string, to: string, limit: bigint): string {
  const steps = 8 + to.length / bytesPerStep;
  const parts: string[] = [];
  let end = 0;
  const occurring = from === '' ? starts(text, limit) : occurrences(text, from, limit);
  for (const at of occurring) {
    // Charged before the result is created: it may be far larger than its inputs.
    meter.spend(steps);
    parts.push(text.slice(end, at), to);
    end = at + from.length;
  }
  parts.push(text.slice(end));
  return parts.join('');
}

/** Where characters begin, and the end. */
function* starts(text: string, limit: bigint): Generator<number> {
  let left = limit < 0n ? Number.POSITIVE_INFINITY : Number(limit);
  let at = 0;
  for (const character of text) {
    if (left-- <= 0) return;
    yield at;
    at += character.length;
  }
  if (left > 0) yield at;
}

/** At most `limit` parts, the last of which is the rest; all if it is negative. */
function split(text: string, separator: string, limit: bigint): string[] {
  if (limit === 0n) return [];
  if (limit === 1n) return [text];
  const parts: string[] = [];
  let end = 0;
  if (separator === '') {
    for (const character of text) {
      if (limit > 0n && parts.length === Number(limit) - 1) break;
      meter.spend(2);
      parts.push(character);
      end += character.length;
    }
    return end < text.length ? [...parts, text.slice(end)] : parts;
  }
  for (const at of occurrences(text, separator, limit < 0n ? limit : limit - 1n)) {
    meter.spend(2);
    parts.push(text.slice(end, at));
    end = at + separator.length;
  }
  parts.push(text.slice(end));
  return parts;
}

function join(list: readonly string[], separator: string): string {
  meter.spend((list.length * separator.length) / bytesPerStep);
  return list.join(separator);
}
