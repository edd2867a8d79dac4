import type {Unchecked} from '../../../sdk/index.js';
import type * as rbac from '../../../sdk/types/rbac.authorization/v1.js';

/** The group's types before validation. */
export type ClusterRole = Unchecked<rbac.ClusterRole>;
export type PolicyRule = Unchecked<rbac.PolicyRule>;
export type Role = Unchecked<rbac.Role>;
export type RoleRef = Unchecked<rbac.RoleRef>;
export type Subject = Unchecked<rbac.Subject>;

/** A RoleBinding or a ClusterRoleBinding. */
export type Binding = Unchecked<rbac.RoleBinding>;
