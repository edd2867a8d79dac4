/**
 * Metadata that every API object carries (docs/semantics/objects.md#metadata).
 *
 * Timestamps are RFC 3339 in UTC with whole seconds, as they stand in JSON.
 */
export interface ObjectMeta {
  name?: string;
  generateName?: string;
  namespace?: string;
  selfLink?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string | null;
  deletionTimestamp?: string | null;
  deletionGracePeriodSeconds?: number | null;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: ManagedFieldsEntry[];
}

/** A link from a dependent object to its owner in the same namespace, or to a cluster-scoped owner. */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** Which fields one manager owns through one operation, API version and subresource. */
export interface ManagedFieldsEntry {
  manager?: string;
  operation?: 'Apply' | 'Update';
  apiVersion?: string;
  time?: string | null;
  fieldsType?: 'FieldsV1';
  fieldsV1?: FieldsV1;
  subresource?: string;
}

/** A tree of owned fields: members `f:NAME`, `k:KEYS`, `v:VALUE`, `i:INDEX` and `.`; leaves are empty objects. */
export interface FieldsV1 {
  [member: string]: FieldsV1;
}

/** Metadata of a collection (docs/semantics/objects.md#collections). */
export interface ListMeta {
  resourceVersion?: string;
  continue?: string;
  remainingItemCount?: number;
}
