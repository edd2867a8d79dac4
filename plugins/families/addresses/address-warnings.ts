import type {FieldPath} from '../../../sdk/index.js';
import {formatIp, parseCidr, parseIp} from '../../../sdk/net/index.js';

/** An address in its proper form, as most are: seen at once, as an object may have tens of thousands. */
const plainIpv4 = /^(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d{0,2})){3}$/;

/** Warnings about an IP address that is accepted, but written in another form than it should be, in Kubernetes' words. */
export function ipWarnings(text: string | undefined | null, path: FieldPath): string[] {
  const address = text && !plainIpv4.test(text) ? parseIp(text) : undefined;
  if (!text || !address) return [];
  const proper = formatIp(address);
  if (text === proper) return [];
  const shown = `${path.toString()}: `;
  // Leading zeros, and IPv4 addresses in the form of IPv6.
  if (address.family === 'IPv4')
    return [`${shown}non-standard IP address ${JSON.stringify(text)} is invalid: use ${JSON.stringify(proper)}`];
  return [`${shown}IPv6 address ${JSON.stringify(text)} should be in RFC 5952 canonical format (${JSON.stringify(proper)})`];
}

/** Warnings about a block of addresses that is accepted, but could mean something else or is written in another form than it should be, in Kubernetes' words. */
export function cidrWarnings(text: string | undefined | null, path: FieldPath): string[] {
  const block = text ? parseCidr(text) : undefined;
  if (!text || !block) return [];
  const ip = text.slice(0, text.indexOf('/'));
  const address = parseIp(ip)!;
  const proper = `${formatIp({family: block.family, value: block.base})}/${block.prefixLength}`;
  if (text === proper) return [];
  const shown = `${path.toString()}: `;
  const warnings: string[] = [];
  if (address.family !== block.family || address.value !== block.base) {
    const single = `${formatIp(address)}/${ip.includes(':') ? 128 : 32}`;
    const meanings = `(should be ${JSON.stringify(proper)} or ${JSON.stringify(single)}?)`;
    warnings.push(`${shown}CIDR value ${JSON.stringify(text)} is ambiguous in this context ${meanings}`);
  }
  const hasZeros = /(?:^|[./])0\d/.test(text.includes(':') ? text.slice(ip.length) : text);
  if (hasZeros || (ip.includes(':') && address.family === 'IPv4'))
    warnings.push(`${shown}non-standard CIDR value ${JSON.stringify(text)} is invalid: use ${JSON.stringify(proper)}`);
  if (warnings.length === 0)
    warnings.push(`${shown}IPv6 CIDR value ${JSON.stringify(text)} should be in RFC 5952 canonical format (${JSON.stringify(proper)})`);
  return warnings;
}
