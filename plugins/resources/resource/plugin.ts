export {DeviceClassStrategy} from './device-class-strategy.js';
export {DeviceTaintRuleStrategy} from './device-taint-rule-strategy.js';
export {PodSchedulingStrategy} from './pod-scheduling-strategy.js';
export {ResourceClaimStrategy} from './resource-claim-strategy.js';
export {ResourceClaimTemplateStrategy} from './resource-claim-template-strategy.js';
export {ResourceClassStrategy} from './resource-class-strategy.js';
export {ResourcePoolStatusRequestStrategy} from './resource-pool-status-request-strategy.js';
export {ResourceSliceStrategy} from './resource-slice-strategy.js';
