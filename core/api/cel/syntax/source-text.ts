/** Where an issue stands: a line from 1 on, and the characters before it in the line. */
export interface Location {
  readonly line: number;
  readonly column: number;
}

/** Of an issue about the whole expression. */
export const nowhere: Location = {line: -1, column: -1};

/** Lines longer than this are not shown with their issues, in bytes. */
const longestSnippet = 16_384;

/** The text of an expression, line by line. Positions are UTF-16 units; columns count characters. */
export class SourceText {
  readonly #starts: number[] = [0];

  constructor(readonly text: string) {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  locationOf(position: number): Location {
    if (position < 0) return nowhere;
    let line = this.#starts.length;
    while (this.#starts[line - 1]! > position) line -= 1;
    return {line, column: lengthOf(this.text.slice(this.#starts[line - 1], position))};
  }

  /** The line of a place, and below it a mark under the place; empty if there is no such line or it is too long. */
  snippetOf({line, column}: Location): string {
    const start = this.#starts[line - 1];
    if (start === undefined) return '';
    const next = this.#starts[line];
    const shown = this.text.slice(start, next === undefined ? undefined : next - 1).replaceAll('\t', ' ');
    if (Buffer.byteLength(shown) > longestSnippet) return '';
    const characters = [...shown];
    const before = characters.slice(0, column).map((character) => (isWide(character) ? '．' : '.'));
    const mark = column < characters.length && isWide(characters[column]!) ? '＾' : '^';
    return `\n | ${shown}\n | ${before.join('')}${mark}`;
  }
}

function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** Whether it takes more than one byte in UTF-8. */
function isWide(character: string): boolean {
  return character.codePointAt(0)! > 0x7f;
}
