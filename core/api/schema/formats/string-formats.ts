import {isCidr, isIpv4, isIpv6} from './addresses.js';
import {isDate, isDateTime, isFormatDuration} from './dates.js';
import {isEmailAddress} from './email-address.js';
import {isCreditCard, isIsbn10, isIsbn13} from './check-digits.js';
import {isRequestUri} from './request-uri.js';

/** Bytes of an EUI-48, an EUI-64 and an IP over InfiniBand address. */
const macBytes: ReadonlySet<number> = new Set([6, 8, 20]);

const uuid = (version: string, variant: string): RegExp =>
  new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?${variant}[0-9a-f]{3}-?[0-9a-f]{12}$`, 'i');
const hex = '[0-9a-f]';
const octet = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';

/** These expressions are ours and run in time linear in their input. */
const matches =
  (expression: RegExp) =>
  (text: string): boolean =>
    expression.test(text);

/** A single label, or labels that end with a name of at least two letters. Symbols and letters of all scripts count as letters. */
const hostname =
  /^(?:[a-zA-Z0-9\p{S}\p{L}](?:-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?|(?:[a-zA-Z0-9\p{S}\p{L}](?:[-a-zA-Z0-9\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?\.)+[a-zA-Z\p{L}]{2,63})$/u;

/**
 * Each format accepts what Kubernetes 1.26 accepts. It uses `k8s.io/kube-openapi/pkg/validation/strfmt` and through it
 * `github.com/asaskevich/govalidator` and Go's `net`, `net/mail`, `net/url` and `time`.
 */
const checks: ReadonlyMap<string, (text: string) => boolean> = new Map<string, (text: string) => boolean>([
  ['bsonobjectid', matches(/^[0-9a-fA-F]{24}$/)],
  ['uri', isRequestUri],
  ['email', isEmailAddress],
  ['hostname', isHostname],
  ['ipv4', isIpv4],
  ['ipv6', isIpv6],
  ['cidr', (text) => isCidr(text, true)],
  ['mac', isMacAddress],
  ['uuid', matches(uuid(hex, hex))],
  ['uuid3', matches(uuid('3', hex))],
  ['uuid4', matches(uuid('4', '[89ab]'))],
  ['uuid5', matches(uuid('5', '[89ab]'))],
  ['isbn', (text) => isIsbn10(text) || isIsbn13(text)],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  ['creditcard', isCreditCard],
  ['ssn', matches(/^\d{3}[- ]\d{2}[- ]\d{4}$/)],
  ['hexcolor', matches(/^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)],
  ['rgbcolor', matches(new RegExp(`^rgb\\([\\t\\n\\f\\r ]*${octet}(?:[\\t\\n\\f\\r ]*,[\\t\\n\\f\\r ]*${octet}){2}[\\t\\n\\f\\r ]*\\)$`))],
  ['byte', (text) => text.length > 0 && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text)],
  ['password', () => true],
  ['date', isDate],
  ['datetime', isDateTime],
  ['duration', isFormatDuration],
]);

const shortName = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?';

/** Formats that came later, with the names of objects. */
const nameChecks: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['k8sshortname', (text: string) => text.length <= 63 && new RegExp(`^${shortName}$`).test(text)],
  ['k8slongname', (text: string) => text.length <= 253 && new RegExp(`^${shortName}(?:\\.${shortName})*$`).test(text)],
]);

/**
 * The check of a format; undefined for an unknown format, which restricts nothing. Dashes in format names are ignored.
 *
 * @param hasNames whether the formats of names are known
 */
export function formatCheck(format: string, hasNames: boolean): ((text: string) => boolean) | undefined {
  const plain = format.replaceAll('-', '');
  return checks.get(plain) ?? (hasNames ? nameChecks.get(plain) : undefined);
}

function isHostname(text: string): boolean {
  if (text.length > 255 || Buffer.byteLength(text) > 255 || !hostname.test(text)) return false;
  return text.split('.').every((label) => Buffer.byteLength(label) <= 63);
}

/** Whether a string is a hardware address as Go's `net.ParseMAC` reads it: `00:00:5e:00:53:01`, `00-00-…` or `0000.5e00.5301`. */
function isMacAddress(text: string): boolean {
  if (text.length > 59) return false;
  const separator = text[2] === ':' || text[2] === '-' ? text[2] : '.';
  const size = separator === '.' ? 4 : 2;
  const groups = text.split(separator);
  return macBytes.has((groups.length * size) / 2) && groups.every((group) => group.length === size && /^[0-9a-fA-F]+$/.test(group));
}
