import type {ApiObject, ResourceRef} from '../../../sdk/index.js';
import type {LabelSelector} from '../../../sdk/labels/index.js';
import type {PolicyRule} from '../../families/rbac/policy-rule.js';

export const rbacGroup = 'rbac.authorization.orch';

const ref = (resource: string): ResourceRef => ({group: rbacGroup, version: 'v1', resource});

export const roles = ref('roles');
export const clusterRoles = ref('clusterroles');
export const roleBindings = ref('rolebindings');
export const clusterRoleBindings = ref('clusterrolebindings');

/** A Role or a ClusterRole; only the latter may have an aggregation rule. */
export interface RoleObject extends ApiObject {
  rules?: readonly PolicyRule[] | null;
  aggregationRule?: {clusterRoleSelectors?: readonly LabelSelector[]};
}

export interface Subject {
  kind: string;
  apiGroup?: string;
  name: string;
  /** For service accounts only. */
  namespace?: string;
}

/** A RoleBinding or a ClusterRoleBinding. */
export interface BindingObject extends ApiObject {
  subjects?: readonly Subject[] | null;
  roleRef: {apiGroup?: string; kind: string; name: string};
}
