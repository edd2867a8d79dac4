export {ClusterRoleAggregation} from './cluster-role-aggregation.js';
export {RbacAuthorizer} from './rbac-authorizer.js';
