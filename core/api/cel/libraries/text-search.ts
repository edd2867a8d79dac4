/** The engine's own search compares shorter texts at each place; for longer ones it may take time proportional to the product of the lengths. */
const shortest = 8;

/**
 * Finds a text in others in time proportional to the sum of their lengths (Knuth, Morris and Pratt), by UTF-16 units.
 */
export class TextSearch {
  readonly #part: string;
  #borders: Int32Array | undefined;

  constructor(part: string) {
    this.#part = part;
  }

  /** Where the text next occurs at `from` or later; -1 if it does not. */
  next(text: string, from = 0): number {
    const part = this.#part;
    if (part.length < shortest) return text.indexOf(part, from);
    if (part.length > text.length - from) return -1;
    const borders = (this.#borders ??= bordersOf(part));
    // What comes before the first unit that both have needs no table.
    const first = text.indexOf(part[0]!, from);
    if (first < 0) return -1;
    let matched = 0;
    for (let unit = first; unit < text.length; unit += 1) {
      const code = text.charCodeAt(unit);
      while (matched > 0 && part.charCodeAt(matched) !== code) matched = borders[matched - 1]!;
      if (part.charCodeAt(matched) === code) matched += 1;
      if (matched === part.length) return unit - part.length + 1;
    }
    return -1;
  }

  /** Where the text last occurs at `from` or before; -1 if it does not. */
  last(text: string, from: number): number {
    const part = this.#part;
    if (part.length < shortest) return text.lastIndexOf(part, from);
    const end = Math.min(text.length, from + part.length);
    if (part.length > end) return -1;
    const last = part.length - 1;
    const borders = bordersOf(part, last);
    let matched = 0;
    for (let unit = end - 1; unit >= 0; unit -= 1) {
      const code = text.charCodeAt(unit);
      while (matched > 0 && part.charCodeAt(last - matched) !== code) matched = borders[matched - 1]!;
      if (part.charCodeAt(last - matched) === code) matched += 1;
      if (matched === part.length) return unit;
    }
    return -1;
  }
}

/**
 * For each beginning of a text, the length of the longest shorter beginning that it ends with.
 *
 * @param last the position of the last unit if the text is read backwards
 */
function bordersOf(part: string, last?: number): Int32Array {
  const at = (position: number) => part.charCodeAt(last === undefined ? position : last - position);
  const borders = new Int32Array(part.length);
  let length = 0;
  for (let position = 1; position < part.length; position += 1) {
    while (length > 0 && at(length) !== at(position)) length = borders[length - 1]!;
    if (at(length) === at(position)) length += 1;
    borders[position] = length;
  }
  return borders;
}
