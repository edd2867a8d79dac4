export {ServiceClaimKeeper} from './claim-keeper.js';
export {DefaultServiceCidr} from './default-service-cidr.js';
export {ServiceCidrController} from './service-cidr-controller.js';
export {EndpointsStrategy} from './endpoints-strategy.js';
export {ServiceProxy} from './service-proxy.js';
export {ServiceStrategy} from './service-strategy.js';
