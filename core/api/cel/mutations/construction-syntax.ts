import {ExpressionError} from '../../../../sdk/index.js';

/** The function that a construction becomes: `construct_(name, {fields})`. */
export const constructFunction = 'construct_';

const keywords: ReadonlySet<string> = new Set(['in', 'true', 'false', 'null']);
/** The question mark before a field, not that of a condition. */
const optionalMark = '?field';
const tokens = [
  /(?<blank>(?:\s|\/\/[^\n]*)+)/,
  // A backslash keeps a quote from ending a text, in raw texts too, as in the library.
  /(?<text>[bBrR]?(?:"""(?:\\[^]|(?!""")[^\\])*"""|'''(?:\\[^]|(?!''')[^\\])*'''|"(?:\\.|[^"\\\n\r])*"|'(?:\\.|[^'\\\n\r])*'))/,
  /(?<number>[0-9][A-Za-z0-9_.]*)/,
  /(?<quoted>`[^`\n]*`)/,
  /(?<word>[A-Za-z_][A-Za-z0-9_]*)/,
  /(?<other>[^])/,
];
const token = new RegExp(tokens.map(({source}) => source).join('|'), 'y');

/**
 * The library has no syntax for constructing objects. A construction (`Object.spec{replicas: 3, ?paused: p}`) is written as a call that it
 * can read: `construct_("Object.spec", {"replicas": 3, "?paused": p})`.
 *
 * @throws ExpressionError if the text uses that function by itself
 */
export function withConstructions(text: string): string {
  const written: string[] = [];
  /** For each open bracket, whether it holds the fields of a construction. */
  const open: boolean[] = [];
  /** Where the name begins that a brace may follow; undefined if the last token is not part of one. */
  let name: number | undefined;
  let last = '';
  token.lastIndex = 0;
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const [part] = found;
    const {blank, word, quoted} = found.groups as Readonly<Record<string, string | undefined>>;
    if (blank !== undefined) {
      // A comment would go on to the end of what is written after it.
      written.push(blank.includes('//') ? '\n' : blank);
      continue;
    }
    const isField = open.at(-1) === true && (last === '{' || last === ',' || last === optionalMark);
    const wasDot = last === '.';
    if (isField && part === '?' && last !== optionalMark) {
      last = optionalMark;
      continue;
    }
    if (isField && (word ?? quoted) !== undefined) {
      written.push(JSON.stringify((last === optionalMark ? '?' : '') + (word ?? quoted!.slice(1, -1))));
      last = part;
      name = undefined;
      continue;
    }
    if (word === constructFunction) throw new ExpressionError(`compilation failed: undeclared reference to '${word}' (in container '')`);
    if (word !== undefined) name = keywords.has(word) ? undefined : wasDot ? name : written.length;
    else if (part === '{' && name !== undefined && !wasDot) {
      const type = written.splice(name).join('').replaceAll(/\s/g, '');
      written.push(`${constructFunction}(${JSON.stringify(type)}, {`);
      open.push(true);
      last = part;
      name = undefined;
      continue;
    } else if (part !== '.') name = undefined;
    if (part === '{' || part === '(' || part === '[') open.push(false);
    if (part === '}' || part === ')' || part === ']') written.push(open.pop() && part === '}' ? '})' : part);
    else written.push(part);
    last = part;
  }
  return written.join('');
}
