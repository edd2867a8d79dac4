/** Fields of a protobuf message by number: varints as bigint, everything with a length as bytes. */
export type Fields = ReadonlyMap<number, readonly (bigint | Buffer)[]>;

/** Reads a message by the wire format alone, without knowing any schema. Throws RangeError for bytes that are none. */
export function readFields(bytes: Buffer): Fields {
  const fields = new Map<number, (bigint | Buffer)[]>();
  let offset = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(offset++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (offset < bytes.length) {
    const tag = Number(varint());
    let value: bigint | Buffer;
    if ((tag & 7) === 0) {
      value = varint();
    } else if ((tag & 7) === 2) {
      const length = Number(varint());
      if (offset + length > bytes.length) throw new RangeError('a field ends behind its message');
      value = bytes.subarray(offset, offset + length);
      offset += length;
    } else {
      throw new RangeError(`wire type ${tag & 7}`);
    }
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), value]);
  }
  return fields;
}

/** A field as text; empty when it is not there. */
export function text(fields: Fields, number: number): string {
  return ((fields.get(number)?.[0] as Buffer | undefined) ?? Buffer.alloc(0)).toString('utf8');
}

/** A map field of texts. */
export function textMap(fields: Fields, number: number): Record<string, string> {
  return Object.fromEntries(
    (fields.get(number) ?? []).map((entry) => readFields(entry as Buffer)).map((entry) => [text(entry, 1), text(entry, 2)]),
  );
}

/** Opens an envelope: the four bytes, then `Unknown`. Throws when they are others. */
export function openBinary(bytes: Buffer): {kind: string; apiVersion: string; raw: Fields; contentEncoding: string; contentType: string} {
  if (bytes.subarray(0, 4).toString('hex') !== '6b387300') throw new Error(`the prefix is ${bytes.subarray(0, 4).toString('hex')}`);
  const unknown = readFields(bytes.subarray(4));
  const typeMeta = readFields(unknown.get(1)![0] as Buffer);
  return {
    apiVersion: text(typeMeta, 1),
    kind: text(typeMeta, 2),
    raw: readFields((unknown.get(2)?.[0] as Buffer | undefined) ?? Buffer.alloc(0)),
    contentEncoding: text(unknown, 3),
    contentType: text(unknown, 4),
  };
}

/** A field with a length. */
function field(number: number, value: Buffer | string): Buffer {
  const bytes = Buffer.from(value as string);
  return Buffer.concat([varintBytes((number << 3) | 2), varintBytes(bytes.length), bytes]);
}

function varintBytes(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return Buffer.from([...bytes, rest]);
}

/** Writes a message of fields with a length. */
export function message(...fields: readonly (readonly [number, Buffer | string])[]): Buffer {
  return Buffer.concat(fields.map(([number, value]) => field(number, value)));
}

/** Puts a message into an envelope. */
export function envelope(apiVersion: string, kind: string, raw: Buffer): Buffer {
  return Buffer.concat([Buffer.from('6b387300', 'hex'), message([1, message([1, apiVersion], [2, kind])], [2, raw])]);
}
