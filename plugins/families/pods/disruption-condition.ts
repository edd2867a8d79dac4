import {secondTime} from '../../../sdk/index.js';
import type {PodDisruptionBudgetStatus} from '../../../sdk/types/unchecked/policy/v1.js';

export type BudgetCondition = NonNullable<PodDisruptionBudgetStatus['conditions']>[number];

const conditionType = 'DisruptionAllowed';
export const syncFailed = 'SyncFailed';

/** Whether a budget allows disruptions, as the condition of its status says; undefined where none does. */
export function disruptionCondition(status: PodDisruptionBudgetStatus | undefined): BudgetCondition | undefined {
  return status?.conditions?.find(({type}) => type === conditionType);
}

/**
 * The conditions of a budget with what is known now.
 *
 * @param status what is known by now, with the generation that it is of
 * @param failure why it could not be counted; undefined if it could
 */
export function conditionsOfBudget(status: PodDisruptionBudgetStatus, now: number, failure?: string): BudgetCondition[] {
  const {conditions = [], observedGeneration, disruptionsAllowed = 0} = status;
  const known = disruptionCondition(status);
  const isAllowed = disruptionsAllowed > 0;
  const value = isAllowed ? 'True' : 'False';
  const condition: BudgetCondition = {
    type: conditionType,
    status: value,
    ...(observedGeneration ? {observedGeneration} : {}),
    lastTransitionTime: known?.status === value ? known.lastTransitionTime! : secondTime(now),
    reason: failure === undefined ? (isAllowed ? 'SufficientPods' : 'InsufficientPods') : syncFailed,
    message: failure ?? '',
  };
  return known ? conditions.map((one) => (one === known ? condition : one)) : [...conditions, condition];
}
