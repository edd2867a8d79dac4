import {formatIp, parseIp} from '../../../sdk/net/index.js';
import type {ServiceSpec} from '../../../sdk/types/unchecked/core/v1.js';
import {headlessIp, needs} from './service.js';

const addressPrefix = 'service-ip-';

/** The name of a cluster IP's claim. All spellings of an address give the same name. */
export function addressClaim(ip: string): string {
  const address = parseIp(ip);
  if (!address) throw new Error(`${ip} is no IP address`);
  return `${addressPrefix}${address.family === 'IPv4' ? formatIp(address) : address.value.toString(16)}`;
}

/** The name of a node port's claim. */
export function nodePortClaim(port: number): string {
  return `service-node-port-${port}`;
}

/** The address that a claim is for; undefined if it is for a port. */
export function claimedAddress(claim: string): string | undefined {
  if (!claim.startsWith(addressPrefix)) return undefined;
  const text = claim.slice(addressPrefix.length);
  return text.includes('.') ? text : formatIp({family: 'IPv6', value: BigInt(`0x${text}`)});
}

/** The cluster IPs of a service. */
export function addressesOf(spec: ServiceSpec): string[] {
  return needs.clusterIp(spec) ? (spec.clusterIPs ?? []).filter((ip) => ip !== headlessIp && parseIp(ip)) : [];
}

/** The names of all claims that a service needs. */
export function claimsOf(spec: ServiceSpec): Set<string> {
  const claims = new Set(addressesOf(spec).map(addressClaim));
  for (const port of nodePortsOf(spec)) claims.add(nodePortClaim(port));
  return claims;
}

/** The node ports of a service, including its health check's. */
export function nodePortsOf(spec: ServiceSpec): Set<number> {
  const ports = needs.externalTrafficPolicy(spec) ? (spec.ports ?? []).map(({nodePort = 0}) => nodePort) : [];
  if (needs.healthCheckNodePort(spec)) ports.push(spec.healthCheckNodePort ?? 0);
  return new Set(ports.filter((port) => port > 0));
}
