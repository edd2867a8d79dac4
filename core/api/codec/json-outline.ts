/** What a single scan of the bytes of a JSON text shows, without building anything. */
export interface JsonOutline {
  /** Whether brackets nest deeper than was asked about. The other members then mean nothing. */
  readonly tooDeep: boolean;
  /** Colons outside texts: in valid JSON the number of members, repeated ones included. */
  readonly colons: number;
  /** Whether there are numbers that a double might not hold: 16 digits in a row, or an exponent. */
  readonly needsExactNumbers: boolean;
}

/** Looks over the bytes of a JSON text, valid or not. One pass, no recursion: safe for whatever clients send. */
export function outlineJson(bytes: Uint8Array, maximumDepth: number): JsonOutline {
  let depth = 0;
  let colons = 0;
  let digits = 0;
  let needsExactNumbers = false;
  for (let offset = 0; offset < bytes.length; offset++) {
    const byte = bytes[offset]!;
    if (byte >= 0x30 && byte <= 0x39) {
      if (++digits === 16) needsExactNumbers = true;
      continue;
    }
    if (digits > 0) {
      if (byte === 0x65 || byte === 0x45) needsExactNumbers = true;
      digits = 0;
    }
    if (byte === 0x22) {
      offset = endOfString(bytes, offset + 1);
    } else if (byte === 0x3a) {
      colons++;
    } else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > maximumDepth) return {tooDeep: true, colons, needsExactNumbers};
    } else if (byte === 0x7d || byte === 0x5d) {
      depth--;
    }
  }
  return {tooDeep: false, colons, needsExactNumbers};
}

/** Offset of the quote that ends a string; past the end when there is none. */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let offset = start; offset < bytes.length; offset++) {
    const byte = bytes[offset];
    if (byte === 0x22) return offset;
    if (byte === 0x5c) offset++;
  }
  return bytes.length;
}
