import {sameValue} from '../../../sdk/validation/index.js';
import {needs, type ServicePort, type ServiceSpec} from './service.js';

/**
 * Brings `clusterIP` and `clusterIPs` together: whichever of the two the client changed is meant. Changes `spec`.
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
  if (!isSameIp && isSameList) {
    if (clusterIP === '') delete spec.clusterIPs;
    else spec.clusterIPs = clusterIPs.length > 0 ? [clusterIP, ...clusterIPs.slice(1)] : [clusterIP];
  } else if (isSameIp && !isSameList) {
    if (clusterIPs.length === 0) delete spec.clusterIP;
    else spec.clusterIP = clusterIPs[0]!;
  }
}

/** Fills in what was allocated before where a client leaves it out. Changes `spec`. */
export function keepAllocated(spec: ServiceSpec, old: ServiceSpec): void {
  if (needs.clusterIp(spec) && needs.clusterIp(old)) {
    if (!spec.clusterIP && old.clusterIP) spec.clusterIP = old.clusterIP;
    if (!spec.clusterIPs?.length && spec.clusterIP === old.clusterIP && old.clusterIPs) spec.clusterIPs = [...old.clusterIPs];
    if (!spec.ipFamilies?.length && old.ipFamilies) spec.ipFamilies = [...old.ipFamilies];
    if (!spec.ipFamilyPolicy && old.ipFamilyPolicy) spec.ipFamilyPolicy = old.ipFamilyPolicy;
    releaseSecondary(spec, old);
  }
  if (needs.nodePort(spec) && needs.nodePort(old)) keepNodePorts(spec.ports ?? [], old.ports ?? []);
  if (needs.healthCheckNodePort(spec) && needs.healthCheckNodePort(old) && !spec.healthCheckNodePort && old.healthCheckNodePort) {
    spec.healthCheckNodePort = old.healthCheckNodePort;
  }
}

/** A client that asks for one family only need not take the second address out itself. */
function releaseSecondary(spec: ServiceSpec, old: ServiceSpec): void {
  if (spec.ipFamilyPolicy !== 'SingleStack' || old.ipFamilyPolicy === 'SingleStack') return;
  if (spec.clusterIPs && sameValue(spec.clusterIPs, old.clusterIPs)) spec.clusterIPs = spec.clusterIPs.slice(0, 1);
  if (spec.ipFamilies && sameValue(spec.ipFamilies, old.ipFamilies)) spec.ipFamilies = spec.ipFamilies.slice(0, 1);
}

/** Ports are told apart by name: everything else of them may have changed. */
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

/** Drops what only the old type of a service needed, where the client has left it as it was. Changes `spec`. */
export function dropFieldsOfOldType(spec: ServiceSpec, old: ServiceSpec): void {
  for (const {isNeeded, members} of ownedByType) {
    if (!isNeeded(old) || isNeeded(spec) || !members.every((member) => sameValue(spec[member], old[member]))) continue;
    for (const member of members) delete spec[member];
  }
  // When allocation is turned off, a load balancer keeps the node ports that it has.
  if (!needs.externalTrafficPolicy(old) || needs.externalTrafficPolicy(spec)) return;
  // Ports may come, go and change their order along with the type, as long as none names a node port that the service did not have.
  const before = givenNodePorts(old);
  if ([...givenNodePorts(spec)].every((port) => before.has(port))) for (const port of spec.ports ?? []) delete port.nodePort;
}

function givenNodePorts({ports}: ServiceSpec): Set<number> {
  return new Set((ports ?? []).map(({nodePort = 0}) => nodePort).filter((port) => port > 0));
}
