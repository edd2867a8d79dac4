import {setImmediate as nextTurn} from 'node:timers/promises';
import {constants, crc32, createDeflateRaw} from 'node:zlib';

/** Bytes that were compressed by themselves: they can stand behind any others. */
export interface PackedBytes {
  readonly bytes: Buffer;
  /** Of what was compressed. */
  readonly length: number;
  readonly crc: number;
  /** What a checksum of bytes before these is shifted by. */
  readonly shift: number;
}

/** What a compressor passes on at once. */
const chunkBytes = 64 * 1024;

/** Compresses one part after the other, in another thread, each in a form that ends at a byte and refers to nothing before it. */
export class Packer {
  // One for all parts of a list: to make it takes as long as to compress 20 KB.
  readonly #deflate = createDeflateRaw({level: 1, chunkSize: chunkBytes, flush: constants.Z_FULL_FLUSH});
  #chunks: Buffer[] = [];

  constructor() {
    this.#deflate.on('data', (chunk: Buffer) => this.#chunks.push(chunk));
  }

  /** To be called again when it has answered. */
  async pack(plain: Buffer): Promise<PackedBytes> {
    this.#chunks = [];
    await new Promise<void>((resolve, reject) => {
      this.#deflate.write(plain, (error) => (error ? reject(error) : resolve()));
    });
    // What was made while others read is handed on in a turn of its own.
    while (this.#deflate.readableLength > 0) await nextTurn();
    return {bytes: Buffer.concat(this.#chunks), length: plain.length, crc: crc32(plain), shift: shiftCrc32(plain.length)};
  }

  close(): void {
    this.#deflate.close();
  }
}

/** RFC 1952: compressed with deflate, fastest, on Unix; no time and no name. */
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 3]);
/** The most bytes that a block has which is not compressed (RFC 1951, 3.2.4). */
const mostStored = 0xff_ff;

/**
 * A body in gzip made of parts that were compressed before, and of small ones that are not compressed. Each method answers the bytes to be sent next; `begin` comes first and
 * `end` last.
 */
export class GzipJoin {
  #crc = 0;
  #length = 0;

  /** Bytes so far of what is packed. */
  get length(): number {
    return this.#length;
  }

  begin(): Buffer {
    return header;
  }

  packed({bytes, length, crc, shift}: PackedBytes): Buffer {
    this.#crc = joinCrc32(this.#crc, crc, shift);
    this.#length += length;
    return bytes;
  }

  /** @param bytes few: they are sent as they are */
  plain(bytes: Buffer): Buffer {
    this.#crc = crc32(bytes, this.#crc);
    this.#length += bytes.length;
    const blocks: Buffer[] = [];
    for (let from = 0; from < bytes.length; from += mostStored) {
      const part = bytes.subarray(from, from + mostStored);
      const head = Buffer.alloc(5);
      head.writeUInt16LE(part.length, 1);
      head.writeUInt16LE(part.length ^ 0xff_ff, 3);
      blocks.push(head, part);
    }
    return Buffer.concat(blocks);
  }

  end(): Buffer {
    const end = Buffer.alloc(10);
    // A last block with nothing in it, in the fixed code of RFC 1951.
    end[0] = 3;
    end.writeUInt32LE(this.#crc, 2);
    end.writeUInt32LE(this.#length % 2 ** 32, 6);
    return end;
  }
}

// Checksums of bytes that follow each other, from those of the parts. A checksum is the rest of a division of polynomials over GF(2): bytes that come behind multiply what was
// before by a power of x.

/** The polynomial of CRC-32 without its highest power; the lowest power is the highest bit. */
const polynomial = 0xed_b8_83_20;
const one = 0x80_00_00_00;

/** The product of two polynomials, modulo that of CRC-32. */
function multiply(a: number, b: number): number {
  let product = 0;
  let shifted = b;
  for (let bit = one; bit !== 0; bit >>>= 1) {
    if (a & bit) product ^= shifted;
    shifted = shifted & 1 ? (shifted >>> 1) ^ polynomial : shifted >>> 1;
  }
  return product >>> 0;
}

/** What a checksum is multiplied by when so many bytes follow: x to the power of 8 for each. */
export function shiftCrc32(length: number): number {
  let shift = one;
  // x to the power of 8: of one byte.
  let power = one >>> 8;
  for (let left = length; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) shift = multiply(shift, power);
    power = multiply(power, power);
  }
  return shift;
}

/** The checksum of two parts together. @param shift that of the length of the second */
export function joinCrc32(first: number, second: number, shift: number): number {
  return (multiply(first, shift) ^ second) >>> 0;
}
