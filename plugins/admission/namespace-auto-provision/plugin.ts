import {
  admission,
  ifFound,
  inject,
  readCachedFirst,
  Tokens,
  unlessExists,
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
    const found = await ifFound(readCachedFirst(this.#resources, namespaces, '', namespace));
    // Another request may create it first.
    if (!found) await unlessExists(this.#resources.create(namespaces, '', {metadata: {name: namespace}}));
  }
}
