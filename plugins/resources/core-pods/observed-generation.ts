import type {Pod} from '../../../sdk/types/unchecked/core/v1.js';

/**
 * Keeps the generations that a status and its conditions were made for, where a client that does not know them leaves them out. Modifies `pod`.
 * Conditions are matched by type, those of one type in their order.
 */
export function keepObservedGenerations({status}: Pod, {status: old}: Pod): void {
  if (!status) return;
  if (!status.observedGeneration && old?.observedGeneration) status.observedGeneration = old.observedGeneration;
  const before = new Map<string, number[]>();
  for (const {type = '', observedGeneration = 0} of old?.conditions ?? [])
    before.set(type, [...(before.get(type) ?? []), observedGeneration]);
  for (const condition of status.conditions ?? []) {
    const known = before.get(condition.type ?? '')?.shift();
    if (!condition.observedGeneration && known) condition.observedGeneration = known;
  }
}
