/** Longer strings are rejected unread. */
const longest = 10_000;
const knownCharsets: ReadonlySet<string> = new Set(['utf-8', 'iso-8859-1', 'us-ascii']);

/** Characters of atoms: everything visible except the specials of RFC 5322, and letters of all scripts. Dots are handled separately. */
const atom = /[^\u0000- \u007f()[\]<>@,;:\\"]+/y;
/** Words of display names: only `<`, `>`, `:` and quotes end a word. */
const looseAtom = /[^\u0000- \u007f<>:"]+/y;
const quoted = /"((?:[^\u0000-\u0008\u000a-\u001f\u007f"\\]|\\[^\u0000-\u0008\u000a-\u001f\u007f])*)"/y;
const blanks = /[ \t]*/y;
const encodedWord = /^=\?([^?]+)\?([^?])\?([^?]*)\?=$/;

/**
 * Whether a string is a single mailbox address as Go's `net/mail.ParseAddress` reads RFC 5322: `a@example.com`, `"Barry Gibbs"
 * <bg@example.com>`, `a@example.com (Barry)`, or the only member of a group (`list: a@example.com;`). Domains in brackets and comments
 * inside an address are rejected.
 */
export function isEmailAddress(text: string): boolean {
  if (text.length > longest) return false;
  const reader = new AddressReader(text);
  return reader.address(true) === 1 && reader.skipComments() && reader.atEnd;
}

class AddressReader {
  #position = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  get atEnd(): boolean {
    return this.#position >= this.#text.length;
  }

  /** Reads an address, or a group of addresses if allowed. Returns the number of mailboxes; undefined if the text is malformed. */
  address(groupAllowed: boolean): number | undefined {
    this.#blanks();
    if (this.atEnd) return undefined;
    if (this.#mailbox()) {
      this.#blanks();
      return !this.#take('(') || this.#comment(true) ? 1 : undefined;
    }
    if (!this.#sees('<') && !this.#phrase()) return undefined;
    this.#blanks();
    if (groupAllowed && this.#take(':')) return this.#group();
    return this.#take('<') && this.#mailbox() && this.#take('>') ? 1 : undefined;
  }

  /** Skips blanks and comments. False for an unterminated comment. */
  skipComments(): boolean {
    this.#blanks();
    while (this.#take('(')) {
      if (!this.#comment(false)) return false;
      this.#blanks();
    }
    return true;
  }

  #group(): number | undefined {
    let count = 0;
    this.#blanks();
    while (count > 0 || !this.#take(';')) {
      const found = this.address(false);
      if (found === undefined || !this.skipComments()) return undefined;
      count += found;
      if (this.#take(';')) break;
      if (!this.#take(',')) return undefined;
    }
    this.skipComments();
    return count;
  }

  /** `local@domain`. The position does not change if there is none. */
  #mailbox(): boolean {
    const start = this.#position;
    this.#blanks();
    const local = this.#sees('"') ? this.#match(quoted) : this.#dotAtom();
    if (local !== undefined && local !== '""' && this.#take('@')) {
      this.#blanks();
      if (this.#dotAtom() !== undefined) return true;
    }
    this.#position = start;
    return false;
  }

  #dotAtom(): string | undefined {
    const text = this.#match(atom);
    return text === undefined || text.startsWith('.') || text.endsWith('.') || text.includes('..') ? undefined : text;
  }

  /** Reads at least one word and stops at the first character that cannot be part of one. */
  #phrase(): boolean {
    let words = 0;
    for (;;) {
      this.#blanks();
      if (this.atEnd) return words > 0;
      const word = this.#match(this.#sees('"') ? quoted : looseAtom);
      if (word === undefined || (!word.startsWith('"') && hasUnknownCharset(word))) return words > 0;
      words++;
    }
  }

  /** The rest of a comment after its opening parenthesis. */
  #comment(isName: boolean): boolean {
    const start = this.#position;
    for (let depth = 1; !this.atEnd; this.#position++) {
      const character = this.#text[this.#position];
      if (character === '\\' && this.#position + 1 < this.#text.length) this.#position++;
      else if (character === '(') depth++;
      else if (character === ')' && --depth === 0) {
        const words = this.#text.slice(start, this.#position++);
        return !isName || !words.split(/[ \t]+/).some(hasUnknownCharset);
      }
    }
    return false;
  }

  #blanks(): void {
    this.#match(blanks);
  }

  #sees(character: string): boolean {
    return this.#text[this.#position] === character;
  }

  #take(character: string): boolean {
    if (!this.#sees(character)) return false;
    this.#position++;
    return true;
  }

  #match(expression: RegExp): string | undefined {
    expression.lastIndex = this.#position;
    const match = expression.exec(this.#text)?.[0];
    if (match !== undefined) this.#position += match.length;
    return match;
  }
}

/** Whether a word is correctly encoded as in RFC 2047, but in a charset that Go does not know, so that the name cannot be decoded. */
function hasUnknownCharset(word: string): boolean {
  const [, charset, encoding, content = ''] = encodedWord.exec(word) ?? [];
  if (charset === undefined || knownCharsets.has(charset.toLowerCase())) return false;
  if (encoding === 'b' || encoding === 'B') return content.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(content);
  return (encoding === 'q' || encoding === 'Q') && /^(?:=[0-9A-Fa-f]{2}|[!-<>-~ \t\n])*$/.test(content);
}
