import {secondTime} from '../../../sdk/index.js';
import type {BudgetCounts} from './budget-counts.js';
import type {PodDisruptionBudget, PodDisruptionBudgetStatus} from '../../../sdk/types/unchecked/policy/v1.js';

type Condition = NonNullable<PodDisruptionBudgetStatus['conditions']>[number];

const conditionType = 'DisruptionAllowed';

export function countedStatus(budget: PodDisruptionBudget, counts: BudgetCounts, now: number): PodDisruptionBudgetStatus {
  const {recountInMillis: _time, notDeleted: _pods, disruptedPods, ...numbers} = counts;
  const isAllowed = counts.disruptionsAllowed > 0;
  const {disruptedPods: _old, ...status} = budget.status ?? {};
  return {
    ...status,
    ...numbers,
    ...(Object.keys(disruptedPods).length > 0 ? {disruptedPods} : {}),
    observedGeneration: budget.metadata.generation ?? 0,
    conditions: withCondition(
      {metadata: budget.metadata, status: budget.status},
      isAllowed,
      isAllowed ? 'SufficientPods' : 'InsufficientPods',
      '',
      now,
    ),
  };
}

/** The status of a budget that could not be counted: it allows no disruptions. */
export function failedStatus(budget: PodDisruptionBudget, message: string, now: number): PodDisruptionBudgetStatus {
  return {
    expectedPods: 0,
    desiredHealthy: 0,
    currentHealthy: 0,
    ...budget.status,
    disruptionsAllowed: 0,
    conditions: withCondition(
      {metadata: {generation: budget.status?.observedGeneration ?? 0}, status: budget.status},
      false,
      'SyncFailed',
      message,
      now,
    ),
  };
}

/** A budget, with the generation that a condition is of. */
interface Observed {
  readonly metadata: {readonly generation?: number | undefined};
  readonly status: PodDisruptionBudgetStatus | undefined;
}

function withCondition({metadata, status}: Observed, isTrue: boolean, reason: string, message: string, now: number): Condition[] {
  const before = status?.conditions ?? [];
  const known = before.find(({type}) => type === conditionType);
  const value = isTrue ? 'True' : 'False';
  const condition: Condition = {
    type: conditionType,
    status: value,
    ...(metadata.generation ? {observedGeneration: metadata.generation} : {}),
    lastTransitionTime: known?.status === value ? known.lastTransitionTime! : secondTime(now),
    reason,
    message,
  };
  return known ? before.map((one) => (one === known ? condition : one)) : [...before, condition];
}
