/** Whether bytes begin with a prefix. Compared from the end, where the prefixes of versions differ: for so few bytes a loop takes less than `Buffer.compare`. */
export function beginsWith(bytes: Buffer, prefix: Buffer): boolean {
  if (bytes.length < prefix.length) return false;
  for (let index = prefix.length - 1; index >= 0; index--) if (bytes[index] !== prefix[index]) return false;
  return true;
}
