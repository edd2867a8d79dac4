import {deflateRawSync, inflateRawSync} from 'node:zlib';

/** Shorter texts are not worth compressing. */
const smallest = 2048;

/**
 * A JSON value that is seldom looked at, in little memory. Schemas of custom resources are mostly prose and shrink to a tenth.
 */
export class PackedSchema {
  readonly #packed: Buffer | string;

  constructor(schema: object) {
    const text = JSON.stringify(schema);
    this.#packed = text.length < smallest ? text : deflateRawSync(text, {level: 3});
  }

  /** A new copy each time. */
  unpack(): Record<string, unknown> {
    const text = typeof this.#packed === 'string' ? this.#packed : inflateRawSync(this.#packed).toString('utf8');
    return JSON.parse(text) as Record<string, unknown>;
  }
}
