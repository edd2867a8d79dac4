import type {Unchecked} from '../../../sdk/index.js';
import type * as core from '../../../sdk/types/core/v1.js';
import type * as networking from '../../../sdk/types/networking/v1.js';
import type * as alpha from '../../../sdk/types/networking/v1alpha1.js';

/** The group's types before validation. */
export type ClusterCidr = Unchecked<alpha.ClusterCIDR>;
export type Ingress = Unchecked<networking.Ingress>;
export type IngressBackend = Unchecked<networking.IngressBackend>;
export type IngressClass = Unchecked<networking.IngressClass>;
export type IngressClassParameters = Unchecked<networking.IngressClassParametersReference>;
export type IngressPath = Unchecked<networking.HTTPIngressPath>;
export type IngressRule = Unchecked<networking.IngressRule>;
export type IngressSpec = Unchecked<networking.IngressSpec>;
export type NetworkPolicy = Unchecked<networking.NetworkPolicy>;
export type NetworkPolicyPeer = Unchecked<networking.NetworkPolicyPeer>;
export type NetworkPolicyPort = Unchecked<networking.NetworkPolicyPort>;
export type NetworkPolicySpec = Unchecked<networking.NetworkPolicySpec>;
export type LocalReference = Unchecked<core.TypedLocalObjectReference>;
