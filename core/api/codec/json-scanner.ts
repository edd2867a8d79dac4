import {DuplicatePaths, memberPath} from './duplicate-paths.js';

/** The result of a scan: the offset and description of the first error, and the paths of duplicate members. */
export interface JsonScan {
  readonly fault?: {readonly offset: number; readonly problem: string};
  readonly duplicates: string[];
}

interface Frame {
  readonly path: string;
  /** Names seen so far in an object; undefined in a list. */
  readonly names: Set<string> | undefined;
  name: string;
  index: number;
}

const whitespace = /[ \t\n\r]*/y;
const escapeToken = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const scalarToken = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|true|false|null/y;

/**
 * Walks a JSON text by its grammar, without recursion. It provides what `JSON.parse` does not: duplicate members and the exact position of
 * errors.
 */
export function scanJson(text: string): JsonScan {
  return new JsonScanner(text).scan();
}

class JsonScanner {
  #offset = 0;
  readonly #duplicates = new DuplicatePaths();
  readonly #stack: Frame[] = [];
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  scan(): JsonScan {
    const problem = this.#scanDocument();
    return {
      ...(problem === undefined ? {} : {fault: {offset: this.#offset, problem}}),
      duplicates: this.#duplicates.list(),
    };
  }

  #scanDocument(): string | undefined {
    this.#skip(whitespace);
    let problem = this.#scanValue();
    while (problem === undefined && this.#stack.length > 0) problem = this.#continueContainer();
    if (problem !== undefined) return problem;
    this.#skip(whitespace);
    return this.#offset === this.#text.length ? undefined : this.#unexpected();
  }

  /** A scalar, or the start of a container, whose content the main loop then walks. */
  #scanValue(): string | undefined {
    const start = this.#text[this.#offset];
    if (start === '{' || start === '[') {
      const names = start === '{' ? new Set<string>() : undefined;
      this.#stack.push({path: this.#currentPath(), names, name: '', index: -1});
      this.#offset++;
      return undefined;
    }
    if (start === '"') return this.#scanString();
    return this.#skip(scalarToken) ? undefined : this.#unexpected();
  }

  /** The next member or item of the innermost container, or its end. */
  #continueContainer(): string | undefined {
    const frame = this.#stack.at(-1)!;
    const close = frame.names === undefined ? ']' : '}';
    this.#skip(whitespace);
    if (this.#text[this.#offset] === close) {
      this.#stack.pop();
      this.#offset++;
      return undefined;
    }
    if (frame.index >= 0) {
      if (this.#text[this.#offset] !== ',') return this.#unexpected();
      this.#offset++;
      this.#skip(whitespace);
    }
    frame.index++;
    if (frame.names !== undefined) {
      const problem = this.#scanName(frame, frame.names);
      if (problem !== undefined) return problem;
    }
    return this.#scanValue();
  }

  #scanName(frame: Frame, names: Set<string>): string | undefined {
    if (this.#text[this.#offset] !== '"') return this.#unexpected();
    const start = this.#offset;
    const problem = this.#scanString();
    if (problem !== undefined) return problem;
    const raw = this.#text.slice(start + 1, this.#offset - 1);
    frame.name = raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw;
    if (names.has(frame.name)) this.#duplicates.add(memberPath(frame.path, frame.name));
    else names.add(frame.name);
    this.#skip(whitespace);
    if (this.#text[this.#offset] !== ':') return this.#unexpected();
    this.#offset++;
    this.#skip(whitespace);
    return undefined;
  }

  #currentPath(): string {
    const frame = this.#stack.at(-1);
    if (frame === undefined) return '';
    return frame.names === undefined ? `${frame.path}[${frame.index}]` : memberPath(frame.path, frame.name);
  }

  #skip(token: RegExp): boolean {
    token.lastIndex = this.#offset;
    if (!token.test(this.#text)) return false;
    this.#offset = token.lastIndex;
    return true;
  }

  #scanString(): string | undefined {
    for (this.#offset++; this.#offset < this.#text.length; this.#offset++) {
      const code = this.#text.charCodeAt(this.#offset);
      if (code === 0x22) {
        this.#offset++;
        return undefined;
      }
      if (code < 0x20) return 'Bad control character in string';
      if (code === 0x5c) {
        if (!this.#skip(escapeToken)) return 'Bad escaped character';
        this.#offset--;
      }
    }
    return 'Unterminated string';
  }

  #unexpected(): string {
    const point = this.#text.codePointAt(this.#offset);
    if (point === undefined) return 'Unexpected end of input';
    // Characters that are invisible in a terminal or log are named by their code point.
    const printable = point > 0x20 && point !== 0x7f && point !== 0xfeff && !(point >= 0x80 && point < 0xa0);
    return `Unexpected token ${printable ? String.fromCodePoint(point) : `U+${point.toString(16).toUpperCase().padStart(4, '0')}`}`;
  }
}
