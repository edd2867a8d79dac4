/** A longer run of digits is not a number in an address. */
const tooBig = 0xff_ff_ff;
/** Numbers may have any number of leading zeros; longer strings are rejected unread. */
const longest = 1000;

/** Whether a string is an IPv4 address, or an IPv6 address that ends with one. Octets may have leading zeros, as in Go before 1.17. */
export function isIpv4(text: string): boolean {
  return text.includes('.') && isAddress(text, true);
}

/** Whether a string is an IPv6 address without a zone. An IPv4 address at its end has no leading zeros. */
export function isIpv6(text: string): boolean {
  return text.includes(':') && isAddress(text, false);
}

/** Whether a string is an IPv4 or IPv6 address, without leading zeros in octets. */
export function isIpAddress(text: string): boolean {
  return isAddress(text, false);
}

/**
 * Whether a string is an address with a prefix length (`10.0.0.0/8`). Bits beyond the prefix may be set.
 *
 * @param leadingZeros whether octets may have them, as in Go before 1.17
 */
export function isCidr(text: string, leadingZeros: boolean): boolean {
  if (text.length > longest) return false;
  const slash = text.indexOf('/');
  const length = text.slice(slash + 1);
  if (slash < 0 || !/^\d+$/.test(length)) return false;
  const address = text.slice(0, slash);
  const isShort = endOfIpv4(address, 0, leadingZeros) === address.length;
  return (isShort || isLongAddress(address, leadingZeros)) && Number(length) <= (isShort ? 32 : 128);
}

function isAddress(text: string, leadingZeros: boolean): boolean {
  if (text.length > longest) return false;
  // The first separator determines the family.
  const separator = /[.:]/.exec(text)?.[0];
  return separator === '.' ? endOfIpv4(text, 0, leadingZeros) === text.length : separator === ':' && isLongAddress(text, leadingZeros);
}

/** The end of four octets that begin at `start`; -1 if there are none. */
function endOfIpv4(text: string, start: number, leadingZeros: boolean): number {
  let position = start;
  for (let octet = 0; octet < 4; octet++) {
    if (octet > 0 && text[position++] !== '.') return -1;
    const end = endOfDigits(text, position, /\d/);
    if (end === position || numberOf(text.slice(position, end), 10) > 255) return -1;
    if (!leadingZeros && end - position > 1 && text[position] === '0') return -1;
    position = end;
  }
  return position;
}

function isLongAddress(text: string, leadingZeros: boolean): boolean {
  let bytes = 0;
  let position = 0;
  let hasEllipsis = text.startsWith('::');
  if (hasEllipsis) position = 2;
  while (bytes < 16 && !(hasEllipsis && position === text.length)) {
    const end = endOfDigits(text, position, /[0-9a-fA-F]/);
    if (end === position || numberOf(text.slice(position, end), 16) > 0xffff) return false;
    if (text[end] === '.') {
      if ((!hasEllipsis && bytes !== 12) || bytes + 4 > 16) return false;
      if (endOfIpv4(text, position, leadingZeros) !== text.length) return false;
      bytes += 4;
      position = text.length;
      break;
    }
    bytes += 2;
    position = end;
    if (position === text.length) break;
    if (text[position] !== ':' || position + 1 === text.length) return false;
    position++;
    if (text[position] === ':') {
      if (hasEllipsis) return false;
      hasEllipsis = true;
      position++;
    }
  }
  // An ellipsis represents at least one group of zeros.
  return position === text.length && bytes < 16 === hasEllipsis;
}

function endOfDigits(text: string, start: number, digit: RegExp): number {
  let end = start;
  while (end < text.length && digit.test(text[end] as string)) end++;
  return end;
}

function numberOf(digits: string, radix: number): number {
  const significant = digits.replace(/^0+/, '');
  return significant.length > 6 ? tooBig : Number.parseInt(significant || '0', radix);
}
