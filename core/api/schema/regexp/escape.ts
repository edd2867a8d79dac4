import {perlClass, unicodeClass} from './char-set.js';
import {RegexpSyntaxError, type Assertion} from './syntax.js';

/** What stands behind a backslash: an assertion, one character, or a set of them. `end` is the position behind it. */
export type Escape =
  | {readonly end: number; readonly assertion: Assertion; readonly codePoint?: undefined; readonly set?: undefined}
  | {readonly end: number; readonly assertion?: undefined; readonly codePoint: number; readonly set?: undefined}
  | {readonly end: number; readonly assertion?: undefined; readonly codePoint?: undefined; readonly set: (codePoint: number) => boolean};

const assertions: Readonly<Record<string, Assertion>> = {A: 'text-start', z: 'text-end', b: 'word-boundary', B: 'no-word-boundary'};
const controls: Readonly<Record<string, number>> = {a: 7, f: 12, t: 9, n: 10, r: 13, v: 11};

/**
 * Reads what follows a backslash.
 *
 * @param at position of the first character behind the backslash
 * @throws RegexpSyntaxError
 */
export function parseEscape(input: readonly string[], at: number): Escape {
  const letter = input[at];
  if (letter === undefined) throw new RegexpSyntaxError('trailing backslash at end of expression');
  const end = at + 1;
  if (Object.hasOwn(assertions, letter)) return {end, assertion: assertions[letter] as Assertion};
  if (Object.hasOwn(controls, letter)) return {end, codePoint: controls[letter] as number};
  const set = perlClass(letter);
  if (set) return {end, set};
  if (letter === 'p' || letter === 'P') return property(input, at, letter === 'P');
  if (letter === 'x') return hexadecimal(input, end);
  if (/[0-7]/.test(letter)) return octal(input, at);
  if (/[A-Za-z0-9]/.test(letter)) throw new RegexpSyntaxError(`invalid escape sequence: \\${letter}`);
  return {end, codePoint: letter.codePointAt(0) as number};
}

function property(input: readonly string[], at: number, isComplement: boolean): Escape {
  const rest = input.slice(at + 1, at + 48).join('');
  const match = /^(?:([A-Za-z])|\{(\^?)([A-Za-z_]+)\})/.exec(rest);
  const set = match ? unicodeClass(match[1] ?? (match[3] as string), isComplement !== (match[2] === '^')) : undefined;
  if (!match || !set) throw new RegexpSyntaxError(`invalid character class range: \\${isComplement ? 'P' : 'p'}${rest.slice(0, 8)}`);
  return {end: at + 1 + match[0].length, set};
}

function hexadecimal(input: readonly string[], at: number): Escape {
  const match = /^(?:([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]{1,8})\})/.exec(input.slice(at, at + 10).join(''));
  const codePoint = match ? Number.parseInt((match[1] ?? match[2]) as string, 16) : Number.NaN;
  if (!match || !(codePoint <= 0x10ffff)) throw new RegexpSyntaxError('invalid escape sequence: \\x');
  return {end: at + match[0].length, codePoint};
}

/** `\0` to `\377`. A single digit other than 0 would be a back reference elsewhere and is refused. */
function octal(input: readonly string[], at: number): Escape {
  const match = /^(?:0[0-7]{0,2}|[1-7][0-7]{1,2})/.exec(input.slice(at, at + 3).join(''));
  if (!match) throw new RegexpSyntaxError(`invalid escape sequence: \\${input[at]}`);
  return {end: at + match[0].length, codePoint: Number.parseInt(match[0], 8)};
}
