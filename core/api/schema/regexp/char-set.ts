/** A set of characters: ranges of code points, and properties of Unicode that are looked up when a character is tested. */
export class CharSet {
  readonly #ascii = new Uint8Array(128);

  /**
   * @param ranges pairs of first and last code point
   * @param others further sets whose characters belong to this one
   */
  constructor(
    private readonly ranges: readonly (readonly [number, number])[],
    private readonly others: readonly ((codePoint: number) => boolean)[] = [],
    private readonly negated = false,
    private readonly foldsCase = false,
  ) {
    for (let codePoint = 0; codePoint < 128; codePoint++) this.#ascii[codePoint] = this.#contains(codePoint) ? 1 : 0;
  }

  has(codePoint: number): boolean {
    return codePoint < 128 ? this.#ascii[codePoint] === 1 : this.#contains(codePoint);
  }

  #contains(codePoint: number): boolean {
    const found = this.#includes(codePoint) || (this.foldsCase && caseVariants(codePoint).some((variant) => this.#includes(variant)));
    return found !== this.negated;
  }

  #includes(codePoint: number): boolean {
    for (const [first, last] of this.ranges) if (codePoint >= first && codePoint <= last) return true;
    return this.others.some((other) => other(codePoint));
  }
}

function caseVariants(codePoint: number): number[] {
  const text = String.fromCodePoint(codePoint);
  const variants = [text.toLowerCase(), text.toUpperCase(), text.toUpperCase().toLowerCase()];
  return variants.filter((variant) => [...variant].length === 1).map((variant) => variant.codePointAt(0) as number);
}

const perl: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  d: [[48, 57]],
  w: [[48, 57], [65, 90], [95, 95], [97, 122]],
  s: [[9, 10], [12, 13], [32, 32]],
};

const posix: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  alnum: [[48, 57], [65, 90], [97, 122]],
  alpha: [[65, 90], [97, 122]],
  ascii: [[0, 127]],
  blank: [[9, 9], [32, 32]],
  cntrl: [[0, 31], [127, 127]],
  digit: [[48, 57]],
  graph: [[33, 126]],
  lower: [[97, 122]],
  print: [[32, 126]],
  punct: [[33, 47], [58, 64], [91, 96], [123, 126]],
  space: [[9, 13], [32, 32]],
  upper: [[65, 90]],
  word: [[48, 57], [65, 90], [95, 95], [97, 122]],
  xdigit: [[48, 57], [65, 70], [97, 102]],
};

/** The characters of `\d`, `\w`, `\s` and their complements; undefined for other letters. */
export function perlClass(letter: string): ((codePoint: number) => boolean) | undefined {
  const ranges = perl[letter.toLowerCase()];
  if (!ranges) return undefined;
  const set = new CharSet(ranges, [], letter !== letter.toLowerCase());
  return (codePoint) => set.has(codePoint);
}

/** The characters of `[:name:]` or, with a leading `^`, all others; undefined for unknown names. */
export function posixClass(name: string): ((codePoint: number) => boolean) | undefined {
  const negated = name.startsWith('^');
  const plain = negated ? name.slice(1) : name;
  if (!Object.hasOwn(posix, plain)) return undefined;
  const set = new CharSet(posix[plain] ?? [], [], negated);
  return (codePoint) => set.has(codePoint);
}

/** The characters of a Unicode category or script (`L`, `Lu`, `Greek`); undefined for unknown names. */
export function unicodeClass(name: string, negated: boolean): ((codePoint: number) => boolean) | undefined {
  if (!/^[A-Za-z_]{1,40}$/.test(name)) return undefined;
  if (name === 'Any') return () => !negated;
  for (const property of [name, `Script=${name}`]) {
    let expression: RegExp;
    try {
      expression = new RegExp(`^\\p{${property}}$`, 'u');
    } catch {
      // Not a category: the next round tries a script, and after that the name is unknown.
      continue;
    }
    return (codePoint) => expression.test(String.fromCodePoint(codePoint)) !== negated;
  }
  return undefined;
}
