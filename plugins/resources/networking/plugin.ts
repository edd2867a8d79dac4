export {ClusterCidrStrategy} from './cluster-cidr-strategy.js';
export {IngressClassStrategy} from './ingress-class-strategy.js';
export {IngressStrategy} from './ingress-strategy.js';
export {NetworkPolicyStrategy} from './network-policy-strategy.js';
