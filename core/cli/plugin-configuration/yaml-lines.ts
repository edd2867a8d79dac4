/**
 * Replaces or removes the value at a path of keys in the text of a YAML file. Only the lines of that key change; comments stay. Works for keys in block style.
 *
 * @param value undefined to remove the key
 * @returns undefined if the file is not in block style
 */
export async function withValueAt(text: string, path: readonly string[], value: unknown): Promise<string | undefined> {
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  let place: Block = {start: -1, end: lines.length, indent: ''};
  for (const [index, key] of path.entries()) {
    const indent = index === 0 ? '' : indentOf(lines.slice(place.start + 1, place.end)) || `${place.indent}  `;
    const found = blockOf(lines, indent, key, place.start + 1, place.end);
    const isLast = index === path.length - 1;
    if (!found || isLast) {
      if (value === undefined && !(found && isLast)) return undefined;
      const rest = path.slice(index).reduceRight<unknown>((inner, each) => ({[each]: inner}), value);
      const added = value === undefined ? [] : await rendered(rest, indent, index);
      const {start, end} = found ?? {start: place.end, end: place.end};
      const edited = [...lines.slice(0, start), ...added, ...lines.slice(end)];
      return edited.length === 0 ? '' : `${edited.join('\n')}\n`;
    }
    if (!isOpen(lines[found.start]!)) return undefined;
    place = {...found, indent};
  }
  return undefined;
}

/** The lines of a key in YAML, indented by `indent`; nested keys use the indentation of the file. */
async function rendered(value: unknown, indent: string, depth: number): Promise<string[]> {
  const {dump} = await import('js-yaml');
  const step = depth === 0 ? 2 : Math.max(2, Math.round(indent.length / depth));
  const text = dump(value, {indent: step, lineWidth: -1, noRefs: true});
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `${indent}${line}`);
}

interface Block {
  readonly start: number;
  readonly end: number;
  readonly indent: string;
}

/** A key at an indentation and the lines below it that are further in, without blank lines and comments at their end. */
function blockOf(lines: readonly string[], indent: string, key: string, from: number, to: number): Block | undefined {
  const name = key.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = new RegExp(`^${indent}(?:${name}|"${name}"|'${name}')\\s*:(\\s|$)`);
  const start = lines.findIndex((line, index) => index >= from && index < to && pattern.test(line));
  if (start < 0) return undefined;
  let end = start + 1;
  for (let index = end; index < to; index++) {
    const line = lines[index]!;
    if (/^\s*(#|$)/.test(line)) continue;
    // Items of a list may be indented like their key.
    const isItem = /^\s*- /.test(line) && depthOf(line) === indent.length;
    if (depthOf(line) <= indent.length && !isItem) break;
    end = index + 1;
  }
  return {start, end, indent};
}

/** Whether the line has nothing after the key. */
function isOpen(line: string): boolean {
  return /:\s*(#.*)?$/.test(line);
}

function indentOf(lines: readonly string[]): string {
  const first = lines.find((line) => !/^\s*(#|$)/.test(line)) ?? '';
  return /^\s*/.exec(first)![0];
}

function depthOf(line: string): number {
  return /^\s*/.exec(line)![0].length;
}
