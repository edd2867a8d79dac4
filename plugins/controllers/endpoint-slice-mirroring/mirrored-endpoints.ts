import {formatIp, ipFamily, parseIp} from '../../../sdk/net/index.js';
import type {EndpointAddress, EndpointPort as SubsetPort, Endpoints} from '../../../sdk/types/unchecked/core/v1.js';
import type {Endpoint, EndpointPort} from '../../../sdk/types/unchecked/discovery/v1.js';
import {canonicalSubsets} from '../../families/endpoints/canonical-endpoints.js';
import {endpointKey, portsKey} from '../../families/endpoints/slice-content.js';

/** Endpoints of one family with the same ports: what one slice has. */
export interface MirroredGroup {
  readonly addressType: string;
  readonly ports: readonly EndpointPort[];
  /** By `endpointKey`. */
  readonly endpoints: Map<string, Endpoint>;
}

export interface Mirrored {
  /** By `groupKey`. */
  readonly groups: ReadonlyMap<string, MirroredGroup>;
  /** Addresses that are none. */
  readonly invalid: number;
  /** Addresses that are left out because of their number. */
  readonly skipped: number;
}

/** Equal for slices of a service that one slice could stand for. */
export function groupKey(addressType: string, ports: readonly EndpointPort[] | undefined | null): string {
  return `${addressType} ${portsKey(ports)}`;
}

/** What slices say in place of Endpoints. @param most addresses of a subset that are taken */
export function mirroredEndpoints({subsets}: Endpoints, most: number): Mirrored {
  const groups = new Map<string, MirroredGroup>();
  let invalid = 0;
  let skipped = 0;
  for (const {addresses = [], notReadyAddresses = [], ports = []} of canonicalSubsets(subsets ?? [])) {
    const slicePorts = ports.map(slicePort);
    let taken = 0;
    const all = [...addresses.map((address) => ({address, ready: true})), ...notReadyAddresses.map((address) => ({address, ready: false}))];
    for (const {address, ready} of all) {
      if (taken >= most) {
        skipped += 1;
        continue;
      }
      const endpoint = endpointOf(address, ready);
      if (!endpoint) {
        invalid += 1;
        continue;
      }
      taken += 1;
      const addressType = ipFamily(endpoint.addresses![0]!) ?? 'IPv4';
      const key = groupKey(addressType, slicePorts);
      let group = groups.get(key);
      if (!group) groups.set(key, (group = {addressType, ports: slicePorts, endpoints: new Map()}));
      group.endpoints.set(endpointKey(endpoint), endpoint);
    }
  }
  return {groups, invalid, skipped};
}

function endpointOf({ip, nodeName, hostname, targetRef}: EndpointAddress, ready: boolean): Endpoint | undefined {
  const address = parseIp(ip ?? '');
  if (!address) return undefined;
  return {
    addresses: [formatIp(address)],
    conditions: {ready},
    ...(targetRef ? {targetRef: {...targetRef}} : {}),
    ...(nodeName === undefined ? {} : {nodeName}),
    ...(hostname ? {hostname} : {}),
  };
}

function slicePort({name = '', port = 0, protocol = 'TCP', appProtocol}: SubsetPort): EndpointPort {
  return {name, port, protocol, ...(appProtocol === undefined ? {} : {appProtocol})};
}
