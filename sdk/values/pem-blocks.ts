/** A block of a PEM text. */
export interface PemBlock {
  readonly type: string;
  /** Whether there are header lines between the first line and the data. */
  readonly hasHeaders: boolean;
  readonly bytes: Buffer;
}

const begin = /^-----BEGIN (.+)-----[ \t\r]*$/;
const end = /^-----END (.+)-----[ \t\r]*$/;
const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * The blocks of a PEM text in their order. Text around them does not count; a block that is not closed or not base64 is none.
 * Goes through the text once, whatever is in it.
 */
export function pemBlocks(text: string): PemBlock[] {
  const blocks: PemBlock[] = [];
  let open: {readonly type: string; readonly lines: string[]} | undefined;
  for (const line of text.split('\n')) {
    const started = begin.exec(line)?.[1];
    if (started !== undefined) {
      open = {type: started, lines: []};
      continue;
    }
    if (!open) continue;
    const ended = end.exec(line)?.[1];
    if (ended === undefined) {
      open.lines.push(line.trim());
      continue;
    }
    const block = ended === open.type ? blockOf(open.type, open.lines) : undefined;
    if (block) blocks.push(block);
    open = undefined;
  }
  return blocks;
}

function blockOf(type: string, lines: readonly string[]): PemBlock | undefined {
  const data = lines.filter((line) => !line.includes(':')).join('');
  if (!base64.test(data)) return undefined;
  return {type, hasHeaders: lines.some((line) => line.includes(':')), bytes: Buffer.from(data, 'base64')};
}
