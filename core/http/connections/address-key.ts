import {isIPv6} from 'node:net';

/** Groups of an IPv6 address that identify a network: a client with one of its addresses has them all. */
const networkGroups = 4;

/** The key by which connections are counted: an IPv4 address, or the /64 network of an IPv6 address. */
export function addressKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped) return mapped[1]!;
  const [plain = ''] = address.split('%', 1);
  if (!isIPv6(plain)) return address;
  const [front = '', back = ''] = plain.split('::');
  const before = front === '' ? [] : front.split(':');
  const after = back === '' ? [] : back.split(':');
  const zeros = plain.includes('::') ? Array.from({length: 8 - before.length - after.length}, () => '0') : [];
  const network = [...before, ...zeros, ...after].slice(0, networkGroups);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
