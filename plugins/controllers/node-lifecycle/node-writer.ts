import {isConflict, isNotFound, retryOnConflict, secondTime, type ApiObject, type Clock, type ResourceClient} from '../../../sdk/index.js';
import {clusterWide} from '../../../sdk/types/resource-handle.js';
import {changedTaints, type TaintChange} from '../../families/nodes/node-taints.js';
import type {Node, Pod} from '../../../sdk/types/unchecked/core/v1.js';
import {silentConditions} from './silent-status.js';

export const nodeType = clusterWide<Node & ApiObject>('', 'v1', 'nodes', 'Node');
const podType = {group: '', version: 'v1', resource: 'pods'};

/** Attempts to write a node that others write at the same time. */
const mostAttempts = 5;

/** Writes nodes and the status of their pods. */
export class NodeWriter {
  readonly #resources: ResourceClient;
  readonly #clock: Clock;

  constructor(resources: ResourceClient, clock: Clock) {
    this.#resources = resources;
    this.#clock = clock;
  }

  /** Adds and removes taints. @throws StatusError 404 if the node is gone */
  async changeTaints(name: string, change: TaintChange): Promise<void> {
    await this.#retry(name, async (node) => {
      const taints = changedTaints(node, change, secondTime(this.#clock.now()));
      if (!taints) return;
      const {resourceVersion} = node.metadata;
      await this.#resources.patch(nodeType, '', name, {metadata: {resourceVersion}, spec: {taints}});
    });
  }

  /** Sets labels. */
  async setLabels(name: string, labels: Readonly<Record<string, string>>): Promise<void> {
    await this.#resources.patch(nodeType, '', name, {metadata: {labels}});
  }

  /** Says that a node is silent. @param isSilent asked about the node as it is when it is written @throws StatusError 404 if the node is gone */
  async markSilent(name: string, isSilent: (node: Node) => boolean): Promise<void> {
    await this.#retry(name, async (node) => {
      if (!isSilent(node)) return;
      const conditions = silentConditions(node, this.#clock.now());
      const changed = {...node, status: {...node.status, conditions}};
      await this.#resources.update(nodeType, '', changed as ApiObject, 'status');
    });
  }

  /** Says that a pod is not ready. @returns whether it had said that it was; false if it is gone */
  async markNotReady({metadata, status}: Pod): Promise<boolean> {
    const {name = '', namespace = '', uid} = metadata;
    const ready = status?.conditions?.find(({type}) => type === 'Ready');
    if (!ready || ready.status === 'False') return false;
    const conditions = [{type: 'Ready', status: 'False', lastTransitionTime: secondTime(this.#clock.now())}];
    try {
      await this.#resources.patch(podType, namespace, name, {metadata: {uid}, status: {conditions}}, 'status', {form: 'strategic'});
      return true;
    } catch (error) {
      if (isNotFound(error) || isConflict(error)) return false;
      throw error;
    }
  }

  #retry(name: string, write: (node: Node) => Promise<void>): Promise<void> {
    return retryOnConflict(mostAttempts, async () => write((await this.#resources.get(nodeType, '', name)) as Node));
  }
}
