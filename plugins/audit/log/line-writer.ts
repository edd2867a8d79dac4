/** Lines that wait for the output to take them, in bytes. */
const maximumWaitingBytes = 64 * 1024 * 1024;

/** Where lines go. */
export interface LineOutput {
  open(): Promise<void>;
  /** Writes all of it, in order. Called again when that is done, not before. */
  write(lines: readonly Buffer[]): Promise<void>;
  close(): Promise<void>;
}

const lineEnd = Buffer.from('\n');

export const standardOutput: LineOutput = {
  open: async () => undefined,
  write: (lines) => new Promise((resolve, reject) => process.stdout.write(withEnds(lines), (error) => (error ? reject(error) : resolve()))),
  close: async () => undefined,
};

/** Lines as they stand in a file. */
export function withEnds(lines: readonly Buffer[]): Buffer {
  return Buffer.concat(lines.flatMap((line) => [line, lineEnd]));
}

/** Hands lines to an output in the order in which they come: all that came during one write go out with the next. */
export class LineWriter {
  readonly #output: LineOutput;
  #waiting: Buffer[] = [];
  #bytes = 0;
  #next: Promise<void> | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(output: LineOutput) {
    this.#output = output;
  }

  /** Resolves when the line has been written. @throws Error, or rejects, when it cannot be */
  write(line: Buffer): Promise<void> {
    if (this.#bytes + line.length > maximumWaitingBytes)
      throw new Error(`lines of ${maximumWaitingBytes} bytes wait to be written already`);
    this.#waiting.push(line);
    this.#bytes += line.length;
    if (!this.#next) {
      const group = this.#last.then(() => this.#writeAll());
      this.#next = group;
      this.#last = group.catch(() => undefined);
    }
    return this.#next;
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    while (this.#next) await this.#last;
  }

  async #writeAll(): Promise<void> {
    // What comes in this turn of the event loop goes out together.
    await new Promise((resolve) => setImmediate(resolve));
    const lines = this.#waiting;
    this.#waiting = [];
    this.#bytes = 0;
    this.#next = undefined;
    await this.#output.write(lines);
  }
}
