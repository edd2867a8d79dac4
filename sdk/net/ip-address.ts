import {isIP} from 'node:net';
import {invalid, type FieldError} from '../errors/field-error.js';
import type {FieldPath} from '../errors/field-path.js';

export type IpFamily = 'IPv4' | 'IPv6';

/** An address as a number. An IPv4-mapped IPv6 address (`::ffff:10.0.0.1`) counts as IPv4. */
export interface IpAddress {
  readonly family: IpFamily;
  readonly value: bigint;
}

/** A block of addresses. */
export interface Cidr {
  readonly family: IpFamily;
  /** The lowest address of the block. */
  readonly base: bigint;
  /** Bits that all addresses of the block share. */
  readonly prefixLength: number;
}

const embeddedV4 = 0xffffn << 32n;

/** Parses an address. Leading zeros in IPv4 are accepted; zones are not. Undefined if it is invalid. */
export function parseIp(text: string): IpAddress | undefined {
  const number = ipv4Value(text);
  if (number !== undefined) return {family: 'IPv4', value: BigInt(number)};
  if (text.length > 45 || text.includes('%')) return undefined;
  if (isIP(text) !== 6) return undefined;
  const value = ipv6Value(text);
  return value >> 32n === 0xffffn ? {family: 'IPv4', value: value - embeddedV4} : {family: 'IPv6', value};
}

/** An IPv4 address as a number; undefined for anything else. Without a pattern: an object may have tens of thousands of addresses. */
function ipv4Value(text: string): number | undefined {
  if (text.length > 63) return undefined;
  let value = 0;
  let octet = 0;
  let digits = 0;
  let dots = 0;
  for (let index = 0; index < text.length; index++) {
    const digit = text.charCodeAt(index) - 0x30;
    if (digit >= 0 && digit <= 9) {
      octet = octet * 10 + digit;
      digits += 1;
      if (octet > 255 || digits > 15) return undefined;
    } else if (digit === -2 && digits > 0 && dots < 3) {
      value = value * 256 + octet;
      octet = digits = 0;
      dots += 1;
    } else return undefined;
  }
  return dots === 3 && digits > 0 ? value * 256 + octet : undefined;
}

function ipv6Value(text: string): bigint {
  const tail = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(text);
  const hex = (high: string, low: string) => (Number(high) * 256 + Number(low)).toString(16);
  const plain = tail ? `${text.slice(0, tail.index)}${hex(tail[1]!, tail[2]!)}:${hex(tail[3]!, tail[4]!)}` : text;
  const [front = '', back] = plain.split('::');
  const head = front === '' ? [] : front.split(':');
  const rest = back === undefined || back === '' ? [] : back.split(':');
  const zeros = back === undefined ? [] : Array.from({length: 8 - head.length - rest.length}, () => '0');
  return [...head, ...zeros, ...rest].reduce((sum, group) => (sum << 16n) + BigInt(Number.parseInt(group, 16)), 0n);
}

/** The canonical text of an address; the shortest form for IPv6. */
export function formatIp({family, value}: IpAddress): string {
  if (family === 'IPv4') return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n)).join('.');
  const groups = Array.from({length: 8}, (_, index) => Number((value >> BigInt(112 - index * 16)) & 0xffffn));
  const {start, length} = longestZeros(groups);
  if (length < 2) return groups.map((group) => group.toString(16)).join(':');
  const text = (part: number[]) => part.map((group) => group.toString(16)).join(':');
  return `${text(groups.slice(0, start))}::${text(groups.slice(start + length))}`;
}

function longestZeros(groups: readonly number[]): {start: number; length: number} {
  let best = {start: 0, length: 0};
  let start = 0;
  for (let index = 0; index <= groups.length; index += 1) {
    if (groups[index] === 0) continue;
    if (index - start > best.length) best = {start, length: index - start};
    start = index + 1;
  }
  return best;
}

/** Parses a block such as `10.96.0.0/12`. Bits beyond the prefix are dropped. A block of IPv4-mapped addresses (`::ffff:10.0.0.0/104`) counts as IPv4. Undefined if it is invalid. */
export function parseCidr(text: string): Cidr | undefined {
  const slash = text.indexOf('/');
  const digits = text.slice(slash + 1);
  if (slash < 0 || !/^\d{1,3}$/.test(digits)) return undefined;
  const ip = text.slice(0, slash);
  const address = parseIp(ip);
  const bits = ip.includes(':') ? 128 : 32;
  const prefixLength = Number(digits);
  if (!address || prefixLength > bits) return undefined;
  const hostBits = BigInt(bits - prefixLength);
  const isMapped = bits === 128 && address.family === 'IPv4';
  const value = isMapped ? address.value + embeddedV4 : address.value;
  const base = (value >> hostBits) << hostBits;
  if (!isMapped) return {family: address.family, base, prefixLength};
  return prefixLength < 96
    ? {family: 'IPv6', base, prefixLength}
    : {family: 'IPv4', base: base - embeddedV4, prefixLength: prefixLength - 96};
}

/** Number of addresses in a block. */
export function cidrSize({family, prefixLength}: Cidr): bigint {
  return 1n << BigInt((family === 'IPv4' ? 32 : 128) - prefixLength);
}

export function cidrContains(cidr: Cidr, {family, value}: IpAddress): boolean {
  return family === cidr.family && value >= cidr.base && value < cidr.base + cidrSize(cidr);
}

/** The family of an address in text form; undefined if it is invalid. */
export function ipFamily(text: string): IpFamily | undefined {
  return parseIp(text)?.family;
}

export function validateIp(text: string, path: FieldPath): FieldError[] {
  return parseIp(text) ? [] : [invalid(path, text, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')];
}

export function validateCidr(text: string, path: FieldPath): FieldError[] {
  return parseCidr(text) ? [] : [invalid(path, text, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)')];
}
