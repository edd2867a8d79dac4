import {
  badRequest,
  inject,
  Tokens,
  virtualResource,
  type ApiObject,
  type FeatureGates,
  type ResourceClient,
  type VirtualRequest,
  type VirtualResource,
} from '../../../sdk/index.js';
import type {Binding} from '../../../sdk/types/unchecked/core/v1.js';
import {assigningWith, assignPod, type Assigning} from './assign-pod.js';
import {successStatus} from './success-status.js';

/** The `binding` subresource of pods: assigns the pod to a node. */
@virtualResource()
export class PodBinding implements VirtualResource {
  readonly #assigning: Assigning;

  constructor(@inject(Tokens.Resources) resources: ResourceClient, @inject(Tokens.FeatureGates) gates: FeatureGates) {
    this.#assigning = assigningWith(resources, gates);
  }

  async create(object: ApiObject, request: VirtualRequest): Promise<ApiObject> {
    const binding: Binding = object;
    const {name} = binding.metadata;
    if (name !== request.name) throw badRequest('name in URL does not match name in Binding object');
    await assignPod(this.#assigning, request.name, binding, request);
    return successStatus();
  }
}

/** Bindings as a separate type: the same operation, with the pod named in the body. */
@virtualResource()
export class Bindings implements VirtualResource {
  readonly #assigning: Assigning;

  constructor(@inject(Tokens.Resources) resources: ResourceClient, @inject(Tokens.FeatureGates) gates: FeatureGates) {
    this.#assigning = assigningWith(resources, gates);
  }

  async create(object: ApiObject, request: VirtualRequest): Promise<ApiObject> {
    const {name} = object.metadata;
    if (!name) throw badRequest('the binding must name its pod in metadata.name');
    await assignPod(this.#assigning, name, object, request);
    return successStatus();
  }
}
