import {meter} from '../cost-meter.js';
import {boolType, dynType, intType, listOf, stringType} from '../types/cel-type.js';
import {Fault, noSuchOverload} from '../values/fault.js';
import {bytesPerStep} from '../weight.js';
import {lengthOf, unitsBefore, withAsciiCase} from './characters.js';
import {formatText, shownValue} from './format-text.js';
import {functionsOf, method, form, type FunctionDeclaration, type Library} from './overload.js';
import {TextSearch} from './text-search.js';

const texts = listOf(stringType);
const text2 = [stringType, stringType] as const;

/** The functions of texts that all releases have, each in time linear in the size of its operands and its result. Positions count characters, not UTF-16 units. */
const first: readonly FunctionDeclaration[] = [
  ...functionsOf(
    {
      contains: [method(text2, boolType, (text: unknown, part: unknown) => ofTexts(text, part, (a, b) => new TextSearch(b).next(a) >= 0))],
      endsWith: [method(text2, boolType, (text: unknown, part: unknown) => ofTexts(text, part, (a, b) => a.endsWith(b)))],
      startsWith: [method(text2, boolType, (text: unknown, part: unknown) => ofTexts(text, part, (a, b) => a.startsWith(b)))],
    },
    {isUnguarded: true},
  ),
];

/** Values of other types come as far as here. */
function ofTexts(text: unknown, part: unknown, result: (text: string, part: string) => boolean): boolean | Fault {
  return typeof text === 'string' && typeof part === 'string' ? result(text, part) : noSuchOverload();
}

const extended: readonly FunctionDeclaration[] = functionsOf({
  charAt: [method([stringType, intType], stringType, charAt)],
  indexOf: [method(text2, intType, (text: string, part: string) => indexOf(text, part, 0n)), method([...text2, intType], intType, indexOf)],
  lastIndexOf: [
    method(text2, intType, (text: string, part: string) => positionOf(text, new TextSearch(part).last(text, text.length))),
    method([...text2, intType], intType, lastIndexOf),
  ],
  lowerAscii: [method([stringType], stringType, (text: string) => withAsciiCase(text, 'lower'))],
  replace: [
    method([...text2, stringType], stringType, (text: string, from: string, to: string) => replace(text, from, to, -1n)),
    method([...text2, stringType, intType], stringType, replace),
  ],
  split: [
    method(text2, texts, (text: string, separator: string) => split(text, separator, -1n)),
    method([...text2, intType], texts, split),
  ],
  substring: [
    method([stringType, intType], stringType, (text: string, from: bigint) => cut(text, from)),
    method([stringType, intType, intType], stringType, substring),
  ],
  trim: [method([stringType], stringType, trimmed)],
  upperAscii: [method([stringType], stringType, (text: string) => withAsciiCase(text, 'upper'))],
  join: [method([texts], stringType, (list: unknown[]) => join(list, '')), method([texts, stringType], stringType, join)],
});

/** Before 1.29. */
export const firstStringLibrary: Library = {feature: 'strings-first', functions: extended};
/** With `format` and `strings.quote`. */
export const stringLibrary: Library = {
  feature: 'strings-format',
  functions: [
    ...extended,
    ...functionsOf({
      format: [method([stringType, listOf(dynType)], stringType, formatText)],
      'strings.quote': [form([stringType], stringType, quote)],
    }),
  ],
};
export const textLibrary: Library = {functions: first};

const blank = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

function trimmed(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && blank.test(text[start]!)) start += 1;
  while (end > start && blank.test(text[end - 1]!)) end -= 1;
  return text.slice(start, end);
}

function quote(text: string): string {
  meter.spend(text.length);
  const escapes: Readonly<Record<string, string>> = {
    '\u0007': 'a',
    '\b': 'b',
    '\f': 'f',
    '\n': 'n',
    '\r': 'r',
    '\t': 't',
    '\v': 'v',
    '\\': '\\',
    '"': '"',
  };
  return `"${text.replaceAll(/["\\\u0007\b\f\n\r\t\v]/g, (character) => `\\${escapes[character]}`)}"`;
}

/** The position of a character, from that of its first UTF-16 unit; -1 remains -1. */
function positionOf(text: string, unit: number): bigint {
  return BigInt(unit <= 0 ? unit : lengthOf(text, unit));
}

function charAt(text: string, position: bigint): string | Fault {
  const unit = unitsBefore(text, position);
  if (unit === undefined) return outOfRange(position);
  return unit === text.length ? '' : String.fromCodePoint(text.codePointAt(unit)!);
}

function cut(text: string, from: bigint): string | Fault {
  const start = unitsBefore(text, from);
  return start === undefined ? outOfRange(from) : text.slice(start);
}

function outOfRange(position: bigint): Fault {
  return new Fault(`index out of range: ${position}`);
}

function substring(text: string, from: bigint, to: bigint): string | Fault {
  if (from > to) return new Fault(`invalid substring range. start: ${from}, end: ${to}`);
  const start = unitsBefore(text, from);
  if (start === undefined) return outOfRange(from);
  const end = unitsBefore(text, to);
  return end === undefined ? outOfRange(to) : text.slice(start, end);
}

function indexOf(text: string, part: string, from: bigint): bigint | Fault {
  if (part === '') return from;
  if (from < 0n) return outOfRange(from);
  const start = unitsBefore(text, from);
  return start === undefined ? -1n : positionOf(text, new TextSearch(part).next(text, start));
}

function lastIndexOf(text: string, part: string, from: bigint): bigint | Fault {
  if (part === '') return from;
  if (from < 0n) return outOfRange(from);
  const start = unitsBefore(text, from);
  // There is nothing at the end.
  return start === undefined || start === text.length ? -1n : positionOf(text, new TextSearch(part).last(text, start));
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

function join(list: readonly unknown[], separator: string): string | Fault {
  meter.spend((list.length * separator.length) / bytesPerStep);
  const other = list.findIndex((item) => typeof item !== 'string');
  return other < 0 ? list.join(separator) : new Fault(`join: invalid input: ${shownValue(list[other])}`);
}
