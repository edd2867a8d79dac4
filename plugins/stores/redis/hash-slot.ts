/** The slots of a Redis Cluster. */
export const slots = 16_384;

/** The slot of a hash tag: CRC-16 (XMODEM) of its bytes, as the specification of Redis Cluster says. */
export function slotOf(tag: string): number {
  let crc = 0;
  for (const byte of Buffer.from(tag)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000) === 0 ? (crc << 1) & 0xffff : ((crc << 1) ^ 0x1021) & 0xffff;
  }
  return crc % slots;
}
