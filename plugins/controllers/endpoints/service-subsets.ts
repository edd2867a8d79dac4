import type {EndpointAddress, EndpointPort, EndpointSubset, Service} from '../../../sdk/types/unchecked/core/v1.js';
import {canonicalSubsets} from '../../families/endpoints/canonical-endpoints.js';
import {addressesOf, isEndpoint, type EndpointPod} from '../../families/endpoints/endpoint-pod.js';
import {isHeadless, targetPortOf} from '../../families/endpoints/service-port.js';

/** The addresses behind a service in its first family, with their ports, in the form in which they are stored. */
export function serviceSubsets(service: Service, pods: readonly EndpointPod[]): EndpointSubset[] {
  const {publishNotReadyAddresses = false, ports = [], ipFamilies = []} = service.spec ?? {};
  const subsets: EndpointSubset[] = [];
  for (const pod of pods) {
    if (!isEndpoint(pod, publishNotReadyAddresses)) continue;
    const [ip] = addressesOf(pod, ipFamilies[0] ?? 'IPv4');
    if (ip === undefined) continue;
    const address = addressOf(service, pod, ip);
    const add = (port: EndpointPort | undefined): void => {
      const isReady = publishNotReadyAddresses || pod.isReady;
      subsets.push({...(isReady ? {addresses: [address]} : {notReadyAddresses: [address]}), ports: port ? [port] : []});
    };
    if (ports.length === 0 && isHeadless(service)) add(undefined);
    for (const servicePort of ports) {
      const port = targetPortOf(pod, servicePort);
      const {name, protocol = 'TCP', appProtocol} = servicePort;
      if (port !== undefined) add({...(name ? {name} : {}), port, protocol, ...(appProtocol === undefined ? {} : {appProtocol})});
    }
  }
  return canonicalSubsets(subsets);
}

function addressOf({metadata}: Service, pod: EndpointPod, ip: string): EndpointAddress {
  const {namespace, name, uid, nodeName, hostname, subdomain} = pod;
  return {
    ip,
    ...(nodeName === '' ? {} : {nodeName}),
    ...(hostname !== '' && subdomain === metadata.name ? {hostname} : {}),
    targetRef: {kind: 'Pod', namespace, name, uid},
  };
}
