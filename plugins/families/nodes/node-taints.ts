import type {Node, Taint} from '../../../sdk/types/unchecked/core/v1.js';

/** Whether a node has a taint by its key and effect. */
export function hasTaint({spec}: Node, key: string, effect: string): boolean {
  return spec?.taints?.some((taint) => taint.key === key && taint.effect === effect) ?? false;
}

/** Taints by which pods leave that do not tolerate them. */
export function evictingTaints({spec}: Node): Taint[] {
  return (spec?.taints ?? []).filter(({effect}) => effect === 'NoExecute');
}

/** What is to become of the taints of a node. */
export interface TaintChange {
  readonly add: readonly Taint[];
  readonly remove: readonly Taint[];
}

/** The taints of a node after a change; undefined if nothing changes. @param addedAt when, as fields of the type Time have it */
export function changedTaints({spec}: Node, {add, remove}: TaintChange, addedAt: string): Taint[] | undefined {
  const before = spec?.taints ?? [];
  const isSame = (one: Taint) => (other: Taint) => one.key === other.key && one.effect === other.effect;
  const kept = before.filter((taint) => !remove.some(isSame(taint)));
  const added = add.filter((taint) => !kept.some(isSame(taint))).map((taint) => ({...taint, timeAdded: addedAt}));
  return added.length === 0 && kept.length === before.length ? undefined : [...kept, ...added];
}
