import {secondTime} from '../../../sdk/index.js';
import type {Node} from '../../../sdk/types/unchecked/core/v1.js';

type Condition = NonNullable<NonNullable<Node['status']>['conditions']>[number];

/** Conditions that only the node can know. */
const own = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'];

/** The conditions of a node that says nothing any more. @param now in milliseconds since 1970 */
export function silentConditions({metadata, status}: Node, now: number): Condition[] {
  const transition = secondTime(now);
  const known = status?.conditions ?? [];
  const changed = known.map((condition) =>
    own.includes(condition.type ?? '') && condition.status !== 'Unknown'
      ? {
          ...condition,
          status: 'Unknown',
          reason: 'NodeStatusUnknown',
          message: 'Kubelet stopped posting node status.',
          lastTransitionTime: transition,
        }
      : condition,
  );
  const missing = own.filter((type) => !known.some((condition) => condition.type === type));
  return [
    ...changed,
    ...missing.map((type) => ({
      type,
      status: 'Unknown',
      reason: 'NodeStatusNeverUpdated',
      message: 'Kubelet never posted node status.',
      lastHeartbeatTime: metadata.creationTimestamp!,
      lastTransitionTime: transition,
    })),
  ];
}
