import {tooManyValues} from '../codec/json.js';
import {argumentAt, argumentBytes, breakByte, CborFault, cborTypeName, floatAt, info, major, tags} from './cbor-head.js';

/** What a body is held to. */
export interface CborBounds {
  /** Nesting of lists, objects, and tags in tags. */
  readonly depth: number;
  /** Values; names of members are none. */
  readonly values: number;
}

const cutOff = 'unexpected EOF';

/**
 * Finds whether bytes are one well-formed item within the bounds, so that what reads them need not look at lengths. It takes no more steps than
 * values are allowed.
 *
 * @throws CborFault in the words in which Kubernetes' decoder refuses them
 * @throws StatusError 413 for too many values
 */
export function outlineCbor(bytes: Buffer, bounds: CborBounds): void {
  if (bytes.length === 0) throw new CborFault('EOF');
  const end = new Outline(bytes, bounds).read();
  if (end < bytes.length) throw new CborFault(`cbor: ${bytes.length - end} bytes of extraneous data starting at index ${end}`);
}

class Outline {
  readonly #bytes: Buffer;
  readonly #bounds: CborBounds;
  #offset = 0;
  #values = 0;

  constructor(bytes: Buffer, bounds: CborBounds) {
    this.#bytes = bytes;
    this.#bounds = bounds;
  }

  /** @returns where the item ends */
  read(): number {
    this.#item(0);
    return this.#offset;
  }

  /** Reads the beginning of an item. @returns its first byte */
  #head(): number {
    const first = this.#bytes[this.#offset];
    if (first === undefined) throw new CborFault(cutOff);
    const low = first & 31;
    if (low > info.eightBytes) this.#checkIndefinite(first, low);
    if (this.#offset + argumentBytes(first) >= this.#bytes.length) throw new CborFault(cutOff);
    if (first >> 5 === major.simple) this.#checkSimple(first);
    return first;
  }

  #checkIndefinite(first: number, low: number): void {
    const type = first >> 5;
    if (first === breakByte) throw new CborFault('cbor: unexpected "break" code');
    const isPossible = type >= major.bytes && type <= major.map;
    if (low !== info.indefinite || !isPossible)
      throw new CborFault(`cbor: invalid additional information ${low} for type ${cborTypeName(first)}`);
  }

  /** Numbers that JSON does not have are refused, and values that are not true, false or null. */
  #checkSimple(first: number): void {
    const low = first & 31;
    if (low < info.twoBytes) {
      const value = argumentAt(this.#bytes, this.#offset);
      if (low === info.oneByte && value < 32) throw new CborFault(`cbor: invalid simple value ${value} for type ${cborTypeName(first)}`);
      return;
    }
    const number = floatAt(this.#bytes, this.#offset);
    if (Number.isFinite(number)) return;
    throw unacceptable(first, `floating-point ${Number.isNaN(number) ? 'NaN' : 'infinity'}`);
  }

  #item(depth: number): void {
    if (++this.#values > this.#bounds.values) throw tooManyValues(this.#bounds.values);
    const first = this.#head();
    const isIndefinite = (first & 31) === info.indefinite;
    const argument = argumentAt(this.#bytes, this.#offset);
    this.#offset += 1 + argumentBytes(first);
    switch (first >> 5) {
      case major.bytes:
      case major.text:
        if (isIndefinite) this.#chunks(first);
        else this.#skip(argument);
        return;
      case major.array:
      case major.map:
        this.#enter(depth + 1);
        this.#items(first >> 5 === major.map, isIndefinite ? undefined : argument, depth + 1);
        return;
      case major.tag:
        this.#values -= 1;
        this.#tagged(argument, depth);
    }
  }

  #enter(depth: number): void {
    if (depth > this.#bounds.depth) throw new CborFault(`cbor: exceeded max nested level ${this.#bounds.depth}`);
  }

  #skip(length: number): void {
    if (length > this.#bytes.length - this.#offset) throw new CborFault(cutOff);
    this.#offset += length;
  }

  /** @param count of items, or of pairs; undefined if a byte ends them */
  #items(isMap: boolean, count: number | undefined, depth: number): void {
    for (let index = 0; count === undefined || index < count; index++) {
      if (count === undefined && this.#endsHere()) return;
      this.#item(depth);
      if (!isMap) continue;
      this.#values -= 1;
      if (count === undefined && this.#bytes[this.#offset] === breakByte) throw new CborFault('cbor: unexpected "break" code');
      this.#item(depth);
    }
  }

  #endsHere(): boolean {
    if (this.#bytes[this.#offset] !== breakByte) return false;
    this.#offset += 1;
    return true;
  }

  /** The parts of a text of indefinite length. */
  #chunks(whole: number): void {
    const name = cborTypeName(whole);
    while (!this.#endsHere()) {
      const first = this.#bytes[this.#offset];
      if (first === undefined) throw new CborFault(cutOff);
      if (first >> 5 !== whole >> 5) throw new CborFault(`cbor: wrong element type ${cborTypeName(first)} for indefinite-length ${name}`);
      if ((first & 31) === info.indefinite) throw new CborFault(`cbor: indefinite-length ${name} chunk is not definite-length`);
      this.#item(0);
    }
  }

  #tagged(outermost: number, depth: number): void {
    let nested = depth;
    for (let tag = outermost; ;) {
      const first = this.#bytes[this.#offset];
      if (first === undefined) throw new CborFault(cutOff);
      if (tag === tags.positiveBignum || tag === tags.negativeBignum) throw unacceptable(major.tag << 5, 'bignum');
      if (first >> 5 !== major.tag) break;
      this.#head();
      tag = argumentAt(this.#bytes, this.#offset);
      this.#offset += 1 + argumentBytes(first);
      this.#enter(++nested);
    }
    this.#item(nested);
  }
}

function unacceptable(first: number, what: string): CborFault {
  return new CborFault(`cbor: data item of cbor type ${cborTypeName(first)} is not accepted by protocol: ${what}`);
}
