import {formatIp, parseCidr, parseIp} from '../../../sdk/net/index.js';

/** Errors in an address that must be in its canonical form. */
export function strictIpFaults(text: string): string[] {
  const address = parseIp(text);
  if (!address) return ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'];
  if (hasLeadingZeros(text)) return ['must not have leading 0s'];
  if (isMapped(text)) return ['must not be an IPv4-mapped IPv6 address'];
  return unlessCanonical(text, formatIp(address));
}

/** Errors in a block of addresses that must be in its canonical form. */
export function strictCidrFaults(text: string): string[] {
  const [ip = '', length = ''] = text.split('/');
  if (isMapped(ip) && /^\d{1,3}$/.test(length) && Number(length) <= 128) return ['must not have an IPv4-mapped IPv6 address'];
  const block = parseCidr(text);
  if (!block) return ['must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'];
  if (hasLeadingZeros(ip) || /^0\d/.test(length)) return ['must not have leading 0s in IP or prefix length'];
  const {family, base, prefixLength} = block;
  if (parseIp(ip)?.value !== base) return ['must not have bits set beyond the prefix length'];
  return unlessCanonical(text, `${formatIp({family, value: base})}/${prefixLength}`);
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
