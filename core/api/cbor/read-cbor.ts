import type {Interruptible, JsonObject, JsonValue} from '../../../sdk/index.js';
import {setMember} from '../json/set-member.js';
import {textProblem} from '../schema/go-words/text-problem.js';
import {argumentAt, argumentBytes, behindTags, breakByte, cborTypeName, floatAt, info, itemEnd, major, tags, utf8At} from './cbor-head.js';
import {outlineCbor, type CborBounds} from './outline-cbor.js';

/** An item as a JSON value. */
export interface ReadCbor {
  readonly value: JsonValue;
  /** The first thing that is wrong with it, beside its form. */
  readonly fault?: string;
  /** Whether that is wrong with the object itself, and not with what is in its members. */
  readonly isOutermost?: boolean;
}

/** Steps between looks at whether others should go first. */
const stepsAtOnce = 8_000;

/** A list or object that is being read. */
interface Frame {
  /** Items or pairs that are to come; those of indefinite length end with a byte. */
  left: number;
  readonly value: JsonValue[] | JsonObject;
  readonly isMap: boolean;
  /** Position of the pair in its object. */
  index: number;
  /** The tag that says how bytes are written as text. */
  readonly encoding: number | undefined;
}

/**
 * Reads one item as Kubernetes does. Texts may be texts or bytes; bytes with a tag for a later encoding become base64 and the like. The tag of
 * CBOR itself and tags that are not known have no effect.
 *
 * @param hasTimes whether what has a tag for times becomes text: in values whose type is not known
 * @throws CborFault for what is not well-formed
 * @throws StatusError 413 for too many values
 */
export function* readCbor(bytes: Buffer, bounds: CborBounds, hasTimes: boolean): Interruptible<ReadCbor> {
  outlineCbor(bytes, bounds);
  return yield* new CborReader(bytes, hasTimes).read();
}

class CborReader {
  readonly #bytes: Buffer;
  readonly #hasTimes: boolean;
  readonly #open: Frame[] = [];
  #offset = 0;
  #fault: string | undefined;
  #outermost: string | undefined;
  /** Whether a name is read, or judged. */
  #isName = false;

  constructor(bytes: Buffer, hasTimes: boolean) {
    this.#bytes = bytes;
    this.#hasTimes = hasTimes;
  }

  *read(): Interruptible<ReadCbor> {
    const root = this.#item(undefined);
    for (let steps = 1; this.#open.length > 0; steps++) {
      if (steps % stepsAtOnce === 0) yield;
      this.#step(this.#open.at(-1)!);
    }
    const fault = this.#outermost ?? this.#fault;
    return fault === undefined ? {value: root} : {value: root, fault, isOutermost: this.#outermost !== undefined};
  }

  /** The next member of the innermost list or object, or its end. */
  #step(frame: Frame): void {
    if (frame.left === 0 || (frame.left === Infinity && this.#bytes[this.#offset] === breakByte)) {
      if (frame.left !== 0) this.#offset += 1;
      this.#open.pop();
      return;
    }
    frame.left -= 1;
    if (!frame.isMap) {
      const {value} = frame;
      const place = (value as JsonValue[]).push(null) - 1;
      (value as JsonValue[])[place] = this.#item(frame.encoding);
      return;
    }
    const index = frame.index++;
    const name = this.#name(frame.encoding);
    if (name !== undefined && Object.hasOwn(frame.value, name)) {
      this.#isName = true;
      this.#wrong(`cbor: found duplicate map key ${JSON.stringify(name)} at map element index ${index}`);
      this.#isName = false;
    }
    const item = this.#item(frame.encoding);
    if (name !== undefined) setMember(frame.value, name, item);
  }

  /** The name of a member; undefined for what cannot be one. */
  #name(encoding: number | undefined): string | undefined {
    const start = this.#offset;
    const first = this.#bytes[behindTags(this.#bytes, start)]!;
    this.#isName = true;
    const isText = first >> 5 === major.bytes || first >> 5 === major.text;
    const name = isText ? (this.#item(encoding) as string) : undefined;
    if (!isText) {
      this.#offset = itemEnd(this.#bytes, start);
      this.#wrong(`cbor: cannot unmarshal ${cborTypeName(first)} into Go value of type string`);
    }
    this.#isName = false;
    return name;
  }

  #wrong(text: string): void {
    if (this.#isName && this.#open.length === 1) this.#outermost ??= text;
    else this.#fault ??= text;
  }

  /** A value; the members of a list or object are read later. */
  #item(around: number | undefined): JsonValue {
    let encoding = around;
    let time: number | undefined;
    let first = this.#bytes[this.#offset]!;
    for (; first >> 5 === major.tag; first = this.#bytes[this.#offset]!) {
      const tag = argumentAt(this.#bytes, this.#offset);
      this.#offset += 1 + argumentBytes(first);
      const next = this.#bytes[this.#offset]!;
      if (tag >= tags.base64Url && tag <= tags.base16) encoding = tag;
      else if (tag === tags.timeText || tag === tags.epochTime) {
        if (!this.#fitsTime(tag, next)) continue;
        time = tag;
      }
    }
    const value = this.#untagged(first, encoding);
    return time !== undefined && this.#hasTimes ? this.#timeText(value) : value;
  }

  #untagged(first: number, encoding: number | undefined): JsonValue {
    const start = this.#offset;
    const argument = argumentAt(this.#bytes, start);
    this.#offset += 1 + argumentBytes(first);
    const isIndefinite = (first & 31) === info.indefinite;
    switch (first >> 5) {
      case major.positive:
      case major.negative:
        return this.#integer(start, first, argument);
      case major.bytes:
      case major.text:
        if (!isIndefinite && (encoding === undefined || first >> 5 === major.text)) return this.#plainText(argument);
        return this.#text(first, isIndefinite ? this.#chunks() : this.#take(argument), encoding);
      case major.array:
      case major.map: {
        const isMap = first >> 5 === major.map;
        const value = isMap ? {} : [];
        this.#open.push({left: isIndefinite ? Infinity : argument, value, isMap, index: 0, encoding});
        return value;
      }
      default:
        return this.#simple(start, first, argument);
    }
  }

  #integer(start: number, first: number, argument: number): JsonValue {
    const isNegative = first >> 5 === major.negative;
    if (argument <= Number.MAX_SAFE_INTEGER) return isNegative ? -1 - argument : argument;
    const exact = this.#bytes.readBigUInt64BE(start + 1);
    const value = isNegative ? -1n - exact : exact;
    if (BigInt.asIntN(64, value) === value) return value as unknown as JsonValue;
    this.#wrong(`cbor: cannot unmarshal ${cborTypeName(first)} into Go value of type int64 (${value} overflows Go's int64)`);
    return null;
  }

  #simple(start: number, first: number, argument: number): JsonValue {
    const low = first & 31;
    if (low >= info.twoBytes) return floatAt(this.#bytes, start);
    if (argument === 20 || argument === 21) return argument === 21;
    if (argument !== 22)
      this.#wrong(
        `cbor: data item of cbor type ${cborTypeName(first)} is not accepted by protocol: simple value ${argument} is not recognized`,
      );
    return null;
  }

