export {Bindings, PodBinding} from './bindings.js';
export {NodeStrategy} from './node-strategy.js';
export {PodEviction} from './pod-eviction.js';
export {PodLog} from './pod-log.js';
export {PodStrategy} from './pod-strategy.js';
export {PodAttach, PodExec, PodPortForward} from './pod-streams.js';
export {PodTemplateStrategy} from './pod-template-strategy.js';
export {NodeProxy, PodProxy} from './proxies.js';
export {ReplicationControllerStrategy} from './replication-controller-strategy.js';
