import {formatIp, parseIp} from '../../../sdk/net/index.js';
import type {ServiceSpec} from '../../../sdk/types/unchecked/core/v1.js';
import {headlessIp, needs} from './service.js';

/** The name of a cluster IP's claim. All spellings of an address give the same name. */
export function addressClaim(ip: string): string {
  const address = parseIp(ip);
  if (!address) throw new Error(`${ip} is no IP address`);
  return `service-ip-${address.family === 'IPv4' ? formatIp(address) : address.value.toString(16)}`;
}

/** The name of a node port's claim. */
export function nodePortClaim(port: number): string {
  return `service-node-port-${port}`;
}

/** The names of all claims that a service needs. */
export function claimsOf(spec: ServiceSpec): Set<string> {
  const claims = new Set<string>();
  if (needs.clusterIp(spec)) for (const ip of spec.clusterIPs ?? []) if (ip !== headlessIp && parseIp(ip)) claims.add(addressClaim(ip));
  for (const port of nodePortsOf(spec)) claims.add(nodePortClaim(port));
  return claims;
}

/** The node ports of a service, including its health check's. */
export function nodePortsOf(spec: ServiceSpec): Set<number> {
  const ports = needs.externalTrafficPolicy(spec) ? (spec.ports ?? []).map(({nodePort = 0}) => nodePort) : [];
  if (needs.healthCheckNodePort(spec)) ports.push(spec.healthCheckNodePort ?? 0);
  return new Set(ports.filter((port) => port > 0));
}
