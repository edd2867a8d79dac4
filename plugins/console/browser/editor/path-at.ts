/** Where in an object a line of its text stands. */
export interface PathAt {
  /** Keys that lead to the object or list around it; `-` for an item of a list. */
  readonly path: readonly string[];
  /** The key of the line, if the position is behind its colon. */
  readonly key: string | undefined;
  /** What is typed of the word at the position. */
  readonly typed: string;
}

/**
 * Finds out the place of a position by indentation alone: the text is being written, and is often no YAML at the moment.
 */
export function pathAt(text: string, position: number): PathAt {
  const lines = text.slice(0, position).split('\n');
  const last = lines.pop()!;
  const own = /^(\s*(?:- )*)(?:([^\s:#"']+):\s+)?(\S*)$/.exec(last);
  const [, lead = '', key, typed = ''] = own ?? [];
  const path: string[] = [];
  let depth = lead.length;
  if (lead.includes('-')) {
    path.unshift('-');
    depth = lead.indexOf('-');
    // A list may stand as far left as its key.
    depth += 1;
  }
  for (const line of lines.reverse()) {
    const found = /^(\s*)((?:- )*)([^\s:#][^:#]*):/.exec(line);
    if (!found) continue;
    const [, space = '', dashes = '', name = ''] = found;
    const indent = space.length + dashes.length;
    if (dashes !== '' && indent === depth && path[0] !== '-') {
      path.unshift('-');
      depth = space.length + 1;
      continue;
    }
    if (indent >= depth) continue;
    path.unshift(name.trim());
    depth = indent;
    if (dashes !== '') {
      path.unshift('-');
      depth = space.length + 1;
    }
    if (depth === 0) break;
  }
  return {path, key, typed};
}
