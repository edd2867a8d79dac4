export {IngressStatus} from './ingress-status.js';
export {ServiceBalancers} from './service-balancers.js';
