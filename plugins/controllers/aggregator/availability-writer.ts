import {isOvertaken, type Logger, type Metrics, type ResourceClient} from '../../../sdk/index.js';
import type {APIService as ApiService, APIServiceCondition} from '../../../sdk/types/unchecked/apiregistration/v1.js';
import {sameValue} from '../../../sdk/validation/index.js';
import {apiServices, remoteServiceOf, type RemoteService} from './api-service.js';
import type {Finding} from './availability.js';

/** Writes the findings of checks if they differ from the status: every server of a store checks. */
export class AvailabilityWriter {
  readonly #resources: ResourceClient;
  readonly #logger: Logger;
  readonly #unavailable;
  readonly #changes;
  readonly #known = new Map<string, number>();

  constructor(resources: ResourceClient, metrics: Metrics, logger: Logger) {
    this.#resources = resources;
    this.#logger = logger;
    this.#unavailable = metrics.gauge({
      name: 'aggregator_unavailable_apiservice',
      help: 'APIServices which are marked as unavailable broken down by APIService name.',
      stability: 'ALPHA',
      labels: ['name'],
    });
    this.#changes = metrics.counter({
      name: 'aggregator_unavailable_apiservice_total',
      help: 'How often APIServices were marked as unavailable broken down by APIService name and reason.',
      stability: 'ALPHA',
      labels: ['name', 'reason'],
    });
    metrics.collect(() => {
      this.#unavailable.clear();
      for (const [name, value] of this.#known) this.#unavailable.with(name).set(value);
    });
  }

  /**
   * @param checked the service that was checked; nothing is written if it has been replaced by another
   * @throws StatusError unless the object has been changed or deleted since
   */
  async write(name: string, checked: RemoteService, finding: Finding): Promise<void> {
    this.#known.set(name, finding.status === 'True' ? 0 : 1);
    try {
      const object: ApiService = await this.#resources.get(apiServices, '', name);
      if (!sameValue(remoteServiceOf(object), checked)) return;
      const before = object.status?.conditions?.find(({type}) => type === 'Available');
      const isSame = before?.status === finding.status && before.reason === finding.reason && before.message === finding.message;
      if (isSame) return;
      const condition: APIServiceCondition = {
        type: 'Available',
        ...finding,
        lastTransitionTime:
          before?.status === finding.status && before.lastTransitionTime
            ? before.lastTransitionTime
            : `${new Date().toISOString().slice(0, 19)}Z`,
      };
      const others = (object.status?.conditions ?? []).filter(({type}) => type !== 'Available');
      await this.#resources.update(apiServices, '', {...object, status: {...object.status, conditions: [...others, condition]}}, 'status');
      this.#logger.info(
        {apiService: name, status: finding.status, reason: finding.reason, why: finding.message},
        'availability has changed',
      );
      if (finding.status === 'False' && before?.status !== 'False') this.#changes.with(name, finding.reason).add();
    } catch (error) {
      // Another server has written it, or the next check will.
      if (!isOvertaken(error)) throw error;
    }
  }

  forget(name: string): void {
    this.#known.delete(name);
  }
}
