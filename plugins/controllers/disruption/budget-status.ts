import {conditionsOfBudget} from '../../families/pods/disruption-condition.js';
import type {BudgetCounts} from './budget-counts.js';
import type {PodDisruptionBudget, PodDisruptionBudgetStatus} from '../../../sdk/types/unchecked/policy/v1.js';

export function countedStatus(budget: PodDisruptionBudget, counts: BudgetCounts, now: number): PodDisruptionBudgetStatus {
  const {recountInMillis: _time, notDeleted: _pods, disruptedPods, ...numbers} = counts;
  const {disruptedPods: _old, ...before} = budget.status ?? {};
  const status = {
    ...before,
    ...numbers,
    ...(Object.keys(disruptedPods).length > 0 ? {disruptedPods} : {}),
    observedGeneration: budget.metadata.generation ?? 0,
  };
  return {...status, conditions: conditionsOfBudget(status, now)};
}

/** The status of a budget that could not be counted: it allows no disruptions. */
export function failedStatus({status: before}: PodDisruptionBudget, message: string, now: number): PodDisruptionBudgetStatus {
  const status = {expectedPods: 0, desiredHealthy: 0, currentHealthy: 0, ...before, disruptionsAllowed: 0};
  return {...status, conditions: conditionsOfBudget(status, now, message)};
}
