import type {ApiObject, ResourceRef} from '../../../sdk/index.js';

export const services: ResourceRef = {group: '', version: 'v1', resource: 'services'};
/** In place of a cluster IP: the service has none, and its name leads to the pods themselves. */
export const headlessIp = 'None';

/** A name for a set of pods, as far as its behaviour looks at it. */
export interface Service extends ApiObject {
  spec?: ServiceSpec;
  status?: {loadBalancer?: {ingress?: {ip?: string; hostname?: string}[]}; conditions?: object[]};
}

export interface ServiceSpec {
  type?: string;
  ports?: ServicePort[];
  selector?: Record<string, string>;
  clusterIP?: string;
  clusterIPs?: string[];
  externalIPs?: string[];
  sessionAffinity?: string;
  sessionAffinityConfig?: {clientIP?: {timeoutSeconds?: number}};
  loadBalancerSourceRanges?: string[];
  externalName?: string;
  externalTrafficPolicy?: string;
  internalTrafficPolicy?: string;
  healthCheckNodePort?: number;
  ipFamilies?: string[];
  ipFamilyPolicy?: string;
  allocateLoadBalancerNodePorts?: boolean;
  loadBalancerClass?: string;
}

export interface ServicePort {
  name?: string;
  protocol?: string;
  appProtocol?: string;
  port?: number;
  targetPort?: number | string;
  nodePort?: number;
}

/** What a type of service needs. */
export const needs = {
  clusterIp: ({type}: ServiceSpec) => type === 'ClusterIP' || type === 'NodePort' || type === 'LoadBalancer',
  nodePort: ({type, allocateLoadBalancerNodePorts}: ServiceSpec) =>
    type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts !== false),
  healthCheckNodePort: ({type, externalTrafficPolicy}: ServiceSpec) => type === 'LoadBalancer' && externalTrafficPolicy === 'Local',
  externalTrafficPolicy: ({type}: ServiceSpec) => type === 'NodePort' || type === 'LoadBalancer',
};

export function isHeadless({clusterIPs}: ServiceSpec): boolean {
  return clusterIPs?.length === 1 && clusterIPs[0] === headlessIp;
}
