export {NodeDeclaredFeatureValidator} from './node-declared-feature-validator.js';
export {PodResizeValidator} from './pod-resize-validator.js';
export {PodTopologyLabels} from './pod-topology-labels.js';
