import type {ApiObject} from '../../../sdk/index.js';
import type {Condition} from '../../shared/conditions/condition-faults.js';
import type {LabelSelector} from '../../shared/labels/label-selector.js';
import type {NodeSelector} from '../../shared/pod/pod-types.js';

/** How requests from outside reach services, by host and path. */
export interface Ingress extends ApiObject {
  spec?: IngressSpec;
  status?: {loadBalancer?: {ingress?: {ip?: string; hostname?: string}[]}};
}

export interface IngressSpec {
  ingressClassName?: string | null;
  defaultBackend?: IngressBackend | null;
  tls?: {hosts?: string[]; secretName?: string}[];
  rules?: IngressRule[];
}

export interface IngressRule {
  host?: string;
  http?: {paths?: IngressPath[] | null} | null;
}

export interface IngressPath {
  path?: string;
  pathType?: string | null;
  backend?: IngressBackend;
}

/** Exactly one of the two. */
export interface IngressBackend {
  service?: {name?: string; port?: {name?: string; number?: number}} | null;
  resource?: LocalReference | null;
}

/** An object of any kind in the same namespace. */
export interface LocalReference {
  apiGroup?: string | null;
  kind?: string;
  name?: string;
}

export interface IngressClass extends ApiObject {
  spec?: {controller?: string; parameters?: IngressClassParameters | null};
}

export interface IngressClassParameters extends LocalReference {
  /** `Cluster` or `Namespace`: where the referenced object is. */
  scope?: string | null;
  namespace?: string | null;
}

/** Which traffic pods take part in. */
export interface NetworkPolicy extends ApiObject {
  spec?: NetworkPolicySpec;
  status?: {conditions?: Condition[]};
}

export interface NetworkPolicySpec {
  podSelector?: LabelSelector;
  ingress?: {ports?: NetworkPolicyPort[]; from?: NetworkPolicyPeer[]}[];
  egress?: {ports?: NetworkPolicyPort[]; to?: NetworkPolicyPeer[]}[];
  policyTypes?: string[];
}

export interface NetworkPolicyPort {
  protocol?: string | null;
  port?: number | string | null;
  endPort?: number | null;
}

export interface NetworkPolicyPeer {
  podSelector?: LabelSelector | null;
  namespaceSelector?: LabelSelector | null;
  ipBlock?: {cidr?: string; except?: string[]} | null;
}

/** Blocks of addresses from which nodes get theirs. */
export interface ClusterCidr extends ApiObject {
  spec?: {nodeSelector?: NodeSelector | null; perNodeHostBits?: number; ipv4?: string; ipv6?: string};
}
