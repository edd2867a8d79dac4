import {isIPv4, isIPv6} from 'node:net';
import {hostname, networkInterfaces} from 'node:os';

/** The names and addresses that a certificate is valid for. */
export interface CertificateNames {
  readonly dns: readonly string[];
  readonly ip: readonly string[];
}

/**
 * What clients may call the server: the address it listens on (for a wildcard every address of the machine), the loopback
 * names, the machine's name, and the names under which the platform's own clients look for it (`orch.default.svc`).
 *
 * @param platform first word of those names: `orch` or `kubernetes`
 * @param extra further names or addresses
 */
export function serverNames(bindAddress: string, platform: string, extra: readonly string[] = []): CertificateNames {
  const dns = new Set(['localhost', platform, `${platform}.default`, `${platform}.default.svc`, `${platform}.default.svc.cluster.local`]);
  const ip = new Set(['127.0.0.1', '::1']);
  for (const name of [hostname(), ...listeningAddresses(bindAddress), ...extra]) {
    if (isAddress(name)) ip.add(name);
    else if (isDnsName(name)) dns.add(name.toLowerCase());
  }
  return {dns: [...dns], ip: [...ip]};
}

function listeningAddresses(bindAddress: string): string[] {
  const address = withoutZone(bindAddress);
  if (address !== '0.0.0.0' && address !== '::') return [address];
  return Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .filter((entry) => !entry.internal)
    .map((entry) => withoutZone(entry.address));
}

function withoutZone(address: string): string {
  return address.split('%', 1)[0]!;
}

/** Names of machines are not compared with the expression for IPv6, which takes a start two milliseconds to compile. */
function isAddress(name: string): boolean {
  return isIPv4(name) || (name.includes(':') && isIPv6(name));
}

/** A name that may stand in a certificate; a machine's own name need not be one. */
function isDnsName(name: string): boolean {
  return name.length <= 253 && name.split('.').every((label) => /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/.test(label));
}
