import {quotedText} from '../../json/quoted-text.js';

/** Longer texts are no addresses, and are not read. */
const longest = 1000;

/** An address of 4 or 16 bytes with its zone, or why a text is none, in the words of Go's `net/netip`. */
export type ParsedAddress = {readonly bytes: readonly number[]; readonly zone: string} | {readonly fault: string};

export function parseAddress(text: string): ParsedAddress {
  const failed = (message: string, at = '') => ({
    fault: `ParseAddr(${quotedText(text)}): ${message}${at === '' ? '' : ` (at ${quotedText(at)})`}`,
  });
  const separator = text.length > longest ? undefined : /[.:%]/.exec(text)?.[0];
  switch (separator) {
    case '.': {
      const fields = parseFields(text);
      return 'message' in fields ? failed(fields.message, fields.at) : {bytes: fields.bytes, zone: ''};
    }
    case ':': {
      const found = parseLong(text);
      return 'message' in found ? failed(found.message, found.at) : found;
    }
    default:
      return failed(separator === '%' ? 'missing IPv6 address' : 'unable to parse IP');
  }
}

type Failure = {readonly message: string; readonly at?: string};

function parseFields(text: string): {readonly bytes: number[]} | Failure {
  const bytes: number[] = [];
  let value = 0;
  let digits = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]!;
    if (/\d/.test(character)) {
      if (digits === 1 && value === 0) return {message: 'IPv4 field has octet with leading zero'};
      value = value * 10 + Number(character);
      digits += 1;
      if (value > 255) return {message: 'IPv4 field has value >255'};
    } else if (character === '.') {
      if (at === 0 || at === text.length - 1 || text[at - 1] === '.')
        return {message: 'IPv4 field must have at least one digit', at: text.slice(at)};
      if (bytes.length === 3) return {message: 'IPv4 address too long'};
      bytes.push(value);
      value = 0;
      digits = 0;
    } else return {message: 'unexpected character', at: text.slice(at)};
  }
  if (bytes.length < 3) return {message: 'IPv4 address too short'};
  return {bytes: [...bytes, value]};
}

function parseLong(text: string): {readonly bytes: number[]; readonly zone: string} | Failure {
  const percent = text.indexOf('%');
  const zone = percent < 0 ? '' : text.slice(percent + 1);
  if (percent >= 0 && zone === '') return {message: 'zone must be a non-empty string'};
  let rest = percent < 0 ? text : text.slice(0, percent);
  const bytes: number[] = [];
  let ellipsis = -1;
  if (rest.startsWith('::')) {
    ellipsis = 0;
    rest = rest.slice(2);
    if (rest === '') return {bytes: Array.from({length: 16}, () => 0), zone};
  }
  while (bytes.length < 16) {
    const [digits] = /^[0-9a-fA-F]*/.exec(rest)!;
    if (digits.length > 4) return {message: 'each group must have 4 or less digits', at: rest};
    if (digits === '') return {message: 'each colon-separated field must have at least one digit', at: rest};
    if (rest[digits.length] === '.') {
      if (ellipsis < 0 && bytes.length !== 12)
        return {message: 'embedded IPv4 address must replace the final 2 fields of the address', at: rest};
      if (bytes.length + 4 > 16) return {message: 'too many hex fields to fit an embedded IPv4 at the end of the address', at: rest};
      const fields = parseFields(rest);
      if ('message' in fields) return fields;
      bytes.push(...fields.bytes);
      rest = '';
      break;
    }
    const group = Number.parseInt(digits, 16);
    bytes.push(group >> 8, group & 0xff);
    rest = rest.slice(digits.length);
    if (rest === '') break;
    if (!rest.startsWith(':')) return {message: 'unexpected character, want colon', at: rest};
    if (rest.length === 1) return {message: 'colon must be followed by more characters', at: rest};
    rest = rest.slice(1);
    if (!rest.startsWith(':')) continue;
    if (ellipsis >= 0) return {message: 'multiple :: in address', at: rest};
    ellipsis = bytes.length;
    rest = rest.slice(1);
    if (rest === '') break;
  }
  if (rest !== '') return {message: 'trailing garbage after address', at: rest};
  if (bytes.length < 16) {
    if (ellipsis < 0) return {message: 'address string too short'};
    bytes.splice(ellipsis, 0, ...Array.from({length: 16 - bytes.length}, () => 0));
  } else if (ellipsis >= 0) return {message: 'the :: must expand to at least one field of zeros'};
  return {bytes, zone};
}

/** The canonical text of an address: the longest run of zeros of two groups or more is left out. */
export function addressText(bytes: readonly number[]): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups = Array.from({length: 8}, (_, at) => bytes[2 * at]! * 256 + bytes[2 * at + 1]!);
  let [start, length] = [-1, 1];
  for (let at = 0; at < 8; at += 1) {
    let end = at;
    while (end < 8 && groups[end] === 0) end += 1;
    if (end - at > length) [start, length] = [at, end - at];
    if (end > at) at = end;
  }
  const shown = groups.map((group) => group.toString(16));
  if (start < 0) return shown.join(':');
  return `${shown.slice(0, start).join(':')}::${shown.slice(start + length).join(':')}`;
}
