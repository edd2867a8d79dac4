/**
 * Cuts buffers out of larger pieces of memory: for many small ones that are made at once. With memory of its own each costs the collector of garbage and the allocator more than the
 * bytes that it holds: a million of 1 KB took a minute. A piece is let go with the last of its buffers, so they should live about as long.
 *
 * Pieces are memory that threads could share. That does not count for when the collector looks through all objects, which it otherwise does for each 64 MB of buffers, however many
 * objects there are: while a million are read that was half of the work. `process.memoryUsage()` has it in `arrayBuffers`, but not in `external`.
 */
export class BufferPieces {
  #piece: Buffer = Buffer.alloc(0);
  #at = 0;
  readonly #bytes: number;

  /** @param bytes of a piece; a buffer of more than a quarter of that gets memory of its own */
  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  /** Memory for a buffer of a length in bytes; what it holds at first is not known. */
  take(length: number): Buffer {
    if (length * 4 > this.#bytes) return Buffer.allocUnsafeSlow(length);
    if (this.#at + length > this.#piece.length) {
      this.#piece = Buffer.from(new SharedArrayBuffer(this.#bytes));
      this.#at = 0;
    }
    const end = this.#at + length;
    const buffer = this.#piece.subarray(this.#at, end);
    this.#at = end;
    return buffer;
  }
}
