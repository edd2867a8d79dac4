import {
  badRequest,
  conflict,
  inject,
  internalError,
  isConflict,
  Tokens,
  virtualResource,
  type ApiObject,
  type DeleteCallOptions,
  type FeatureGates,
  type ResourceClient,
  type VirtualRequest,
  type VirtualResource,
} from '../../../sdk/index.js';
import type {Eviction, PodDisruptionBudget} from '../../../sdk/types/unchecked/policy/v1.js';
import type {Pod} from '../../../sdk/types/unchecked/core/v1.js';
import {budgetsOf, takeDisruption} from './disruption-budget.js';
import {isConditionTrue, isFinished, pods} from './pod.js';
import {successStatus} from './success-status.js';

const attempts = 20;

/** The `eviction` subresource of pods: a deletion that disruption budgets may temporarily forbid. */
@virtualResource()
export class PodEviction implements VirtualResource {
  readonly #resources: ResourceClient;
  readonly #gates: FeatureGates;

  constructor(@inject(Tokens.Resources) resources: ResourceClient, @inject(Tokens.FeatureGates) gates: FeatureGates) {
    this.#resources = resources;
    this.#gates = gates;
  }

  async create(object: ApiObject, request: VirtualRequest): Promise<ApiObject> {
    const eviction: Eviction = object;
    const {name} = eviction.metadata;
    if (name !== request.name) throw badRequest('name in URL does not match name in Eviction object');
    const {dryRun: inBody = []} = eviction.deleteOptions ?? {};
    if (inBody.some((value) => value !== 'All')) throw badRequest(`invalid dryRun value in deleteOptions: ${JSON.stringify(inBody)}`);
    const dryRun = request.dryRun || inBody.length > 0;
    for (let attempt = 1; ; attempt += 1) {
      const pod = await this.#wantedPod(eviction, request);
      try {
        await this.#evict(pod, eviction, request, dryRun);
        return successStatus();
      } catch (error) {
        // The pod has changed since its budget was checked. A version given by the client is still not met, so retrying is pointless then.
        const mayRetry = isConflict(error) && !eviction.deleteOptions?.preconditions?.resourceVersion;
        if (!mayRetry || attempt === attempts) throw error;
      }
    }
  }

  async #wantedPod({deleteOptions}: Eviction, {namespace, name}: VirtualRequest): Promise<Pod> {
    const pod = (await this.#resources.get(pods, namespace, name)) as Pod;
    const uid = deleteOptions?.preconditions?.uid;
    if (!uid || uid === pod.metadata.uid) return pod;
    throw conflict(
      {group: '', resource: 'pods', name},
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${pod.metadata.uid ?? ''}`,
    );
  }

  async #evict(pod: Pod, {deleteOptions}: Eviction, request: VirtualRequest, dryRun: boolean): Promise<void> {
    const {gracePeriodSeconds, propagationPolicy, preconditions} = deleteOptions ?? {};
    const isCounted = await this.#settleBudget(pod, request, dryRun);
    if (dryRun) return;
    const options: DeleteCallOptions = {
      ...(gracePeriodSeconds === undefined ? {} : {gracePeriodSeconds}),
      ...(propagationPolicy === undefined ? {} : {propagationPolicy: propagationPolicy as DeleteCallOptions['propagationPolicy']}),
      uid: pod.metadata.uid ?? '',
      // A pod that was not charged to a budget must still be exempt when it is deleted.
      ...(isCounted ? {} : {resourceVersion: pod.metadata.resourceVersion ?? ''}),
      ...(preconditions?.resourceVersion === undefined ? {} : {resourceVersion: preconditions.resourceVersion}),
    };
    await this.#resources.delete(pods, request.namespace, request.name, options);
  }

  /**
   * Takes one disruption from the budget of a pod. Returns whether one was taken: pods that serve no traffic are free.
   *
   * @throws StatusError 429 if none is left, 500 if there is more than one budget
   */
  async #settleBudget(pod: Pod, {now}: VirtualRequest, dryRun: boolean): Promise<boolean> {
    if (pod.metadata.deletionTimestamp || isFinished(pod) || pod.status?.phase === 'Pending') return false;
    const budgets = await budgetsOf(this.#resources, pod);
    if (budgets.length > 1)
      throw internalError('This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.');
    const [budget] = budgets;
    if (!budget || this.#isUncounted(pod, budget)) return false;
    await takeDisruption(this.#resources, budget, pod.metadata.name ?? '', now, dryRun);
    return true;
  }

  /** An unhealthy pod does not count towards the pods that the budget protects. */
  #isUncounted(pod: Pod, {spec, status}: PodDisruptionBudget): boolean {
    if (isConditionTrue(pod, 'Ready')) return false;
    if (spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow' && this.#gates.enabled('PDBUnhealthyPodEvictionPolicy')) return true;
    const {currentHealthy = 0, desiredHealthy = 0} = status ?? {};
    return currentHealthy >= desiredHealthy && desiredHealthy > 0;
  }
}
