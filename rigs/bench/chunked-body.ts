const lineEnd = 10;
const empty = Buffer.alloc(0);

/** Takes out the sizes of a chunked body, wherever the pieces are cut in which it arrives: they may stand within an event. */
export class ChunkedBody {
  /** Bytes of a chunk that are still to come; -1 while its size is. */
  #left = -1;
  #size = '';

  /** @param data what has arrived. @returns what of the body is in it */
  take(data: Buffer): Buffer {
    const parts: Buffer[] = [];
    let from = 0;
    while (from < data.length) {
      if (this.#left > 0) {
        const part = data.subarray(from, from + this.#left);
        parts.push(part);
        from += part.length;
        this.#left -= part.length;
        if (this.#left > 0) break;
        this.#left = -1;
        continue;
      }
      const end = data.indexOf(lineEnd, from);
      this.#size += data.toString('latin1', from, end < 0 ? data.length : end);
      if (end < 0) break;
      from = end + 1;
      // The empty line is the end of the chunk before.
      if (this.#size.trim() !== '') this.#left = Number.parseInt(this.#size, 16) || -1;
      this.#size = '';
    }
    return parts.length === 1 ? parts[0]! : parts.length === 0 ? empty : Buffer.concat(parts);
  }
}
