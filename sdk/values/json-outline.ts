/** The result of a single scan of the bytes of a JSON text, without building any values. */
export interface JsonOutline {
  /** Whether brackets nest deeper than the given maximum. If so, the other members are meaningless. */
  readonly tooDeep: boolean;
  /** Colons outside strings: in valid JSON the number of members, including repeated ones. */
  readonly colons: number;
  /** Values of all kinds, including containers; approximate for invalid texts. */
  readonly values: number;
  /** Whether there are numbers that a double might not represent exactly: 16 digits in a row. */
  readonly hasLongNumbers: boolean;
  /** Whether there are numbers that may exceed the range of a double: those with an exponent. */
  readonly hasExponents: boolean;
}

/** Scans the bytes of a JSON text, valid or not. One pass, no recursion: safe for untrusted input. */
export function outlineJson(bytes: Uint8Array, maximumDepth: number): JsonOutline {
  let depth = 0;
  let colons = 0;
  let values = 1;
  let digits = 0;
  let hasLongNumbers = false;
  let hasExponents = false;
  for (let offset = 0; offset < bytes.length; offset++) {
    const byte = bytes[offset]!;
    if (byte >= 0x30 && byte <= 0x39) {
      if (++digits === 16) hasLongNumbers = true;
      continue;
    }
    if (digits > 0) {
      if (byte === 0x65 || byte === 0x45) hasExponents = true;
      digits = 0;
    }
    if (byte === 0x22) {
      offset = endOfString(bytes, offset + 1);
    } else if (byte === 0x3a) {
      colons++;
    } else if (byte === 0x2c) {
      values++;
    } else if (byte === 0x7b || byte === 0x5b) {
      values++;
      if (++depth > maximumDepth) return {tooDeep: true, colons, values, hasLongNumbers, hasExponents};
    } else if (byte === 0x7d || byte === 0x5d) {
      depth--;
    }
  }
  return {tooDeep: false, colons, values, hasLongNumbers, hasExponents};
}

/** Offset of the quote that ends a string; past the end if there is none. @param start behind the quote that begins it */
export function endOfString(bytes: Uint8Array, start: number): number {
  for (let offset = start; offset < bytes.length; offset++) {
    const byte = bytes[offset];
    if (byte === 0x22) return offset;
    if (byte === 0x5c) offset++;
  }
  return bytes.length;
}

/** Offset behind a value of a compact text. @param start where the value begins */
export function endOfValue(bytes: Uint8Array, start: number): number {
  let depth = 0;
  for (let offset = start; offset < bytes.length; offset++) {
    const byte = bytes[offset];
    if (byte === 0x22) {
      offset = endOfString(bytes, offset + 1);
    } else if (byte === 0x7b || byte === 0x5b) {
      depth++;
    } else if (byte === 0x7d || byte === 0x5d) {
      if (depth === 0) return offset;
      depth--;
    } else if (byte === 0x2c && depth === 0) {
      return offset;
    }
  }
  return bytes.length;
}
