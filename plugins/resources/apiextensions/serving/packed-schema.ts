import {deflateRaw, inflateRawSync} from 'node:zlib';
import {jsonText, parseJson} from '../../../../sdk/index.js';

/** Shorter texts are not worth compressing. */
const smallest = 2048;

/**
 * A rarely used JSON value, stored compactly. Schemas of custom resources consist mostly of prose and shrink to a fraction of their size.
 */
export class PackedSchema {
  /**
   * Resolves when all instances created so far are compressed. They are compressed one at a time, so that other background work is not
   * delayed.
   */
  static packing: Promise<void> = Promise.resolve();

  #packed: Buffer | string;

  /** The value is compressed in the background, because that takes a millisecond. */
  constructor(schema: object) {
    const text = jsonText(schema);
    this.#packed = text;
    if (text.length >= smallest) PackedSchema.packing = PackedSchema.packing.then(() => this.#pack(text));
  }

  /** Bytes in memory. */
  get size(): number {
    return typeof this.#packed === 'string' ? this.#packed.length : this.#packed.buffer.byteLength;
  }

  /** A new copy on each call. */
  unpack(): Record<string, unknown> {
    const text = typeof this.#packed === 'string' ? this.#packed : inflateRawSync(this.#packed).toString('utf8');
    return parseJson(text) as Record<string, unknown>;
  }

  #pack(text: string): Promise<void> {
    return new Promise((resolve) => {
      deflateRaw(text, {level: 3}, (error, packed) => {
        // If compression fails, the uncompressed text remains.
        if (!error) this.#packed = ofItsOwn(packed);
        resolve();
      });
    });
  }
}

/** A copy in memory of its own: what comes from a library is a part of a larger buffer, which it would keep. */
function ofItsOwn(bytes: Buffer): Buffer {
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}
