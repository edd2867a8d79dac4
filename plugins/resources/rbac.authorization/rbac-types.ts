import type {ApiObject} from '../../../sdk/index.js';
import type {LabelSelector} from '../../shared/labels/label-selector.js';

/** What may be done with what. Rules with `nonResourceURLs` are about paths, all others about resources. */
export interface PolicyRule {
  verbs?: string[] | null;
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
  nonResourceURLs?: string[];
}

export interface Role extends ApiObject {
  rules?: PolicyRule[] | null;
}

export interface ClusterRole extends Role {
  /** Cluster roles whose rules are put together to those of this one, chosen by label. */
  aggregationRule?: {clusterRoleSelectors?: LabelSelector[]};
}

export interface Subject {
  kind?: string;
  apiGroup?: string;
  name?: string;
  /** Of service accounts only. */
  namespace?: string;
}

export interface RoleRef {
  apiGroup?: string;
  kind?: string;
  name?: string;
}

/** A RoleBinding or a ClusterRoleBinding. */
export interface Binding extends ApiObject {
  subjects?: Subject[];
  roleRef?: RoleRef;
}
