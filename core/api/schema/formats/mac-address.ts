/** Bytes of an EUI-48, an EUI-64 and an IP over InfiniBand address. */
const lengths: ReadonlySet<number> = new Set([6, 8, 20]);

/** Whether a string is a hardware address as Go's `net.ParseMAC` reads it: `00:00:5e:00:53:01`, `00-00-…` or `0000.5e00.5301`. */
export function isMacAddress(text: string): boolean {
  if (text.length > 59) return false;
  const separator = text[2] === ':' || text[2] === '-' ? text[2] : '.';
  const size = separator === '.' ? 4 : 2;
  const groups = text.split(separator);
  return lengths.has((groups.length * size) / 2) && groups.every((group) => group.length === size && /^[0-9a-fA-F]+$/.test(group));
}
