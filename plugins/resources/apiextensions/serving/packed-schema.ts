import {deflateRaw, inflateRawSync} from 'node:zlib';
import {jsonText, parseJson} from '../../../../sdk/index.js';

/** Shorter texts are not worth compressing. */
const smallest = 2048;

/**
 * A JSON value that is seldom looked at, in little memory. Schemas of custom resources are mostly prose and shrink to a fraction.
 */
export class PackedSchema {
  /** Resolves when all that were made so far are packed. One at a time, so that other work in the background is not kept waiting. */
  static packing: Promise<void> = Promise.resolve();

  #packed: Buffer | string;

  /** The value is compressed in the background, for that takes a millisecond. */
  constructor(schema: object) {
    const text = jsonText(schema);
    this.#packed = text;
    if (text.length >= smallest) PackedSchema.packing = PackedSchema.packing.then(() => this.#pack(text));
  }

  /** Bytes in memory. */
  get size(): number {
    return this.#packed.length;
  }

  /** A new copy each time. */
  unpack(): Record<string, unknown> {
    const text = typeof this.#packed === 'string' ? this.#packed : inflateRawSync(this.#packed).toString('utf8');
    return parseJson(text) as Record<string, unknown>;
  }

  #pack(text: string): Promise<void> {
    return new Promise((resolve) => {
      deflateRaw(text, {level: 3}, (error, packed) => {
        // A text that could not be compressed is as good as one that was.
        if (!error) this.#packed = packed;
        resolve();
      });
    });
  }
}
