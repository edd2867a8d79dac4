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
 * The blocks of a PEM text in order. Text around them is ignored, as are blocks that are unterminated or not base64. Reads the text once,
 * whatever it contains.
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
