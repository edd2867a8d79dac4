import {readFile, stat} from 'node:fs/promises';

/** Largest file that is read, in bytes. */
const maximumBytes = 1024 * 1024;
/** How often the file is looked at, in milliseconds. */
const lookMillis = 1000;

/** A file whose content counts from the moment in which it changes. */
export class WatchedFile {
  #identity = '';
  #text = '';
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;

  /** @param path absolute */
  constructor(readonly path: string) {}

  /** @throws Error in one sentence if it cannot be read, or is too large */
  async read(): Promise<string> {
    // Before the file is read, so that a change during the read is seen.
    this.#identity = await this.#identityNow();
    const {size} = await stat(this.path);
    if (size > maximumBytes) throw new Error(`it has ${size} bytes, and at most ${maximumBytes} are read`);
    return (this.#text = await readFile(this.path, 'utf8'));
  }

  /**
   * Calls back with the content when it has changed, one call at a time, until `close`.
   *
   * @param failed called with the error when the file has changed and cannot be read
   */
  follow(changed: (text: string) => void | Promise<void>, failed: (error: unknown) => void): void {
    this.#timer = setInterval(() => {
      this.#looking ??= this.#look(changed, failed).finally(() => (this.#looking = undefined));
    }, lookMillis).unref();
  }

  /** Resolves when no call is under way any more. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#looking;
  }

  async #look(changed: (text: string) => void | Promise<void>, failed: (error: unknown) => void): Promise<void> {
    if ((await this.#identityNow()) === this.#identity) return;
    const before = this.#text;
    let text: string;
    try {
      text = await this.read();
    } catch (error) {
      return failed(error);
    }
    if (this.#timer !== undefined && text !== before) await changed(text);
  }

  async #identityNow(): Promise<string> {
    try {
      const {mtimeMs, ctimeMs, size, ino} = await stat(this.path);
      return `${mtimeMs} ${ctimeMs} ${size} ${ino}`;
    } catch (error) {
      return String(error);
    }
  }
}
