import {maximumDepth} from './json.js';

const space = new Set([' ', '\t', '\r', '\n']);
const escapes = new Set(['b', 'f', 'n', 'r', 't', '\\', '/', '"']);
const isDigit = (character: string) => character >= '0' && character <= '9';

/** Thrown where a text stops being JSON, with where in the grammar that is. */
class Unexpected extends Error {}

/**
 * Why bytes are not JSON, in the words of Go's decoder, by which clients recognise it. Undefined where they are.
 */
export function jsonProblem(bytes: Buffer): string | undefined {
  try {
    new Scanner(bytes.toString('latin1')).scan();
    return undefined;
  } catch (error) {
    if (!(error instanceof Unexpected)) throw error;
    return error.message;
  }
}

class Scanner {
  #at = 0;
  readonly #text: string;
  /** The closing brackets that are still to come: nesting takes no stack of the machine. */
  readonly #open: ('}' | ']')[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  scan(): void {
    this.#begin();
    for (;;) {
      const closing = this.#open.at(-1);
      this.#skip();
      if (closing === undefined) {
        if (this.#at < this.#text.length) this.#refuse('after top-level value');
        return;
      }
      const found = this.#next(closing === '}' ? 'after object key:value pair' : 'after array element', [',', closing]);
      if (found === closing) this.#open.pop();
      else if (closing === '}') {
        this.#key();
        this.#begin();
      } else this.#begin();
    }
  }

  /** A value, up to the end of its first part that is no list or object with members. */
  #begin(): void {
    for (;;) {
      this.#skip();
      const character = this.#peek();
      if (character === '{' || character === '[') {
        if (this.#open.length >= maximumDepth) this.#refuse('exceeded max depth');
        this.#at++;
        this.#skip();
        const closing = character === '{' ? '}' : ']';
        if (this.#peek() === closing) {
          this.#at++;
          return;
        }
        this.#open.push(closing);
        if (closing === '}') this.#key();
        continue;
      }
      if (character === '"') return this.#string();
      if (character === '-' || isDigit(character)) return this.#number();
      for (const literal of ['true', 'false', 'null']) if (character === literal[0]) return this.#literal(literal);
      this.#refuse('looking for beginning of value');
    }
  }

  #key(): void {
    this.#skip();
    if (this.#peek() !== '"') this.#refuse('looking for beginning of object key string');
    this.#string();
    this.#skip();
    this.#next('after object key', [':']);
  }

  #string(): void {
    this.#at++;
    for (;;) {
      const character = this.#peek();
      if (character === '"') break;
      if (character < ' ') this.#refuse('in string literal');
      this.#at++;
      if (character === '\\') this.#escape();
    }
    this.#at++;
  }

  #escape(): void {
    const character = this.#peek();
    if (character !== 'u') {
      if (!escapes.has(character)) this.#refuse('in string escape code');
      this.#at++;
      return;
    }
    this.#at++;
    for (let digit = 0; digit < 4; digit++) {
      if (!/[0-9a-fA-F]/.test(this.#peek())) this.#refuse('in \\u hexadecimal character escape');
      this.#at++;
    }
  }

  #number(): void {
    if (this.#peek() === '-') this.#at++;
    const first = this.#next('in numeric literal', undefined);
    if (!isDigit(first)) {
      this.#at--;
      this.#refuse('in numeric literal');
    }
    if (first !== '0') this.#digits();
    if (this.#text[this.#at] === '.') {
      this.#at++;
      this.#digits('after decimal point in numeric literal');
    }
    if (/[eE]/.test(this.#text[this.#at] ?? '')) {
      this.#at++;
      if (/[+-]/.test(this.#peek())) this.#at++;
      this.#digits('in exponent of numeric literal');
    }
  }

  /** @param atLeastOne where they are, if there must be one */
  #digits(atLeastOne?: string): void {
    if (atLeastOne !== undefined && !isDigit(this.#peek())) this.#refuse(atLeastOne);
    while (isDigit(this.#text[this.#at] ?? '')) this.#at++;
  }

  #literal(literal: string): void {
    for (const expected of literal) {
      if (this.#peek() !== expected) this.#refuse(`in literal ${literal} (expecting '${expected}')`);
      this.#at++;
    }
  }

  #skip(): void {
    while (space.has(this.#text[this.#at] ?? '')) this.#at++;
  }

  /** The next character. @throws Unexpected at the end, and for others than `wanted` */
  #next(place: string, wanted: readonly string[] | undefined): string {
    const character = this.#peek();
    if (wanted !== undefined && !wanted.includes(character)) this.#refuse(place);
    this.#at++;
    return character;
  }

  #peek(): string {
    const character = this.#text[this.#at];
    if (character === undefined) throw new Unexpected('unexpected end of JSON input');
    return character;
  }

  #refuse(place: string): never {
    const character = this.#text[this.#at]!;
    const shown =
      character === "'"
        ? "\\'"
        : character === '"'
          ? '"'
          : JSON.stringify(character)
              .slice(1, -1)
              .replace(/^\\u00/, '\\x');
    throw new Unexpected(`invalid character '${shown}' ${place}`);
  }
}
