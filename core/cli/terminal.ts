/** Where commands write. Results go to `out`, everything else to `err`. */
export interface Terminal {
  readonly out: {write(text: string): unknown};
  readonly err: {write(text: string): unknown; readonly isTTY?: boolean};
  /** Relative paths on the command line are relative to it. */
  readonly cwd: string;
}

export function processTerminal(): Terminal {
  return {out: process.stdout, err: process.stderr, cwd: process.cwd()};
}
