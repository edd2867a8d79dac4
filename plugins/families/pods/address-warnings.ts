import type {FieldPath} from '../../../sdk/index.js';
import {formatIp, parseIp} from '../../../sdk/net/index.js';

/** Warnings about an IP address that is accepted, but written in another form than it should be, in Kubernetes' words. */
export function addressWarnings(text: string | undefined | null, path: FieldPath): string[] {
  const address = text ? parseIp(text) : undefined;
  if (!text || !address) return [];
  const proper = formatIp(address);
  if (text === proper) return [];
  const shown = `${path.toString()}: `;
  // Leading zeros, and IPv4 addresses in the form of IPv6.
  if (address.family === 'IPv4')
    return [`${shown}non-standard IP address ${JSON.stringify(text)} is invalid: use ${JSON.stringify(proper)}`];
  return [`${shown}IPv6 address ${JSON.stringify(text)} should be in RFC 5952 canonical format (${JSON.stringify(proper)})`];
}
