import {
  admission,
  admissionForbidden,
  inject,
  Tokens,
  type AdmissionController,
  type AdmissionRequest,
  type FeatureGates,
  type NamingProfile,
  type ResourceClient,
  type ResourceRef,
} from '../../../sdk/index.js';
import type {LimitRange, PersistentVolumeClaim, Pod} from '../../../sdk/types/core/v1.js';
import {fillInResources} from './default-resources.js';
import {claimFaults, podFaults} from './limit-faults.js';

const limitRanges: ResourceRef = {group: '', version: 'v1', resource: 'limitranges'};

/**
 * Fills in containers' default resources from the limit ranges of their namespace, and checks that pods and claims are within the limits.
 * The resources of a pod change only when it is resized, so other updates of pods are not checked; updates of claims are.
 */
@admission({
  operations: ['CREATE', 'UPDATE'],
  resources: ['pods', 'pods/resize', 'persistentvolumeclaims'],
  order: 130,
  sideEffects: 'none',
})
export class LimitRanger implements AdmissionController {
  readonly #annotation: string;
  readonly #gates: FeatureGates;
  readonly #resources: ResourceClient;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
  ) {
    this.#gates = gates;
    this.#resources = resources;
    this.#annotation = naming.key('orch/limit-ranger');
  }

  async admit(request: AdmissionRequest): Promise<void> {
    if (request.resource.resource !== 'pods' || isLetBe(request)) return;
    for (const range of await this.#ranges(request.namespace)) fillInResources(range, request.object as unknown as Pod, this.#annotation);
  }

  async validate(request: AdmissionRequest): Promise<void> {
    if (isLetBe(request)) return;
    const isPod = request.resource.resource === 'pods';
    for (const range of await this.#ranges(request.namespace)) {
      const faults = isPod
        ? podFaults(range, request.object as unknown as Pod, this.#gates)
        : claimFaults(range, request.object as unknown as PersistentVolumeClaim);
      const texts = [...new Set(faults)];
      if (texts.length > 0) throw admissionForbidden(request, texts.length === 1 ? texts[0]! : `[${texts.join(', ')}]`);
    }
  }

  async #ranges(namespace: string): Promise<LimitRange[]> {
    return (await this.#resources.list(limitRanges, namespace, {resourceVersion: '0'})).items as unknown as LimitRange[];
  }
}

/** Updates of pods that are no resizes, and of terminating objects. */
function isLetBe({operation, resource, subresource, oldObject}: AdmissionRequest): boolean {
  if (operation !== 'UPDATE') return false;
  return (resource.resource === 'pods' && subresource !== 'resize') || Boolean(oldObject?.metadata.deletionTimestamp);
}
