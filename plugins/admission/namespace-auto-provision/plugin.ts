import {
  admission,
  inject,
  isNotFound,
  readCachedFirst,
  StatusError,
  Tokens,
  type AdmissionController,
  type AdmissionRequest,
  type ResourceClient,
  type ResourceRef,
} from '../../../sdk/index.js';

const namespaces: ResourceRef = {group: '', version: 'v1', resource: 'namespaces'};

/** Creates the namespace of an object that is about to be created in it, before NamespaceLifecycle checks for it. */
@admission({operations: ['CREATE'], order: 90, sideEffects: 'none-on-dry-run'})
export class NamespaceAutoProvision implements AdmissionController {
  readonly #resources: ResourceClient;

  constructor(@inject(Tokens.Resources) resources: ResourceClient) {
    this.#resources = resources;
  }

  async admit({namespace, resource, dryRun}: AdmissionRequest): Promise<void> {
    if (dryRun || namespace === '' || (resource.group === '' && resource.resource === 'namespaces')) return;
    try {
      await readCachedFirst(this.#resources, namespaces, '', namespace);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await this.#create(namespace);
    }
  }

  async #create(name: string): Promise<void> {
    try {
      await this.#resources.create(namespaces, '', {metadata: {name}});
    } catch (error) {
      // Another request created it first.
      if (!StatusError.is(error) || error.reason !== 'AlreadyExists') throw error;
    }
  }
}
