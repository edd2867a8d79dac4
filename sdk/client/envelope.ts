/** The four bytes before every binary object; a future format would start differently. */
const prefix = Buffer.from([0x6b, 0x38, 0x73, 0x00]);

/** A binary object in transit (docs/semantics/representation.md#binary-form). */
export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  /** The object itself, as a protobuf message of its type. */
  readonly raw: Buffer;
  /** Encoding of `raw`; empty if there is none. */
  readonly contentEncoding: string;
  /** Serialization of `raw`; empty for the platform's own. */
  readonly contentType: string;
}

/**
 * Opens the envelope of a binary response.
 *
 * @throws Error for bytes that do not start with the known prefix, or that end inside a field
 */
export function decodeEnvelope(bytes: Buffer): Envelope {
  const start = bytes.subarray(0, prefix.length);
  if (!start.equals(prefix)) {
    throw new Error(
      `the response is not a binary object: it starts with the bytes ${start.toString('hex') || '(none)'} instead of ${prefix.toString('hex')}`,
    );
  }
  const fields = lengthDelimitedFields(bytes.subarray(prefix.length));
  const typeMeta = lengthDelimitedFields(fields.get(1) ?? Buffer.alloc(0));
  return {
    apiVersion: typeMeta.get(1)?.toString('utf8') ?? '',
    kind: typeMeta.get(2)?.toString('utf8') ?? '',
    raw: fields.get(2) ?? Buffer.alloc(0),
    contentEncoding: fields.get(3)?.toString('utf8') ?? '',
    contentType: fields.get(4)?.toString('utf8') ?? '',
  };
}

/** Sizes of the wire types without a length; such fields are skipped. */
const fixedSizes: ReadonlyMap<number, number> = new Map([
  [1, 8],
  [5, 4],
]);

/** The fields of a message that are bytes, strings or messages, by number. The last of repeated ones counts. */
function lengthDelimitedFields(message: Buffer): Map<number, Buffer> {
  const fields = new Map<number, Buffer>();
  let offset = 0;
  const varint = () => {
    let value = 0;
    for (let shift = 0; shift < 64; shift += 7) {
      const byte = message[offset++];
      if (byte === undefined) break;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw new Error('the binary object ends inside a number');
  };
  while (offset < message.length) {
    const tag = varint();
    const wireType = tag % 8;
    if (wireType === 0) {
      varint();
      continue;
    }
    const size = wireType === 2 ? varint() : fixedSizes.get(wireType);
    if (size === undefined) throw new Error(`the binary object has a field of the unknown wire type ${wireType}`);
    if (offset + size > message.length) throw new Error('the binary object ends inside a field');
    if (wireType === 2) fields.set((tag - wireType) / 8, message.subarray(offset, offset + size));
    offset += size;
  }
  return fields;
}
