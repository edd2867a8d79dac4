import type {AdmissionRequest, ExpressionBudget} from '../../../sdk/index.js';

/**
 * Steps that all expressions about one request may take together: those of policies, and match conditions of webhooks. Kubernetes gives as
 * many to each policy.
 */
const stepsPerRequest = 10_000_000;

const budgets = new WeakMap<AdmissionRequest, ExpressionBudget>();

/** What is left for the expressions about a request. */
export function requestBudget(request: AdmissionRequest): ExpressionBudget {
  let budget = budgets.get(request);
  if (!budget) budgets.set(request, (budget = {left: stepsPerRequest}));
  return budget;
}
