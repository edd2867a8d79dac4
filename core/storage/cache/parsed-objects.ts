/** What can hold a parsed object beside its bytes and let go of it. */
export interface ParsedHolder {
  readonly bytes: Buffer;
  forgetParsed(): void;
}

/**
 * Bounds how many parsed objects stay in memory beside their bytes: those parsed or written last. What one read parsed
 * is likely to be asked for by the next (patch after get, selection after write).
 */
export class ParsedObjects {
  #entries: ParsedHolder[] = [];
  #first = 0;
  #bytes = 0;

  /**
   * @param maximumCount how many parsed objects are kept
   * @param maximumBytes how long their JSON texts may be together; the parsed form takes a small multiple of that
   */
  constructor(
    private readonly maximumCount: number,
    private readonly maximumBytes: number,
  ) {}

  /** Notes that an entry holds its parsed object; lets go of the oldest ones that exceed the bounds. */
  add(entry: ParsedHolder): void {
    this.#entries.push(entry);
    this.#bytes += entry.bytes.length;
    while (
      this.#entries.length - this.#first > 1 &&
      (this.#entries.length - this.#first > this.maximumCount || this.#bytes > this.maximumBytes)
    ) {
      const oldest = this.#entries[this.#first++]!;
      this.#bytes -= oldest.bytes.length;
      oldest.forgetParsed();
    }
    if (this.#first > this.maximumCount) {
      this.#entries = this.#entries.slice(this.#first);
      this.#first = 0;
    }
  }
}
