import {
  admission,
  inject,
  readCachedFirst,
  Tokens,
  type AdmissionController,
  type AdmissionRequest,
  type ResourceClient,
  type ResourceRef,
} from '../../../sdk/index.js';

const namespaces: ResourceRef = {group: '', version: 'v1', resource: 'namespaces'};

/** Answers 404 for every write in a namespace that does not exist. NamespaceLifecycle does the same for creates alone. */
@admission({operations: ['CREATE', 'UPDATE', 'DELETE'], order: 110, sideEffects: 'none'})
export class NamespaceExists implements AdmissionController {
  readonly #resources: ResourceClient;

  constructor(@inject(Tokens.Resources) resources: ResourceClient) {
    this.#resources = resources;
  }

  async validate({namespace, resource}: AdmissionRequest): Promise<void> {
    if (namespace === '' || (resource.group === '' && resource.resource === 'namespaces')) return;
    await readCachedFirst(this.#resources, namespaces, '', namespace);
  }
}
