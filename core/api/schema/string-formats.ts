import {formatDuration, parseDuration} from './forms/duration.js';
import {normalBase64} from './forms/base64.js';
import {isTimestamp} from './forms/time.js';

const uuid = (version: string): RegExp => new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$`, 'i');
const octet = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const ipv4 = new RegExp(`^${octet}(?:\\.${octet}){3}$`);
const hostname = /^[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*\.?$/;

/** Expressions here are ours and run in linear time on the texts they are given. */
const expressions: Readonly<Record<string, RegExp>> = {
  bsonobjectid: /^[0-9a-fA-F]{24}$/,
  mac: /^(?:[0-9A-Fa-f]{2}(?:[:-][0-9A-Fa-f]{2}){5,7}|[0-9A-Fa-f]{4}(?:\.[0-9A-Fa-f]{4}){2,3})$/,
  uuid: uuid('[0-9a-f]'),
  uuid3: uuid('3'),
  uuid4: uuid('4'),
  uuid5: uuid('5'),
  creditcard: /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/,
  ssn: /^\d{3}[- ]?\d{2}[- ]?\d{4}$/,
  hexcolor: /^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/,
  rgbcolor: new RegExp(`^rgb\\(\\s*${octet}\\s*,\\s*${octet}\\s*,\\s*${octet}\\s*\\)$`),
  date: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
};

const checks: Readonly<Record<string, (text: string) => boolean>> = {
  byte: (text) => normalBase64(text) !== undefined,
  'date-time': isTimestamp,
  datetime: isTimestamp,
  date: (text) => expressions['date']?.test(text) === true && new Date(`${text}T00:00:00Z`).getUTCDate() === Number(text.slice(8)),
  duration: isDuration,
  email: isEmail,
  hostname: (text) => text.length <= 255 && hostname.test(text) && text.split('.').every((label) => label.length <= 63),
  ipv4: (text) => ipv4.test(text),
  ipv6: isIpv6,
  cidr: isCidr,
  uri: (text) => /^[A-Za-z][A-Za-z0-9+.-]*:[^\s]*$/.test(text) && URL.canParse(text),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
};

/** Whether a text is of a format. Formats that nobody knows restrict nothing; `password` is any text. */
export function isOfFormat(format: string, text: string): boolean {
  if (Object.hasOwn(checks, format)) return checks[format]?.(text) === true;
  return Object.hasOwn(expressions, format) ? expressions[format]?.test(text) === true : true;
}

function isDuration(text: string): boolean {
  const nanoseconds = parseDuration(text);
  if (nanoseconds !== undefined) return formatDuration(nanoseconds) !== '';
  return /^\d+ ?(?:ns|nano|us|µs|micro|ms|milli|s|sec|m|min|h|hr|hour|d|day|w|wk|week)s?$/.test(text);
}

function isEmail(text: string): boolean {
  if (text.length > 320) return false;
  const at = text.lastIndexOf('@');
  return at > 0 && /^[^\s@<>(),;:\\"[\]]+$/.test(text.slice(0, at)) && isOfFormat('hostname', text.slice(at + 1));
}

function isIpv6(text: string): boolean {
  if (text.length > 45 || !text.includes(':')) return false;
  const halves = text.split('::');
  if (halves.length > 2) return false;
  const groups = halves.map((half) => (half === '' ? [] : half.split(':')));
  const tail = groups.at(-1)?.at(-1);
  const embedded = tail !== undefined && ipv4.test(tail);
  const all = groups.flat();
  const words = embedded ? all.slice(0, -1) : all;
  if (!words.every((word) => /^[0-9a-fA-F]{1,4}$/.test(word))) return false;
  const size = words.length + (embedded ? 2 : 0);
  return halves.length === 2 ? size < 8 : size === 8;
}

function isCidr(text: string): boolean {
  const slash = text.lastIndexOf('/');
  const length = text.slice(slash + 1);
  if (slash < 0 || !/^(?:0|[1-9]\d{0,2})$/.test(length)) return false;
  const address = text.slice(0, slash);
  return ipv4.test(address) ? Number(length) <= 32 : isIpv6(address) && Number(length) <= 128;
}

function isIsbn10(text: string): boolean {
  const digits = text.replace(/[ -]/g, '');
  if (!/^\d{9}[\dX]$/.test(digits)) return false;
  const sum = [...digits].reduce((total, digit, index) => total + (10 - index) * (digit === 'X' ? 10 : Number(digit)), 0);
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = text.replace(/[ -]/g, '');
  if (!/^\d{13}$/.test(digits)) return false;
  return [...digits].reduce((total, digit, index) => total + (index % 2 === 0 ? 1 : 3) * Number(digit), 0) % 10 === 0;
}
