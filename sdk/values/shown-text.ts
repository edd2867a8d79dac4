/** Maximum characters of one text in a line that people read. */
const longest = 2000;

/**
 * Characters that a terminal interprets, that change the direction of writing, that are invisible or look like a plain space: control and format
 * characters, separators of lines and paragraphs, other spaces, fillers.
 */
const unseen = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Z}/gu;

const shortEscapes: Readonly<Record<string, string>> = {'\n': '\\n', '\r': '\\r', '\t': '\\t'};

/**
 * A text that comes from others (a manifest, a file, a server, a registry) for one line on a terminal or in a message: what a terminal would obey is
 * shown as JSON writes it (`\u001b`, `\n`), and what is longer than `limit` characters is cut.
 */
export function shownText(text: string, limit: number = longest): string {
  const part = text.length > limit ? text.slice(0, limit) : text;
  return `${part.replaceAll(unseen, escaped)}${part.length < text.length ? '…' : ''}`;
}

/** Lines of a program's own for a terminal: as `shownText`, but line breaks and tabs stay, and nothing is cut. */
export function shownLines(text: string): string {
  return text.replaceAll(unseen, (character) => (character === '\n' || character === '\t' ? character : escaped(character)));
}

/**
 * One of several words of others in a line: as `shownText`, and in quotes unless it is of letters, digits and `. _ - / : * @ + ^ ~ < = > |`, so that
 * it cannot be taken for the words around it.
 */
export function shownWord(text: string, limit: number = longest): string {
  return /^[\w./:*@+^~<=>|-]+$/.test(text) && text.length <= limit ? text : `"${shownText(text, limit).replaceAll('"', '\\"')}"`;
}

function escaped(characters: string): string {
  if (shortEscapes[characters] !== undefined) return shortEscapes[characters];
  return Array.from({length: characters.length}, (_, index) => `\\u${characters.charCodeAt(index).toString(16).padStart(4, '0')}`).join('');
}
