export {ClusterCidrStrategy} from './cluster-cidr-strategy.js';
export {IngressClassStrategy} from './ingress-class-strategy.js';
export {IngressStrategy} from './ingress-strategy.js';
export {IpAddressStrategy} from './ip-address-strategy.js';
export {NetworkPolicyStrategy} from './network-policy-strategy.js';
export {ServiceCidrStrategy} from './service-cidr-strategy.js';
