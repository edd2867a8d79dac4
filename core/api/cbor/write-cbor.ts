import type {JsonValue} from '../../../sdk/index.js';
import type {SchemaNode} from '../schema/schema-node.js';
import {info, major, selfDescribed, tags} from './cbor-head.js';

const firstBytes = 1024;

/**
 * A value as Kubernetes sends it: one item behind the tag of CBOR, numbers in as few bytes as hold them, texts and names as bytes, and what JSON has in
 * base64 as bytes with the tag that says so. Members stay in their order.
 *
 * @param node describes a value of a built-in type: which texts are base64, and which numbers are floats whatever their value is
 */
export function encodeCbor(value: unknown, node?: SchemaNode): Buffer {
  const writer = new CborWriter();
  writer.raw(selfDescribed);
  writer.value(value as JsonValue, node);
  return writer.finish();
}

/** Writes items one behind the other. */
export class CborWriter {
  #buffer: Buffer = Buffer.allocUnsafe(firstBytes);
  #length = 0;

  /** What has been written. Nothing may be written after it. */
  finish(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** The begin of a list or object of so many items or pairs. */
  open(type: 'array' | 'map', count: number): void {
    this.#head(major[type], count);
  }

  /** A text, as bytes. */
  text(text: string): void {
    const {length} = text;
    if (length < info.oneByte && this.#shortText(text)) return;
    const bytes = Buffer.byteLength(text);
    this.#head(major.bytes, bytes);
    this.#reserve(bytes);
    this.#length += this.#buffer.write(text, this.#length, 'utf8');
  }

  value(value: JsonValue, node: SchemaNode | undefined): void {
    switch (typeof value) {
      case 'string':
        if (node?.form === 'bytes') this.#bytes(value);
        else this.text(value);
        return;
      case 'number':
        if (Number.isSafeInteger(value) && !Object.is(value, -0) && !(node?.kubernetesSemantics && node.type === 'number'))
          this.#integer(value);
        else this.#float(value);
        return;
      case 'boolean':
        this.#byte((major.simple << 5) | (value ? 21 : 20));
        return;
      case 'bigint':
        this.#bigInteger(value);
        return;
      default:
        if (value === null) this.#byte((major.simple << 5) | 22);
        else if (Array.isArray(value)) this.#list(value, node?.items);
        else this.#object(value, node);
    }
  }

  #list(items: readonly JsonValue[], node: SchemaNode | undefined): void {
    this.#head(major.array, items.length);
    for (const item of items) this.value(item ?? null, node);
  }

  #object(object: Readonly<Record<string, JsonValue | undefined>>, node: SchemaNode | undefined): void {
    // What has no type has no bytes: only built-in types say more of their members than JSON does.
    const typed = node?.kubernetesSemantics ? node : undefined;
    let count = 0;
    for (const name in object) if (object[name] !== undefined) count += 1;
    this.#head(major.map, count);
    for (const name in object) {
      const member = object[name];
      if (member === undefined) continue;
      this.text(name);
      this.value(member, typed && (typed.properties.get(name) ?? typed.additional));
    }
  }

  /** Letters of ASCII whose number fits into the first byte: most names. */
  #shortText(text: string): boolean {
    const {length} = text;
    this.#reserve(1 + length);
    const buffer = this.#buffer;
    const start = this.#length + 1;
    for (let index = 0; index < length; index++) {
      const code = text.charCodeAt(index);
      if (code > 0x7f) return false;
      buffer[start + index] = code;
    }
    buffer[this.#length] = (major.bytes << 5) | length;
    this.#length = start + length;
    return true;
  }

  #bytes(base64: string): void {
    const bytes = Buffer.from(base64, 'base64');
    this.#head(major.tag, tags.base64);
    this.#head(major.bytes, bytes.length);
    this.raw(bytes);
  }

  #integer(value: number): void {
    if (value >= 0) this.#head(major.positive, value);
    else this.#head(major.negative, -1 - value);
  }

  #bigInteger(value: bigint): void {
    const argument = value < 0n ? -1n - value : value;
    this.#reserve(9);
    this.#buffer[this.#length] = ((value < 0n ? major.negative : major.positive) << 5) | info.eightBytes;
    this.#buffer.writeBigUInt64BE(BigInt.asUintN(64, argument), this.#length + 1);
    this.#length += 9;
  }

  /** In as few bytes as hold the number exactly. */
  #float(value: number): void {
    this.#reserve(9);
    const at = this.#length;
    if (Math.fround(value) !== value) {
      this.#buffer[at] = (major.simple << 5) | info.eightBytes;
      this.#length = this.#buffer.writeDoubleBE(value, at + 1);
      return;
    }
    this.#length = this.#buffer.writeFloatBE(value, at + 1);
    const half = halfFloat(this.#buffer.readUInt32BE(at + 1));
    this.#buffer[at] = (major.simple << 5) | (half === undefined ? info.fourBytes : info.twoBytes);
    if (half !== undefined) this.#length = this.#buffer.writeUInt16BE(half, at + 1);
  }

  #head(type: number, argument: number): void {
    this.#reserve(9);
    const buffer = this.#buffer;
    const at = this.#length;
    if (argument < info.oneByte) {
      buffer[at] = (type << 5) | argument;
      this.#length = at + 1;
    } else if (argument <= 0xff) {
      buffer[at] = (type << 5) | info.oneByte;
      buffer[at + 1] = argument;
      this.#length = at + 2;
    } else if (argument <= 0xffff) {
      buffer[at] = (type << 5) | info.twoBytes;
      this.#length = buffer.writeUInt16BE(argument, at + 1);
    } else if (argument <= 0xffff_ffff) {
      buffer[at] = (type << 5) | info.fourBytes;
      this.#length = buffer.writeUInt32BE(argument, at + 1);
    } else {
      buffer[at] = (type << 5) | info.eightBytes;
      this.#length = buffer.writeBigUInt64BE(BigInt(argument), at + 1);
    }
  }

  #byte(byte: number): void {
    this.#reserve(1);
    this.#buffer[this.#length++] = byte;
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}

/** The bits of a float of two bytes that has the value of one of four; undefined if none has. */
function halfFloat(bits: number): number | undefined {
  const sign = (bits >>> 16) & 0x8000;
  const exponent = (bits >>> 23) & 0xff;
  const fraction = bits & 0x7f_ffff;
  if (exponent === 0) return fraction === 0 ? sign : undefined;
  const power = exponent - 127;
  if (power >= -14 && power <= 15) return (fraction & 0x1fff) === 0 ? sign | ((power + 15) << 10) | (fraction >> 13) : undefined;
  if (power < -24 || power > 15) return undefined;
  const whole = fraction | 0x80_0000;
  const shift = -1 - power;
  return (whole & ((1 << shift) - 1)) === 0 ? sign | (whole >> shift) : undefined;
}