  #take(length: number): Buffer {
    const part = this.#bytes.subarray(this.#offset, this.#offset + length);
    this.#offset += length;
    return part;
  }

  #chunks(): Buffer {
    const parts: Buffer[] = [];
    for (let first = this.#bytes[this.#offset]!; first !== breakByte; first = this.#bytes[this.#offset]!) {
      const length = argumentAt(this.#bytes, this.#offset);
      this.#offset += 1 + argumentBytes(first);
      parts.push(this.#take(length));
    }
    this.#offset += 1;
    return Buffer.concat(parts);
  }

  /** A text of so many bytes, or bytes that are one. */
  #plainText(length: number): string {
    const start = this.#offset;
    this.#offset += length;
    const text = utf8At(this.#bytes, start, this.#offset);
    if (text === undefined) this.#wrong('cbor: invalid UTF-8 string');
    return text ?? '';
  }

  #text(first: number, content: Buffer, encoding: number | undefined): string {
    if (first >> 5 === major.bytes && encoding !== undefined) {
      if (encoding === tags.base64Url) return content.toString('base64url');
      return content.toString(encoding === tags.base64 ? 'base64' : 'hex');
    }
    const text = utf8At(content, 0, content.length);
    if (text !== undefined) return text;
    this.#wrong('cbor: invalid UTF-8 string');
    return '';
  }

  /** Whether a tag for times stands before what can be one. */
  #fitsTime(tag: number, next: number): boolean {
    const type = next >> 5;
    const fits = tag === tags.timeText ? type === major.text : type <= major.negative || (next >= 0xf9 && next <= 0xfb);
    if (fits) return true;
    const expected = tag === tags.timeText ? 'text string' : 'integer or floating-point number';
    this.#wrong(`cbor: tag number ${tag} must be followed by ${expected}, got ${cborTypeName(next)}`);
    return false;
  }

  #timeText(value: JsonValue): JsonValue {
    if (typeof value === 'string') {
      if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(value) && !Number.isNaN(Date.parse(value))) return value;
      this.#wrong(`cbor: cannot set ${value} for time.Time: ${textProblem('time', value)}`);
      return null;
    }
    const time = new Date(Number(value) * 1000);
    const year = time.getUTCFullYear();
    if (year >= 0 && year <= 9999) return time.toISOString().replace(/\.?0*Z$/, 'Z');
    this.#wrong(
      'cbor: decoded time cannot be represented in RFC3339 format with sub-second precision: Time.MarshalText: year outside of range [0,9999]',
    );
    return null;
  }
}
