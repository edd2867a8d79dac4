import {readFileSync, writeFileSync} from 'node:fs';

/** Matches a part of a page that a command writes: the line with its name, what is in it, and the line that ends it. */
const section = /(<!-- figures: ([^>]+?) -->\n)[\s\S]*?(<!-- end of figures -->)/g;

/**
 * Puts figures into those parts of a page that have their names, and leaves the others as they are.
 *
 * @param texts by names. @returns the page, and the names that it has
 */
export function withFigures(page: string, texts: ReadonlyMap<string, string>): {readonly page: string; readonly found: readonly string[]} {
  const found: string[] = [];
  const changed = page.replaceAll(section, (whole: string, begin: string, name: string, end: string) => {
    const text = texts.get(name);
    if (text === undefined) return whole;
    found.push(name);
    return `${begin}\n${text}\n\n${end}`;
  });
  return {page: changed, found};
}

/** The same for files. @throws Error for a file that has no part of any of these names */
export function writeFigures(files: readonly string[], texts: ReadonlyMap<string, string>): void {
  for (const file of files) {
    const {page, found} = withFigures(readFileSync(file, 'utf8'), texts);
    if (found.length === 0) throw new Error(`${file} has no part for these figures: <!-- figures: ${[...texts.keys()].join(' or ')} -->`);
    writeFileSync(file, page);
  }
}
