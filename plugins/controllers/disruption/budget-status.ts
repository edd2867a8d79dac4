import type {BudgetCounts} from './budget-counts.js';
import type {PodDisruptionBudget, PodDisruptionBudgetStatus} from '../../../sdk/types/unchecked/policy/v1.js';

type Condition = NonNullable<PodDisruptionBudgetStatus['conditions']>[number];

const conditionType = 'DisruptionAllowed';

export function countedStatus(budget: PodDisruptionBudget, counts: BudgetCounts, now: Date): PodDisruptionBudgetStatus {
  const {recountInMillis: _time, disruptedPods, ...numbers} = counts;
  const isAllowed = counts.disruptionsAllowed > 0;
  const {disruptedPods: _old, ...status} = budget.status ?? {};
  return {
    ...status,
    ...numbers,
    ...(Object.keys(disruptedPods).length > 0 ? {disruptedPods} : {}),
    observedGeneration: budget.metadata.generation ?? 0,
    conditions: withCondition(budget, isAllowed, isAllowed ? 'SufficientPods' : 'InsufficientPods', '', now),
  };
}

/** The status of a budget that could not be counted: it allows no disruptions. */
export function failedStatus(budget: PodDisruptionBudget, message: string, now: Date): PodDisruptionBudgetStatus {
  return {
    expectedPods: 0,
    desiredHealthy: 0,
    currentHealthy: 0,
    ...budget.status,
    disruptionsAllowed: 0,
    conditions: withCondition(budget, false, 'SyncFailed', message, now),
  };
}

function withCondition({metadata, status}: PodDisruptionBudget, isTrue: boolean, reason: string, message: string, now: Date): Condition[] {
  const before = status?.conditions ?? [];
  const known = before.find(({type}) => type === conditionType);
  const value = isTrue ? 'True' : 'False';
  const condition: Condition = {
    type: conditionType,
    status: value,
    observedGeneration: metadata.generation ?? 0,
    lastTransitionTime: known?.status === value ? known.lastTransitionTime! : `${now.toISOString().slice(0, 19)}Z`,
    reason,
    message,
  };
  return known ? before.map((one) => (one === known ? condition : one)) : [...before, condition];
}
