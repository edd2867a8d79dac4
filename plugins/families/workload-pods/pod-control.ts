import {isNamespaceTerminating, isNotFound, type ApiObject, type ResourceClient, type ResourceRef} from '../../../sdk/index.js';
import type {EventRecorder} from '../../../sdk/controllers/index.js';
import type {Pod, PodTemplateSpec} from '../../../sdk/types/unchecked/core/v1.js';
import {controllerReference} from './controller-reference.js';

export const podType: ResourceRef = {group: '', version: 'v1', resource: 'pods'};

/** Maximum characters of a name. */
const longestName = 253;

/** The object that pods are made for. */
export interface PodOwner {
  /** With `apiVersion` and `kind`, which events name. */
  readonly object: ApiObject;
  readonly apiVersion: string;
  readonly kind: string;
}

/** The pod that a template describes, with the owner as its controller and a name that the server completes. */
export function podOfTemplate(template: PodTemplateSpec, {object, apiVersion, kind}: PodOwner): Pod {
  const {name = '', namespace = ''} = object.metadata;
  const {labels, annotations, finalizers} = template.metadata ?? {};
  // The dash is for the eye, where the name has room for it.
  const generateName = name.length < longestName ? `${name}-` : name;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName,
      namespace,
      ...(labels ? {labels: {...labels}} : {}),
      ...(annotations ? {annotations: {...annotations}} : {}),
      ...(finalizers ? {finalizers: [...finalizers]} : {}),
      ownerReferences: [controllerReference(object, apiVersion, kind)],
    },
    spec: structuredClone(template.spec ?? {}),
  };
}

/** Makes and deletes pods, and records it as Events about their owner. */
export class PodControl {
  readonly #resources: ResourceClient;
  readonly #events: EventRecorder;

  constructor(resources: ResourceClient, events: EventRecorder) {
    this.#resources = resources;
    this.#events = events;
  }

  /** @throws StatusError */
  async create(pod: Pod, {object}: PodOwner): Promise<Pod> {
    if (Object.keys(pod.metadata.labels ?? {}).length === 0) throw new Error('unable to create pods, no labels');
    try {
      const made = (await this.#resources.create(podType, object.metadata.namespace!, pod as ApiObject)) as Pod;
      this.#events.record(object, {type: 'Normal', reason: 'SuccessfulCreate', note: `Created pod: ${made.metadata.name}`});
      return made;
    } catch (error) {
      if (!isNamespaceTerminating(error))
        this.#events.record(object, {type: 'Warning', reason: 'FailedCreate', note: `Error creating: ${(error as Error).message}`});
      throw error;
    }
  }

  /** @throws StatusError 404 if it is gone, Error for other failures */
  async delete(name: string, {object}: PodOwner): Promise<void> {
    try {
      await this.#resources.delete(podType, object.metadata.namespace!, name);
    } catch (error) {
      if (isNotFound(error)) throw error;
      const {message} = error as Error;
      this.#events.record(object, {type: 'Warning', reason: 'FailedDelete', note: `Error deleting: ${message}`});
      throw new Error(`unable to delete pods: ${message}`, {cause: error});
    }
    this.#events.record(object, {type: 'Normal', reason: 'SuccessfulDelete', note: `Deleted pod: ${name}`});
  }
}
