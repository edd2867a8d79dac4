export {ConfigMapStrategy} from './config-map-strategy.js';
export {EventStrategy} from './event-strategy.js';
export {NamespaceStrategy} from './namespace-strategy.js';
export {SecretStrategy} from './secret-strategy.js';
