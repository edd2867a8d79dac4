import {isGiven, sameValue} from '../../../sdk/validation/index.js';
import type {ServicePort, ServiceSpec} from '../../../sdk/types/unchecked/core/v1.js';
import {needs} from './service.js';

/**
 * Fills in `clusterIPs` for clients that know `clusterIP` only. Those that change `clusterIPs` must change both. Modifies `spec`.
 *
 * @param old the stored spec; undefined for a new service
 */
export function linkClusterIps(spec: ServiceSpec, old: ServiceSpec | undefined): void {
  const {clusterIP = '', clusterIPs = []} = spec;
  if (!old) {
    if (clusterIP !== '' && clusterIPs.length === 0) spec.clusterIPs = [clusterIP];
    return;
  }
  const isSameIp = clusterIP === (old.clusterIP ?? '');
  const isSameList = sameValue(clusterIPs, old.clusterIPs ?? []);
  if (isSameIp && clusterIPs.length === 0 && old.clusterIPs) spec.clusterIPs = [...old.clusterIPs];
  if (isSameIp || !isSameList) return;
  if (clusterIP === '') delete spec.clusterIPs;
  else spec.clusterIPs = [clusterIP];
}

/** Keeps allocated values that a client leaves out. Modifies `spec`. */
export function keepAllocated(spec: ServiceSpec, old: ServiceSpec): void {
  if (needs.clusterIp(spec) && needs.clusterIp(old)) {
    if (!spec.clusterIP && old.clusterIP) spec.clusterIP = old.clusterIP;
    if (!spec.clusterIPs?.length && old.clusterIPs) spec.clusterIPs = [...old.clusterIPs];
    if (!spec.ipFamilies?.length && old.ipFamilies) spec.ipFamilies = [...old.ipFamilies];
    if (!isGiven(spec.ipFamilyPolicy) && old.ipFamilyPolicy) spec.ipFamilyPolicy = old.ipFamilyPolicy;
    releaseSecondary(spec, old);
  }
  if (needs.nodePort(spec) && needs.nodePort(old)) keepNodePorts(spec.ports ?? [], old.ports ?? []);
  if (needs.healthCheckNodePort(spec) && needs.healthCheckNodePort(old) && !spec.healthCheckNodePort && old.healthCheckNodePort) {
    spec.healthCheckNodePort = old.healthCheckNodePort;
  }
}

/** A client that requests a single family need not remove the second address itself. */
function releaseSecondary(spec: ServiceSpec, old: ServiceSpec): void {
  if (spec.ipFamilyPolicy !== 'SingleStack' || old.ipFamilyPolicy === 'SingleStack') return;
  if (spec.clusterIPs && sameValue(spec.clusterIPs, old.clusterIPs)) spec.clusterIPs = spec.clusterIPs.slice(0, 1);
  if (spec.ipFamilies && sameValue(spec.ipFamilies, old.ipFamilies)) spec.ipFamilies = spec.ipFamilies.slice(0, 1);
}

/** Ports are matched by name, because everything else may have changed. */
function keepNodePorts(ports: readonly ServicePort[], old: readonly ServicePort[]): void {
  const before = new Map(old.map(({name = '', nodePort}) => [name, nodePort]));
  const used = new Set(ports.map(({nodePort}) => nodePort).filter(Boolean));
  for (const port of ports) {
    const known = before.get(port.name ?? '');
    if (port.nodePort || !known || used.has(known)) continue;
    port.nodePort = known;
    used.add(known);
  }
}

type Member = keyof ServiceSpec;

const ownedByType: readonly {readonly isNeeded: (spec: ServiceSpec) => boolean; readonly members: readonly Member[]}[] = [
  {isNeeded: ({type}) => type === 'ExternalName', members: ['externalName']},
  {isNeeded: needs.clusterIp, members: ['clusterIP', 'clusterIPs']},
  {isNeeded: needs.clusterIp, members: ['ipFamilies', 'ipFamilyPolicy']},
  {isNeeded: needs.clusterIp, members: ['internalTrafficPolicy']},
  {isNeeded: needs.healthCheckNodePort, members: ['healthCheckNodePort']},
  {isNeeded: ({type}) => type === 'LoadBalancer', members: ['allocateLoadBalancerNodePorts']},
  {isNeeded: ({type}) => type === 'LoadBalancer', members: ['loadBalancerClass']},
  {isNeeded: needs.externalTrafficPolicy, members: ['externalTrafficPolicy']},
];

/** Drops what only the old type of a service needed, unless the client has changed it. Modifies `spec`. */
export function dropFieldsOfOldType(spec: ServiceSpec, old: ServiceSpec): void {
  for (const {isNeeded, members} of ownedByType) {
    if (!isNeeded(old) || isNeeded(spec) || !members.every((member) => sameValue(spec[member], old[member]))) continue;
    for (const member of members) delete spec[member];
  }
  // If allocation is turned off, a load balancer keeps its node ports.
  if (!needs.externalTrafficPolicy(old) || needs.externalTrafficPolicy(spec)) return;
  // Ports may be added, removed and reordered together with the type, as long as no node port is one that the service did not have.
  const before = givenNodePorts(old);
  if ([...givenNodePorts(spec)].every((port) => before.has(port))) for (const port of spec.ports ?? []) delete port.nodePort;
}

function givenNodePorts({ports}: ServiceSpec): Set<number> {
  return new Set((ports ?? []).map(({nodePort = 0}) => nodePort).filter((port) => port > 0));
}
