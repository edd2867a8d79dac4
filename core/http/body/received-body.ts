/** Parts below this size, in bytes, are merged: each would otherwise be an object of a hundred bytes or more. */
const smallPart = 4 * 1024;
const blockBytes = 16 * 1024;

/** A body being received: it uses memory by its length, not by the number of its parts, of which a client may send one per byte. */
export class ReceivedBody {
  readonly #parts: Buffer[] = [];
  /** The last part, while it has room. */
  #block: Buffer | undefined;
  #used = 0;
  #length = 0;

  /** Bytes so far. */
  get length(): number {
    return this.#length;
  }

  /** How many buffers hold them. */
  get partCount(): number {
    return this.#parts.length + (this.#block ? 1 : 0);
  }

  add(part: Buffer): void {
    this.#length += part.length;
    if (part.length >= smallPart) {
      this.#closeBlock();
      this.#parts.push(part);
      return;
    }
    for (let from = 0; from < part.length;) {
      // Fast path: most bodies have one part.
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
