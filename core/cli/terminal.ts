import {shownLines} from '../../sdk/values/shown-text.js';

/** Where commands write. Results go to `out`, everything else to `err`. */
export interface Terminal {
  readonly out: {write(text: string): unknown};
  readonly err: {write(text: string): unknown; readonly isTTY?: boolean};
  /** Relative paths on the command line are relative to it. */
  readonly cwd: string;
  /** Asks the person at the terminal; absent when there is nobody to ask. @returns the answer without surrounding space; empty at the end of the input */
  ask?(question: string): Promise<string>;
}

export function processTerminal(): Terminal {
  const terminal: Terminal = {out: process.stdout, err: process.stderr, cwd: process.cwd()};
  return process.stdin.isTTY && process.stderr.isTTY ? {...terminal, ask} : terminal;
}

/** The same terminal, which obeys nothing that stands in what is written: no escape sequence of others gets to it. */
export function obeyingNothing(terminal: Terminal): Terminal {
  const {out, err, cwd, ask} = terminal;
  return {
    out: {write: (text) => out.write(shownLines(text))},
    err: {
      write: (text) => err.write(shownLines(text)),
      get isTTY() {
        return err.isTTY === true;
      },
    },
    cwd,
    ...(ask && {ask: (question: string) => ask.call(terminal, shownLines(question))}),
  };
}

async function ask(question: string): Promise<string> {
  const {createInterface} = await import('node:readline/promises');
  const lines = createInterface({input: process.stdin, output: process.stderr});
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  try {
    return (await Promise.race([lines.question(question), ended])).trim();
  } finally {
    lines.close();
  }
}
