import {readCachedFirst, type AdmissionRequest, type ResourceClient, type ResourceRef} from '../../../sdk/index.js';

const namespaces: ResourceRef = {group: '', version: 'v1', resource: 'namespaces'};

type Labels = Readonly<Record<string, string>>;
const none: Labels = {};

/** The labels by which namespaces are selected. */
export class NamespaceLabels {
  readonly #resources: ResourceClient;

  constructor(resources: ResourceClient) {
    this.#resources = resources;
  }

  /**
   * Labels of the namespace of a request; for a namespace itself, its labels after the write, or its current labels on a delete.
   *
   * @returns undefined for other cluster-scoped objects
   * @throws StatusError 404 when there is no such namespace
   */
  of({resource, subresource, namespace, name, object, oldObject}: AdmissionRequest): Labels | Promise<Labels> | undefined {
    if (resource.group === '' && resource.resource === 'namespaces') {
      // What a subresource shows need not be a namespace.
      if (subresource === '') return (object ?? oldObject)?.metadata.labels ?? none;
      return this.#read(name);
    }
    return namespace === '' ? undefined : this.#read(namespace);
  }

  async #read(name: string): Promise<Labels> {
    return (await readCachedFirst(this.#resources, namespaces, '', name)).metadata.labels ?? none;
  }
}
