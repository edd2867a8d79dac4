import type {KnownBudget} from '../model/known-budget.js';
import type {KnownPod} from '../model/known-pod.js';

/** Divides pods into those whose loss would break a budget, counted in the given order, and others. */
export function divideByBudgets(
  pods: readonly KnownPod[],
  budgets: readonly KnownBudget[],
): {readonly violating: KnownPod[]; readonly others: KnownPod[]} {
  const left = budgets.map(({allowed}) => allowed);
  const violating: KnownPod[] = [];
  const others: KnownPod[] = [];
  for (const pod of pods) {
    const {labels, namespace} = pod.shape;
    let isViolating = false;
    if (Object.keys(labels).length > 0) {
      budgets.forEach((budget, index) => {
        if (budget.namespace !== namespace || !budget.selects(labels) || budget.disrupted.has(pod.name)) return;
        left[index]! -= 1;
        if (left[index]! < 0) isViolating = true;
      });
    }
    (isViolating ? violating : others).push(pod);
  }
  return {violating, others};
}
