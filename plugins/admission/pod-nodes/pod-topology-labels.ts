import {
  admission,
  inject,
  Tokens,
  type AdmissionController,
  type AdmissionRequest,
  type NamingProfile,
  type ObjectCache,
  type ResourceClient,
} from '../../../sdk/index.js';
import type {Binding, Pod} from '../../../sdk/types/unchecked/core/v1.js';
import {findNode, nodes} from './find-node.js';

/** Gives pods the labels that say where their node is: when they are bound, and when they are written with a node. */
@admission({operations: ['CREATE'], resources: ['pods', 'pods/binding'], order: 360, sideEffects: 'none'})
export class PodTopologyLabels implements AdmissionController {
  readonly #resources: ResourceClient;
  readonly #cache: ObjectCache;
  readonly #keys: readonly string[];

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.ObjectCache) cache: ObjectCache,
    @inject(Tokens.Naming) naming: NamingProfile,
  ) {
    this.#resources = resources;
    this.#cache = cache;
    this.#keys = ['topology.orch/zone', 'topology.orch/region'].map((key) => naming.key(key));
  }

  async admit({object, subresource}: AdmissionRequest): Promise<void> {
    const name = subresource === '' ? (object as Pod).spec?.nodeName : nodeOfBinding(object as Binding);
    const labels = name ? await this.#labelsOf(name) : undefined;
    const copied = this.#keys.flatMap((key) => (labels?.[key] === undefined ? [] : [[key, labels[key]] as const]));
    if (copied.length > 0) object!.metadata.labels = {...object!.metadata.labels, ...Object.fromEntries(copied)};
  }

  /** Of a node, which many pods have. */
  async #labelsOf(node: string): Promise<Readonly<Record<string, string | undefined>> | undefined> {
    const known = this.#cache.find(nodes, '', node);
    return known ? known.labels() : (await findNode(this.#resources, node))?.metadata.labels;
  }
}

function nodeOfBinding({target}: Binding): string | undefined {
  return target?.kind === 'Node' ? target.name : undefined;
}
