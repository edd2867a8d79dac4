export {ControllerRevisionStrategy} from './controller-revision-strategy.js';
export {DaemonSetStrategy} from './daemon-set-strategy.js';
export {DeploymentStrategy} from './deployment-strategy.js';
export {ReplicaSetStrategy} from './replica-set-strategy.js';
export {StatefulSetStrategy} from './stateful-set-strategy.js';
