import type {ApiObject, NamingProfile} from '../../../sdk/index.js';
import {ipFamily} from '../../../sdk/net/index.js';
import {isLoopbackText, ownServiceName, ownServiceNamespace} from '../../families/services/own-service.js';
import type {Address} from './identity-leases.js';

/** Port of the service. */
const servicePort = 443;
const portName = 'https';
export function serviceObject(naming: NamingProfile, clusterIp: string, targetPort: number): ApiObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {name: ownServiceName(naming), namespace: ownServiceNamespace, labels: {component: 'apiserver', provider: naming.name}},
    spec: {
      type: 'ClusterIP',
      clusterIP: clusterIp,
      clusterIPs: [clusterIp],
      ipFamilies: [ipFamily(clusterIp)],
      ipFamilyPolicy: 'SingleStack',
      ports: [{name: portName, protocol: 'TCP', port: servicePort, targetPort}],
      sessionAffinity: 'None',
    },
  } as ApiObject;
}

interface Ports {
  readonly spec?: {readonly ports?: readonly {readonly name?: string; readonly port?: number; readonly targetPort?: number | string}[]};
}

/** Whether clients find a server by the service as it is. */
export function isSoundService(service: ApiObject & Ports, alive: readonly Address[]): boolean {
  const [only, ...more] = service.spec?.ports ?? [];
  return more.length === 0 && only?.name === portName && only.port === servicePort && alive.some(({port}) => port === only.targetPort);
}

/**
 * The addresses to publish. Loopback addresses cannot be reached from other machines, so they are published only while no server has another one:
 * then all servers and their clients are on one machine.
 */
export function addressesToPublish(alive: readonly Address[]): readonly Address[] {
  const elsewhere = alive.filter(({ip}) => !isLoopbackText(ip));
  return elsewhere.length > 0 ? elsewhere : alive;
}

/** Endpoints of all servers; those of one port together. The slices made of them are kept here, so nobody else is to copy them. */
export function endpointsObject(naming: NamingProfile, alive: readonly Address[]): ApiObject {
  return {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: {
      name: ownServiceName(naming),
      namespace: ownServiceNamespace,
      labels: {[naming.key('endpointslice.orch/skip-mirror')]: 'true'},
    },
    subsets: [...groupBy(alive, ({port}) => port)].map(([port, addresses]) => ({
      addresses: addresses.map(({ip}) => ({ip})),
      ports: [{name: portName, port, protocol: 'TCP'}],
    })),
  } as ApiObject;
}

/** A slice for each port and family. The first has the name of the service. */
export function sliceObjects(naming: NamingProfile, alive: readonly Address[]): ApiObject[] {
  const name = ownServiceName(naming);
  return [...groupBy(alive, ({ip, port}) => `${ipFamily(ip)}-${port}`)].map(([key, addresses], index) => ({
    apiVersion: `${naming.group('discovery.orch')}/v1`,
    kind: 'EndpointSlice',
    metadata: {
      name: index === 0 ? name : `${name}-${key.toLowerCase()}`,
      namespace: ownServiceNamespace,
      labels: {[naming.key('orch/service-name')]: name},
    },
    addressType: ipFamily(addresses[0]!.ip),
    endpoints: addresses.map(({ip}) => ({addresses: [ip], conditions: {ready: true}})),
    ports: [{name: portName, port: addresses[0]!.port, protocol: 'TCP'}],
  })) as unknown as ApiObject[];
}

/** In an order that does not depend on who looks. */
function groupBy<K extends string | number>(alive: readonly Address[], keyOf: (address: Address) => K): Map<K, Address[]> {
  const text = ({ip, port}: Address) => `${ipFamily(ip)} ${String(port).padStart(5, '0')} ${ip}`;
  const groups = new Map<K, Address[]>();
  const unique = new Map(alive.map((address) => [text(address), address]));
  for (const [, address] of [...unique].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const known = groups.get(keyOf(address));
    if (known) known.push(address);
    else groups.set(keyOf(address), [address]);
  }
  return groups;
}
