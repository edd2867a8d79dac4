import type {Service} from '../../../sdk/types/unchecked/core/v1.js';
import type {Endpoint, EndpointPort} from '../../../sdk/types/unchecked/discovery/v1.js';
import {addressesOf, isEndpoint, type EndpointPod} from '../../families/endpoints/endpoint-pod.js';
import {isHeadless, targetPortOf} from '../../families/endpoints/service-port.js';
import {endpointKey, portsKey} from '../../families/endpoints/slice-content.js';

/** Endpoints with the same ports. */
export interface DesiredGroup {
  readonly ports: readonly EndpointPort[];
  /** By `endpointKey`. */
  readonly endpoints: Map<string, Endpoint>;
}

/** What is known of nodes: the zone of one that is there, empty if it has none; undefined for one that is not there. */
export type ZoneOf = (nodeName: string) => string | undefined;

export interface DesiredEndpoints {
  /** By `portsKey`. */
  readonly groups: ReadonlyMap<string, DesiredGroup>;
  /** Pods that are left out because their node is not there. */
  readonly withoutNode: readonly EndpointPod[];
}

/** The endpoints of a service in a family of addresses. */
export function desiredEndpoints(service: Service, pods: readonly EndpointPod[], family: string, zoneOf: ZoneOf): DesiredEndpoints {
  const groups = new Map<string, DesiredGroup>();
  const withoutNode: EndpointPod[] = [];
  for (const pod of pods) {
    if (!isEndpoint(pod, true)) continue;
    const ports = portsOf(service, pod);
    const key = portsKey(ports);
    let group = groups.get(key);
    if (!group) groups.set(key, (group = {ports, endpoints: new Map()}));
    const zone = zoneOf(pod.nodeName);
    if (zone === undefined && !service.spec?.publishNotReadyAddresses) {
      withoutNode.push(pod);
      continue;
    }
    const endpoint = endpointOf(service, pod, family, zone ?? '');
    if ((endpoint.addresses ?? []).length > 0) group.endpoints.set(endpointKey(endpoint), endpoint);
  }
  return {groups, withoutNode};
}

function endpointOf({metadata, spec}: Service, pod: EndpointPod, family: string, zone: string): Endpoint {
  const {namespace, name, uid, isReady, isTerminating, nodeName, hostname, subdomain} = pod;
  return {
    addresses: addressesOf(pod, family),
    conditions: {
      // What knows nothing of the other conditions must not send traffic to a pod that is going.
      ready: spec?.publishNotReadyAddresses === true || (isReady && !isTerminating),
      serving: isReady,
      terminating: isTerminating,
    },
    targetRef: {kind: 'Pod', namespace, name, uid},
    ...(nodeName === '' ? {} : {nodeName}),
    ...(zone === '' ? {} : {zone}),
    ...(hostname !== '' && subdomain === metadata.name ? {hostname} : {}),
  };
}

function portsOf(service: Service, pod: EndpointPod): EndpointPort[] {
  const ports = service.spec?.ports ?? [];
  if (ports.length === 0 && isHeadless(service)) return [];
  return ports.flatMap((servicePort) => {
    const port = targetPortOf(pod, servicePort);
    if (port === undefined) return [];
    const {name = '', protocol = 'TCP', appProtocol} = servicePort;
    return [{name, port, protocol, ...(appProtocol === undefined ? {} : {appProtocol})}];
  });
}
