/** Maximum bytes of lines waiting to be written. */
const maximumWaitingBytes = 64 * 1024 * 1024;

/** The destination of lines. */
export interface LineOutput {
  open(): Promise<void>;
  /** Writes all lines in order. Never called again before it has finished. */
  write(lines: readonly Buffer[]): Promise<void>;
  close(): Promise<void>;
}

const lineEnd = Buffer.from('\n');

export const standardOutput: LineOutput = {
  open: async () => undefined,
  write: (lines) => new Promise((resolve, reject) => process.stdout.write(withEnds(lines), (error) => (error ? reject(error) : resolve()))),
  close: async () => undefined,
};

/** Lines with line ends. */
export function withEnds(lines: readonly Buffer[]): Buffer {
  return Buffer.concat(lines.flatMap((line) => [line, lineEnd]));
}

/** Passes lines to an output in order. Lines that arrive during a write go out together with the next one. */
export class LineWriter {
  readonly #output: LineOutput;
  #waiting: Buffer[] = [];
  #bytes = 0;
  #next: Promise<void> | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(output: LineOutput) {
    this.#output = output;
  }

  /** Resolves when the line has been written. @throws Error, or rejects, if that is impossible */
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

  /** Resolves when no lines are waiting or being written. */
  async idle(): Promise<void> {
    let last: Promise<void> | undefined;
    while (last !== this.#last) {
      last = this.#last;
      await last;
    }
  }

  async #writeAll(): Promise<void> {
    // Lines of the same turn of the event loop are written together.
    await new Promise((resolve) => setImmediate(resolve));
    const lines = this.#waiting;
    this.#waiting = [];
    this.#bytes = 0;
    this.#next = undefined;
    await this.#output.write(lines);
  }
}
