import {
  retryOnConflict,
  StatusError,
  type ApiObject,
  type NamingProfile,
  type ResourceClient,
  type ServedResource,
} from '../../../sdk/index.js';
import type {CrossVersionObjectReference} from '../../../sdk/types/unchecked/autoscaling/v2.js';

/** What an autoscaler scales cannot be found, read or written; in the words of Kubernetes. */
export class ScaleError extends Error {}

/** A workload that can be scaled. */
export interface ScaleTarget {
  readonly type: ServedResource;
  readonly scale: ApiObject;
  readonly specReplicas: number;
  readonly statusReplicas: number;
  /** Of its pods, as text; empty if it has none. */
  readonly selector: string;
}

type Scale = ApiObject & {
  readonly spec?: {readonly replicas?: number};
  readonly status?: {readonly replicas?: number; readonly selector?: string};
};

/** As often as Kubernetes tries, and this long between. */
const attempts = 5;

/** Finds workloads by reference, and reads and writes their scale. */
export class ScaleTargets {
  readonly #resources: ResourceClient;
  readonly #naming: NamingProfile;

  constructor(resources: ResourceClient, naming: NamingProfile) {
    this.#resources = resources;
    this.#naming = naming;
  }

  /** The types of a kind in all versions, the preferred first. */
  typesOf(group: string, kind: string): ServedResource[] {
    return this.#resources
      .resources()
      .filter((type) => type.kind === kind && type.group === this.#naming.group(group) && !type.resource.includes('/'));
  }

  /** @throws ScaleError */
  async find(namespace: string, {apiVersion = '', kind = '', name = ''}: CrossVersionObjectReference): Promise<ScaleTarget> {
    const parts = apiVersion.split('/');
    if (parts.length > 2) throw new ScaleError(`unexpected GroupVersion string: ${apiVersion}`);
    const group = parts.length === 2 ? parts[0]! : '';
    const types = this.typesOf(group, kind);
    if (types.length === 0) throw new ScaleError(`no matches for kind "${kind}" in group "${group}"`);
    let first: unknown;
    for (const type of types) {
      try {
        return targetOf(type, (await this.#resources.get(type, namespace, name, {subresource: 'scale'})) as Scale);
      } catch (error) {
        first ??= error;
      }
    }
    throw new ScaleError(textOf(first), {cause: first});
  }

  /** Writes the number of replicas; if the scale has changed meanwhile, upon what it is now. @throws ScaleError */
  async scale(namespace: string, target: ScaleTarget, replicas: number): Promise<void> {
    const {type, scale: known} = target;
    try {
      await retryOnConflict(attempts, async (conflict) => {
        const scale = conflict ? await this.#resources.get(type, namespace, known.metadata.name!, {subresource: 'scale'}) : known;
        await this.#resources.update(type, namespace, {...scale, spec: {replicas}} as ApiObject, 'scale');
      });
    } catch (error) {
      throw new ScaleError(textOf(error), {cause: error});
    }
  }
}

function targetOf(type: ServedResource, scale: Scale): ScaleTarget {
  const {replicas: statusReplicas = 0, selector = ''} = scale.status ?? {};
  return {type, scale, specReplicas: scale.spec?.replicas ?? 0, statusReplicas, selector};
}

/** @throws what is no answer of the server */
function textOf(error: unknown): string {
  if (!StatusError.is(error)) throw error;
  return error.message;
}
