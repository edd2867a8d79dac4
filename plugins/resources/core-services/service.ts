import type {ResourceRef} from '../../../sdk/index.js';
import type {ServiceSpec} from '../../../sdk/types/unchecked/core/v1.js';

export const services: ResourceRef = {group: '', version: 'v1', resource: 'services'};
/** Used instead of a cluster IP: the service has none, and its name resolves to the pods themselves. */
export const headlessIp = 'None';

/** What each type of service needs. */
export const needs = {
  clusterIp: ({type}: ServiceSpec) => type !== 'ExternalName',
  nodePort: ({type, allocateLoadBalancerNodePorts}: ServiceSpec) =>
    type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts !== false),
  healthCheckNodePort: ({type, externalTrafficPolicy}: ServiceSpec) => type === 'LoadBalancer' && externalTrafficPolicy === 'Local',
  externalTrafficPolicy: ({type}: ServiceSpec) => type === 'NodePort' || type === 'LoadBalancer',
};

export function isHeadless({clusterIPs}: ServiceSpec): boolean {
  return clusterIPs?.length === 1 && clusterIPs[0] === headlessIp;
}
