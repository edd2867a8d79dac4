/** Something that can hold a parsed object next to its bytes, and release it. */
export interface ParsedHolder {
  readonly bytes: Buffer;
  forgetParsed(): void;
}

/**
 * Limits how many parsed objects stay in memory next to their bytes: the last ones parsed or written. The next read
 * is likely to need the same ones (patch after get, selection after write).
 */
export class ParsedObjects {
  #entries: ParsedHolder[] = [];
  #first = 0;
  #bytes = 0;
  readonly #maximumCount: number;
  readonly #maximumBytes: number;

  /**
   * @param maximumCount how many parsed objects are kept
   * @param maximumBytes total length of their JSON texts; the parsed form takes a small multiple of that
   */
  constructor(maximumCount: number, maximumBytes: number) {
    this.#maximumCount = maximumCount;
    this.#maximumBytes = maximumBytes;
  }

  /** Records that an entry holds its parsed object; releases the oldest ones beyond the limits. */
  add(entry: ParsedHolder): void {
    this.#entries.push(entry);
    this.#bytes += entry.bytes.length;
    while (
      this.#entries.length - this.#first > 1 &&
      (this.#entries.length - this.#first > this.#maximumCount || this.#bytes > this.#maximumBytes)
    ) {
      const oldest = this.#entries[this.#first++]!;
      this.#bytes -= oldest.bytes.length;
      oldest.forgetParsed();
    }
    if (this.#first > this.#maximumCount) {
      this.#entries = this.#entries.slice(this.#first);
      this.#first = 0;
    }
  }
}
