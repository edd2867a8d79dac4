export {AuthorizationModes} from './authorization-modes.js';
export {ClusterRoleAggregation} from './cluster-role-aggregation.js';
