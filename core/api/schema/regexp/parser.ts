import {CharSet, posixClass} from './char-set.js';
import {parseEscape} from './escape.js';
import {RegexpSyntaxError, type Syntax} from './syntax.js';

const maximumNesting = 200;
const maximumRepeat = 1000;
const maximumLength = 10_000;
const allCharacters: readonly (readonly [number, number])[] = [[0, 0x10ffff]];

interface Flags {
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
}

/**
 * Reads an expression in the syntax of Go's regexp package (RE2): no look-around and no back references, which is what makes
 * matching in linear time possible.
 *
 * @throws RegexpSyntaxError
 */
export function parseRegexp(pattern: string): Syntax {
  if (pattern.length > maximumLength) throw new RegexpSyntaxError(`expression is longer than ${maximumLength} characters`);
  return new Parser([...pattern]).parse();
}

class Parser {
  #at = 0;
  #depth = 0;
  #flags: Flags = {ignoreCase: false, multiline: false, dotAll: false};

  constructor(private readonly input: readonly string[]) {}

  parse(): Syntax {
    const syntax = this.#choice();
    if (this.#at < this.input.length) throw new RegexpSyntaxError('unexpected )');
    return syntax;
  }

  #peek(): string | undefined {
    return this.input[this.#at];
  }

  #take(text: string): boolean {
    for (let index = 0; index < text.length; index++) if (this.input[this.#at + index] !== text[index]) return false;
    this.#at += text.length;
    return true;
  }

  #choice(): Syntax {
    const items = [this.#sequence()];
    while (this.#take('|')) items.push(this.#sequence());
    return items.length === 1 ? (items[0] as Syntax) : {kind: 'choice', items};
  }

  #sequence(): Syntax {
    const items: Syntax[] = [];
    for (let next = this.#peek(); next !== undefined && next !== '|' && next !== ')'; next = this.#peek()) {
      const item = this.#atom();
      if (item) items.push(this.#repeated(item));
    }
    return items.length === 1 ? (items[0] as Syntax) : items.length === 0 ? {kind: 'empty'} : {kind: 'sequence', items};
  }

  #repeated(item: Syntax): Syntax {
    const bounds = this.#quantifier();
    if (!bounds) return item;
    this.#take('?');
    const extra = this.#at;
    if (this.#quantifier()) throw new RegexpSyntaxError(`invalid nested repetition operator: ${this.input.slice(extra - 1, this.#at).join('')}`);
    return {kind: 'repeat', item, ...bounds};
  }

  #quantifier(): {min: number; max: number | undefined} | undefined {
    if (this.#take('*')) return {min: 0, max: undefined};
    if (this.#take('+')) return {min: 1, max: undefined};
    if (this.#take('?')) return {min: 0, max: 1};
    if (this.#peek() !== '{') return undefined;
    const match = /^\{(\d{1,6})(,(\d{1,6})?)?\}/.exec(this.input.slice(this.#at, this.#at + 16).join(''));
    if (!match) return undefined;
    const min = Number(match[1]);
    const max = match[2] === undefined ? min : match[3] === undefined ? undefined : Number(match[3]);
    if (min > maximumRepeat || (max !== undefined && (max > maximumRepeat || max < min))) throw new RegexpSyntaxError(`invalid repeat count: ${match[0]}`);
    this.#at += match[0].length;
    return {min, max};
  }

  /** One item; undefined for a group that only sets flags. */
  #atom(): Syntax | undefined {
    const char = this.input[this.#at++] as string;
    switch (char) {
      case '(':
        return this.#group();
      case '[':
        return {kind: 'char', set: this.#bracket()};
      case '.':
        return {kind: 'char', set: new CharSet(this.#flags.dotAll ? allCharacters : [[0, 9], [11, 0x10ffff]])};
      case '^':
        return {kind: 'assert', assertion: this.#flags.multiline ? 'line-start' : 'text-start'};
      case '$':
        return {kind: 'assert', assertion: this.#flags.multiline ? 'line-end' : 'text-end'};
      case '*':
      case '+':
      case '?':
        throw new RegexpSyntaxError(`missing argument to repetition operator: ${char}`);
      case '\\':
        return this.#escape();
      default:
        return this.#literal(char.codePointAt(0) as number);
    }
  }

  #literal(codePoint: number): Syntax {
    return {kind: 'char', set: new CharSet([[codePoint, codePoint]], [], false, this.#flags.ignoreCase)};
  }

  #group(): Syntax | undefined {
    if (++this.#depth > maximumNesting) throw new RegexpSyntaxError(`expression nests deeper than ${maximumNesting} levels`);
    const outer = this.#flags;
    if (this.#take('?')) {
      const rest = this.input.slice(this.#at, this.#at + 200).join('');
      const head = /^(?:P?<[A-Za-z_]\w*>|([imsU]*)(?:-([imsU]+))?([:)]))/.exec(rest);
      if (!head) throw new RegexpSyntaxError(`invalid or unsupported Perl syntax: (?${rest.slice(0, 2)}`);
      this.#at += [...head[0]].length;
      const [, set = '', cleared = '', end] = head;
      if (end !== undefined) this.#flags = withFlags(outer, set, cleared);
      if (end === ')') {
        this.#depth--;
        return undefined;
      }
    }
    const item = this.#choice();
    if (!this.#take(')')) throw new RegexpSyntaxError('missing closing )');
    this.#flags = outer;
    this.#depth--;
    return item;
  }

  #escape(): Syntax {
    const letter = this.#peek();
    if (letter === 'Q') return this.#quoted();
    const escape = parseEscape(this.input, this.#at);
    this.#at = escape.end;
    if (escape.assertion) return {kind: 'assert', assertion: escape.assertion};
    if (escape.codePoint !== undefined) return this.#literal(escape.codePoint);
    return {kind: 'char', set: new CharSet([], [escape.set], false, this.#flags.ignoreCase)};
  }

  #quoted(): Syntax {
    this.#at++;
    const items: Syntax[] = [];
    while (this.#at < this.input.length && !this.#take('\\E')) items.push(this.#literal((this.input[this.#at++] as string).codePointAt(0) as number));
    return {kind: 'sequence', items};
  }

  #bracket(): CharSet {
    const negated = this.#take('^');
    const ranges: [number, number][] = [];
    const others: ((codePoint: number) => boolean)[] = [];
    for (let first = true; first || this.#peek() !== ']'; first = false) {
      if (this.#peek() === undefined) throw new RegexpSyntaxError('missing closing ]');
      const named = this.#namedClass();
      if (named) {
        others.push(named);
        continue;
      }
      const low = this.#bracketItem();
      if (typeof low === 'function') others.push(low);
      else ranges.push([low, this.#rangeEnd(low)]);
    }
    this.#at++;
    return new CharSet(ranges, others, negated, this.#flags.ignoreCase);
  }

  #namedClass(): ((codePoint: number) => boolean) | undefined {
    const match = /^\[:(\^?[a-z]+):\]/.exec(this.input.slice(this.#at, this.#at + 16).join(''));
    if (!match) return undefined;
    const named = posixClass(match[1] as string);
    if (!named) throw new RegexpSyntaxError(`invalid character class range: ${match[0]}`);
    this.#at += match[0].length;
    return named;
  }

  #rangeEnd(low: number): number {
    if (this.#peek() !== '-' || this.input[this.#at + 1] === ']' || this.input[this.#at + 1] === undefined) return low;
    this.#at++;
    const high = this.#bracketItem();
    if (typeof high === 'function' || high < low) throw new RegexpSyntaxError('invalid character class range');
    return high;
  }

  #bracketItem(): number | ((codePoint: number) => boolean) {
    const char = this.input[this.#at++] as string;
    if (char !== '\\') return char.codePointAt(0) as number;
    const escape = parseEscape(this.input, this.#at);
    if (escape.assertion) throw new RegexpSyntaxError(`invalid escape sequence in a character class: \\${this.input[this.#at]}`);
    this.#at = escape.end;
    return escape.codePoint ?? escape.set;
  }
}

function withFlags(flags: Flags, set: string, cleared: string): Flags {
  const value = (letter: string, before: boolean): boolean => (set.includes(letter) ? true : cleared.includes(letter) ? false : before);
  return {ignoreCase: value('i', flags.ignoreCase), multiline: value('m', flags.multiline), dotAll: value('s', flags.dotAll)};
}

