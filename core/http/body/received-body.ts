/** Parts below this size are copied together, in bytes: each would be an object of a hundred bytes or more by itself. */
const smallPart = 4 * 1024;
const blockBytes = 16 * 1024;
/** So many parts may be of any size; with more they must have so many bytes on average. Each takes as long as a hundred bytes in large parts. */
const unjudgedParts = 4096;
const leastBytes = 64;

/** A body as it comes in: memory is taken as it is long, not as it has parts, of which a client may send one for each byte. */
export class ReceivedBody {
  readonly #parts: Buffer[] = [];
  /** The last part, while it has room. */
  #block: Buffer | undefined;
  #used = 0;
  #length = 0;
  #received = 0;

  /** Bytes so far. */
  get length(): number {
    return this.#length;
  }

  /** How many buffers hold them. */
  get partCount(): number {
    return this.#parts.length + (this.#block ? 1 : 0);
  }

  /** Whether the client sends it in so many small parts that this is not worth the time. */
  get isInCrumbs(): boolean {
    return this.#received > unjudgedParts && this.#length < this.#received * leastBytes;
  }

  add(part: Buffer): void {
    this.#received += 1;
    this.#length += part.length;
    if (part.length >= smallPart) {
      this.#closeBlock();
      this.#parts.push(part);
      return;
    }
    for (let from = 0; from < part.length;) {
      // The first small part decides: most bodies are one.
      this.#block ??= Buffer.allocUnsafe(this.#length === part.length ? Math.max(part.length, 1024) : blockBytes);
      const copied = part.copy(this.#block, this.#used, from);
      from += copied;
      this.#used += copied;
      if (this.#used === this.#block.length) this.#closeBlock();
    }
  }

  /** All of it. */
  bytes(): Buffer {
    this.#closeBlock();
    return this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts, this.#length);
  }

  #closeBlock(): void {
    if (this.#block) this.#parts.push(this.#block.subarray(0, this.#used));
    this.#block = undefined;
    this.#used = 0;
  }
}
