import {hasReadyCondition, isTerminating, type Pod} from '../../families/workload-pods/pod-state.js';
import {scaledValue} from '../../families/workload-pods/scaled-value.js';
import type {Budget} from './budget-object.js';

/** How long a pod whose eviction was allowed counts as gone although it is still there. */
const evictionMillis = 120_000;

export interface BudgetCounts {
  readonly expectedPods: number;
  readonly desiredHealthy: number;
  readonly currentHealthy: number;
  readonly disruptionsAllowed: number;
  /** Evicted pods that are still there, and since when. */
  readonly disruptedPods: Readonly<Record<string, string>>;
  /** When one of these counts again, in milliseconds; Infinity when there is none. */
  readonly recountInMillis: number;
}

/** Whether a budget counts in shares of what the pods' owners want; else it counts the pods that there are. */
export function isRelative({spec}: Budget): boolean {
  return (spec?.maxUnavailable ?? undefined) !== undefined || typeof spec?.minAvailable === 'string';
}

/**
 * What a budget allows.
 *
 * @param pods that it covers
 * @param scale how many pods their owners want in all; for a budget that is relative
 * @param now milliseconds since 1970
 */
export function countBudget(budget: Budget, pods: readonly Pod[], scale: number, now: number): BudgetCounts {
  const {maxUnavailable, minAvailable} = budget.spec ?? {};
  let expectedPods = 0;
  let desiredHealthy = 0;
  if ((maxUnavailable ?? undefined) !== undefined) {
    expectedPods = scale;
    desiredHealthy = Math.max(scale - (scaledValue(maxUnavailable!, scale) ?? 0), 0);
  } else if ((minAvailable ?? undefined) !== undefined) {
    expectedPods = isRelative(budget) ? scale : pods.length;
    desiredHealthy = scaledValue(minAvailable!, scale) ?? 0;
  }
  const {disruptedPods, recountInMillis} = stillDisrupted(budget, pods, now);
  const currentHealthy = pods.filter(
    (pod) => !isTerminating(pod) && hasReadyCondition(pod) && !Object.hasOwn(disruptedPods, pod.metadata.name!),
  ).length;
  const disruptionsAllowed = expectedPods > 0 ? Math.max(currentHealthy - desiredHealthy, 0) : 0;
  return {expectedPods, desiredHealthy, currentHealthy, disruptionsAllowed, disruptedPods, recountInMillis};
}

/** Pods that are being deleted, or are gone, need not be noted any more. */
function stillDisrupted({status}: Budget, pods: readonly Pod[], now: number): Pick<BudgetCounts, 'disruptedPods' | 'recountInMillis'> {
  const noted = status?.disruptedPods ?? {};
  const entries: [string, string][] = [];
  let recountInMillis = Infinity;
  for (const pod of pods) {
    const name = pod.metadata.name!;
    if (isTerminating(pod) || !Object.hasOwn(noted, name)) continue;
    const left = Date.parse(noted[name]!) + evictionMillis - now;
    if (!(left > 0)) continue;
    entries.push([name, noted[name]!]);
    recountInMillis = Math.min(recountInMillis, left);
  }
  return {disruptedPods: Object.fromEntries(entries), recountInMillis};
}
