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
