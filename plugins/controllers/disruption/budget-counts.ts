import {hasReadyCondition, isTerminating} from '../../families/workload-pods/pod-state.js';
import {scaledValue} from '../../families/workload-pods/scaled-value.js';
import type {Pod} from '../../../sdk/types/unchecked/core/v1.js';
import type {PodDisruptionBudget} from '../../../sdk/types/unchecked/policy/v1.js';

/** How long a pod counts as gone after its eviction was allowed, although it still exists. */
const evictionMillis = 120_000;

export interface BudgetCounts {
  readonly expectedPods: number;
  readonly desiredHealthy: number;
  readonly currentHealthy: number;
  readonly disruptionsAllowed: number;
  /** Evicted pods that still exist, and since when. */
  readonly disruptedPods: Readonly<Record<string, string>>;
  /** Milliseconds until one of them counts again; Infinity if there is none. */
  readonly recountInMillis: number;
  /** Evicted pods that are still there after two minutes: they count again. */
  readonly notDeleted: readonly Pod[];
}

/** Whether a budget is relative to the expected number of pods; otherwise it counts existing pods. */
export function isRelative({spec}: PodDisruptionBudget): boolean {
  return (spec?.maxUnavailable ?? undefined) !== undefined || typeof spec?.minAvailable === 'string';
}

/**
 * What a budget allows.
 *
 * @param pods that it selects
 * @param scale the total number of pods that their owners want; for a relative budget
 * @param now milliseconds since 1970
 */
export function countBudget(budget: PodDisruptionBudget, pods: readonly Pod[], scale: number, now: number): BudgetCounts {
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
  const {disruptedPods, recountInMillis, notDeleted} = stillDisrupted(budget, pods, now);
  const currentHealthy = pods.filter(
    (pod) => !isTerminating(pod) && hasReadyCondition(pod) && !Object.hasOwn(disruptedPods, pod.metadata.name!),
  ).length;
  const disruptionsAllowed = expectedPods > 0 ? Math.max(currentHealthy - desiredHealthy, 0) : 0;
  return {expectedPods, desiredHealthy, currentHealthy, disruptionsAllowed, disruptedPods, recountInMillis, notDeleted};
}

/** Pods that are deleted or being deleted need not be recorded any longer. */
function stillDisrupted(
  {status}: PodDisruptionBudget,
  pods: readonly Pod[],
  now: number,
): Pick<BudgetCounts, 'disruptedPods' | 'recountInMillis' | 'notDeleted'> {
  const noted = status?.disruptedPods ?? {};
  const entries: [string, string][] = [];
  const notDeleted: Pod[] = [];
  let recountInMillis = Infinity;
  for (const pod of pods) {
    const name = pod.metadata.name!;
    if (isTerminating(pod) || !Object.hasOwn(noted, name)) continue;
    const left = Date.parse(noted[name]!) + evictionMillis - now;
    if (!(left > 0)) {
      notDeleted.push(pod);
      continue;
    }
    entries.push([name, noted[name]!]);
    recountInMillis = Math.min(recountInMillis, left);
  }
  return {disruptedPods: Object.fromEntries(entries), recountInMillis, notDeleted};
}
