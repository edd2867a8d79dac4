import {
  admission,
  inject,
  Tokens,
  type AdmissionConfigurations,
  type AdmissionController,
  type AdmissionRequest,
  type FeatureGates,
  type NamingProfile,
  type ObjectCache,
  type ResourceClient,
} from '../../../sdk/index.js';
import {QuotaEvaluators} from '../../families/quota/evaluators.js';
import {resourceQuotas} from '../../families/quota/quota-object.js';
import {limitedResources, type LimitedResource} from './limited-resources.js';
import {Reservations} from './reservations.js';

/**
 * A new object must fit into every quota of its namespace that applies to it, and so must the increase of a changed object. This controller
 * runs late, so that little can fail between the charge and the write. As in Kubernetes, a quota takes effect once the controller
 * `resource-quota` has counted the existing objects.
 */
@admission({operations: ['CREATE', 'UPDATE'], order: 930, sideEffects: 'none-on-dry-run'})
export class ResourceQuotaAdmission implements AdmissionController {
  readonly #limited: readonly LimitedResource[];
  readonly #evaluators: QuotaEvaluators;
  readonly #reservations: Reservations;
  readonly #cache: ObjectCache;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.ObjectCache) cache: ObjectCache,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.AdmissionConfigurations) configurations: AdmissionConfigurations,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
  ) {
    this.#cache = cache;
    this.#limited = limitedResources(configurations.get('ResourceQuota'), naming);
    this.#evaluators = new QuotaEvaluators(naming, gates);
    this.#reservations = new Reservations(resources, this.#limited);
  }

  validate(request: AdmissionRequest): void | Promise<void> {
    const {namespace, subresource, operation, object, oldObject} = request;
    if (namespace === '' || !object) return undefined;
    const evaluator = this.#evaluators.of(request.resource);
    const isHandled =
      subresource === ''
        ? evaluator?.handles(operation, object, oldObject)
        : operation === 'UPDATE' && evaluator?.subresource === subresource && (evaluator.handlesSubresource?.(object, oldObject) ?? true);
    if (!evaluator || !isHandled) return undefined;
    // As of most servers: nothing to read, and nothing to wait for.
    if (this.#limited.length === 0 && this.#cache.count(resourceQuotas) === 0) return undefined;
    return this.#check({request, evaluator});
  }

  async #check(one: Parameters<Reservations['reserve']>[0]): Promise<void> {
    if (this.#limited.length === 0 && (await this.#reservations.cached(one.request.namespace)).length === 0) return;
    await this.#reservations.reserve(one);
  }
}
