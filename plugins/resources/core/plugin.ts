export {ComponentStatuses, ComponentStatusStrategy} from './component-statuses.js';
export {ConfigMapStrategy} from './config-map-strategy.js';
export {EventStrategy} from './event-strategy.js';
export {LimitRangeStrategy} from './limit-range-strategy.js';
export {NamespaceStrategy} from './namespace-strategy.js';
export {ResourceQuotaStrategy} from './resource-quota-strategy.js';
export {SecretStrategy} from './secret-strategy.js';
