import {formatIp, parseCidr, parseIp} from '../../../sdk/net/index.js';

/** Errors in an address that must be in its canonical form. */
export function strictIpFaults(text: string): string[] {
  const faults = safeIpFaults(text);
  return faults.length > 0 ? faults : unlessCanonical(text, formatIp(parseIp(text)!));
}

/** Errors in a block of addresses that must be in its canonical form. */
export function strictCidrFaults(text: string): string[] {
  const faults = safeCidrFaults(text);
  if (faults.length > 0) return faults;
  const {family, base, prefixLength} = parseCidr(text)!;
  return unlessCanonical(text, `${formatIp({family, value: base})}/${prefixLength}`);
}

/** Errors in an address that all programs must read as the same one: no leading zeros, and not both of IPv4 and IPv6. */
export function safeIpFaults(text: string): string[] {
  if (!parseIp(text)) return ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'];
  if (hasLeadingZeros(text)) return ['must not have leading 0s'];
  return isMapped(text) ? ['must not be an IPv4-mapped IPv6 address'] : [];
}

/** Errors in a block of addresses that all programs must read as the same one: as with addresses, and it must be a block, not an address in one. */
export function safeCidrFaults(text: string): string[] {
  const block = parseCidr(text);
  if (!block) return ['must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'];
  const [ip = '', length = ''] = text.split('/');
  if (hasLeadingZeros(ip) || /^0\d/.test(length)) return ['must not have leading 0s in IP or prefix length'];
  if (isMapped(ip)) return ['must not have an IPv4-mapped IPv6 address'];
  return parseIp(ip)!.value === block.base ? [] : ['must not have bits set beyond the prefix length'];
}

function hasLeadingZeros(ip: string): boolean {
  return !ip.includes(':') && ip.split('.').some((octet) => /^0\d/.test(octet));
}

function isMapped(ip: string): boolean {
  return ip.includes(':') && parseIp(ip)?.family === 'IPv4';
}

function unlessCanonical(text: string, canonical: string): string[] {
  return text === canonical ? [] : [`must be in canonical form (${JSON.stringify(canonical)})`];
}
