import {invalid, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {isGiven, validateNonNegativeMembers} from '../../../sdk/validation/index.js';

/** The counts in a workload's status. */
export interface ReplicaStatus {
  replicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  collisionCount?: number | null;
  observedGeneration?: number | bigint;
}

/**
 * Errors in counts: none may be negative, none of `parts` above `replicas`, and no more pods available than ready.
 *
 * @param ready the name of `readyReplicas` in the message: Kubernetes' workloads differ
 */
export function validateReplicaStatus<T extends ReplicaStatus>(
  status: T | undefined,
  counts: readonly (keyof T & string)[],
  parts: readonly (keyof T & string)[],
  path: FieldPath,
  ready = 'readyReplicas',
): FieldError[] {
  if (!status) return [];
  const {replicas = 0, readyReplicas = 0, availableReplicas = 0} = status;
  const faults = validateNonNegativeMembers(status, [...counts, 'observedGeneration', 'collisionCount'], path);
  for (const member of parts) {
    const count = Number(status[member] ?? 0);
    if (count > replicas) faults.push(invalid(path.child(member), count, 'cannot be greater than status.replicas'));
  }
  if (availableReplicas > readyReplicas)
    faults.push(invalid(path.child('availableReplicas'), availableReplicas, `cannot be greater than ${ready}`));
  return faults;
}

/** The collision count must not decrease, or names would be reused. */
export function validateCollisionCount(status: ReplicaStatus | undefined, old: ReplicaStatus | undefined, path: FieldPath): FieldError[] {
  const before = old?.collisionCount;
  const now = status?.collisionCount ?? 0;
  return !isGiven(before) || now >= before ? [] : [invalid(path.child('collisionCount'), now, 'cannot be decremented')];
}
