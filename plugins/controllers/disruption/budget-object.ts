import type {ResourceRef, Unchecked} from '../../../sdk/index.js';
import type * as policy from '../../../sdk/types/policy/v1.js';

export type Budget = Unchecked<policy.PodDisruptionBudget>;
export type BudgetStatus = Unchecked<policy.PodDisruptionBudgetStatus>;

export const budgets: ResourceRef = {group: 'policy', version: 'v1', resource: 'poddisruptionbudgets'};
