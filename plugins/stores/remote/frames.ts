import {StoreError} from '../../../sdk/index.js';

/**
 * A message between a store and those who use it from other processes: a small object, and the bytes of values beside it, which are not
 * encoded. On the wire: length of all that follows, length of the JSON text (both 32 bits, little endian), the JSON text, the values one
 * after the other. `sizes` has their lengths; null is a value that there is not.
 */
export interface Frame<H extends object = object> {
  readonly head: H;
  readonly values: readonly (Buffer | null)[];
}

/** More is no message of ours. Lists come in parts, and a value is bounded by the size of a request. */
const maximumBytes = 512 * 1024 * 1024;
const prefixBytes = 8;

/** @param values in the order in which the reader takes them */
export function encodeFrame(head: object, values: readonly (Buffer | null)[] = []): Buffer {
  const sizes = values.map((value) => value?.length ?? null);
  const text = JSON.stringify(values.length === 0 ? [head] : [head, sizes]);
  const textBytes = Buffer.byteLength(text);
  const bytes = values.reduce((sum, value) => sum + (value?.length ?? 0), 4 + textBytes);
  const frame = Buffer.allocUnsafe(4 + bytes);
  frame.writeUInt32LE(bytes, 0);
  frame.writeUInt32LE(textBytes, 4);
  frame.write(text, prefixBytes);
  let at = prefixBytes + textBytes;
  for (const value of values) at += value?.copy(frame, at) ?? 0;
  return frame;
}

/** Cuts what arrives into frames. */
export class FrameReader {
  #parts: Buffer[] = [];
  #bytes = 0;
  /** How many bytes the next frame has with its prefix, or how many its prefix has. */
  #needed = prefixBytes;
  readonly #onFrame: (frame: Frame) => void;

  constructor(onFrame: (frame: Frame) => void) {
    this.#onFrame = onFrame;
  }

  /** @throws StoreError when the other side does not speak this protocol */
  push(chunk: Buffer): void {
    this.#parts.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes < this.#needed) return;
    let all = this.#parts.length === 1 ? chunk : Buffer.concat(this.#parts);
    this.#parts = [];
    for (;;) {
      this.#needed = all.length < prefixBytes ? prefixBytes : lengthOf(all);
      if (all.length < this.#needed || all.length < prefixBytes) break;
      const frame = all.subarray(0, this.#needed);
      all = all.subarray(this.#needed);
      this.#onFrame(decode(frame));
    }
    this.#bytes = all.length;
    if (all.length > 0) this.#parts.push(all);
  }
}

function lengthOf(buffer: Buffer): number {
  const bytes = buffer.readUInt32LE(0) + 4;
  if (bytes > maximumBytes || bytes < prefixBytes) throw unknownProtocol();
  return bytes;
}

function decode(frame: Buffer): Frame {
  const end = prefixBytes + frame.readUInt32LE(4);
  if (end > frame.length) throw unknownProtocol();
  let parsed: [object, (number | null)[]?];
  try {
    parsed = JSON.parse(frame.toString('utf8', prefixBytes, end)) as typeof parsed;
  } catch {
    throw unknownProtocol();
  }
  let at = end;
  const values = (parsed[1] ?? []).map((size) => (size === null ? null : frame.subarray(at, (at += size))));
  return {head: parsed[0], values};
}

/** A value of its own: a part of what arrived would keep all of that in memory. */
export function ownValue(part: Buffer): Buffer {
  const value = Buffer.allocUnsafeSlow(part.length);
  part.copy(value);
  return value;
}

function unknownProtocol(): StoreError {
  return new StoreError('Corrupt', 'what answers at the socket is not the store of an orch server of this version');
}
