export {ClusterRoleBindingStrategy} from './cluster-role-binding-strategy.js';
export {ClusterRoleStrategy} from './cluster-role-strategy.js';
export {RoleBindingStrategy} from './role-binding-strategy.js';
export {RoleStrategy} from './role-strategy.js';
