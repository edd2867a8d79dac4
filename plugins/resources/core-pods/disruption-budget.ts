import {forbidden, retryOnConflict, StatusError, type ResourceClient, type ResourceRef} from '../../../sdk/index.js';
import {selectorMatches} from '../../../sdk/labels/index.js';
import {conditionsOfBudget, disruptionCondition, syncFailed} from '../../families/pods/disruption-condition.js';
import type {Pod} from '../../../sdk/types/unchecked/core/v1.js';
import type {PodDisruptionBudget, PodDisruptionBudgetStatus} from '../../../sdk/types/unchecked/policy/v1.js';

const group = 'policy';
const budgetResource = 'poddisruptionbudgets';
const budgets: ResourceRef = {group, version: 'v1', resource: budgetResource};
/** Maximum number of evictions that the controller has not yet observed. */
const maximumDisruptedPods = 2000;
/** Until a controller has had a look at a budget. */
const lookSeconds = 10;
const attempts = 20;

/** The budgets that select a pod; none if the type is not served. */
export async function budgetsOf(resources: ResourceClient, {metadata}: Pod): Promise<PodDisruptionBudget[]> {
  const isServed = resources.resources().some((served) => served.resource === budgetResource && served.group === group);
  if (!isServed) return [];
  const {items} = await resources.list(budgets, metadata.namespace ?? '');
  return items.filter((budget: PodDisruptionBudget) => selectorMatches(budget.spec?.selector, metadata.labels));
}

/**
 * Takes one disruption from a budget and records the pod, so that it is not counted twice.
 *
 * @throws StatusError 429 if none is left or the budget is not up to date
 */
export async function takeDisruption(
  resources: ResourceClient,
  budget: PodDisruptionBudget,
  pod: string,
  now: Date,
  dryRun: boolean,
): Promise<void> {
  const {namespace = '', name = ''} = budget.metadata;
  await retryOnConflict(attempts, async (conflict) => {
    const current: PodDisruptionBudget = conflict ? await resources.get(budgets, namespace, name) : budget;
    checkBudget(current);
    if (dryRun) return;
    const {disruptionsAllowed = 0, disruptedPods} = current.status ?? {};
    const noted = Object.fromEntries([...Object.entries(disruptedPods ?? {}), [pod, `${now.toISOString().slice(0, 19)}Z`]]);
    const status = {...current.status, disruptionsAllowed: disruptionsAllowed - 1, disruptedPods: noted};
    const conditions = status.disruptionsAllowed === 0 ? {conditions: conditionsOfBudget(status, now.getTime())} : {};
    await resources.update(budgets, namespace, {...current, status: {...status, ...conditions}}, 'status');
  });
}

function checkBudget({metadata, status = {}}: PodDisruptionBudget): void {
  const name = metadata.name ?? '';
  const {observedGeneration = 0, disruptionsAllowed = 0, disruptedPods} = status;
  if (observedGeneration < (metadata.generation ?? 0))
    throw refused(`The disruption budget ${name} is still being processed by the server.`, {retryAfterSeconds: lookSeconds});
  const target = {group, resource: budgetResource, name};
  if (disruptionsAllowed < 0) throw forbidden(target, 'pdb disruptions allowed is negative');
  if (Object.keys(disruptedPods ?? {}).length > maximumDisruptedPods) {
    throw forbidden(target, 'DisruptedPods map too big - too many evictions not confirmed by PDB controller');
  }
  if (disruptionsAllowed === 0) throw refused(`The disruption budget ${name} ${exhausted(status)}`);
}

/** Why a budget allows no disruption, in the words of Kubernetes. */
function exhausted(status: PodDisruptionBudgetStatus): string {
  const {currentHealthy = 0, desiredHealthy = 0} = status;
  const {status: value, reason = '', message = ''} = disruptionCondition(status) ?? {};
  const cause = value === 'False' ? message : '';
  if (cause !== '' && reason === syncFailed) return `does not allow evicting pods currently because it failed sync: ${cause}`;
  if (currentHealthy <= desiredHealthy) return `needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
  return `does not allow evicting pods currently${cause === '' ? '' : ` (${reason}): ${cause}`}`;
}

/** A refusal without a time is final for now: clients repeat by themselves what comes with one. */
function refused(message: string, when: {readonly retryAfterSeconds?: number} = {}): StatusError {
  return new StatusError(429, 'TooManyRequests', "Cannot evict pod as it would violate the pod's disruption budget.", {
    details: {causes: [{reason: 'DisruptionBudget', message}], ...when},
  });
}
