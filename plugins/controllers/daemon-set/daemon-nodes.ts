import type {ApiObject, ObjectCache} from '../../../sdk/index.js';
import {CacheInformer, splitObjectKey} from '../../../sdk/controllers/index.js';
import {clusterWide} from '../../../sdk/types/resource-handle.js';
import {sameValue} from '../../../sdk/validation/index.js';
import type {DaemonSet} from '../../../sdk/types/unchecked/apps/v1.js';
import type {Node, Taint} from '../../../sdk/types/unchecked/core/v1.js';
import {nodeRequirements} from '../../families/placement/node-terms.js';
import {isKeptAway, tolerates} from '../../families/placement/tolerations.js';
import {daemonTolerations} from './daemon-pod.js';
import type {DaemonKeys} from './daemon-set-object.js';

const nodes = clusterWide<Node & ApiObject>('', 'v1', 'nodes', 'Node');

/** A node, as far as it decides whether pods of DaemonSets belong there. */
export interface DaemonNode {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
}

/** Whether a DaemonSet is for a node. */
export interface NodeFit {
  /** A node without a pod gets one. */
  readonly shouldRun: boolean;
  /** A pod that is there may stay. */
  readonly mayStay: boolean;
}

const never: NodeFit = {shouldRun: false, mayStay: false};

/** The rule of a DaemonSet: by name, node selector and affinity, and the taints that its pods tolerate. */
export function nodeRule({spec}: DaemonSet, keys: DaemonKeys): (node: DaemonNode) => NodeFit {
  const pod = spec?.template?.spec ?? {};
  const required = nodeRequirements(pod);
  const tolerations = daemonTolerations(pod, keys);
  return (node) => {
    if (pod.nodeName && pod.nodeName !== node.name) return never;
    if (required && !required.matches(node)) return never;
    const {taints} = node;
    if (taints.length === 0 || !isKeptAway(taints, tolerations)) return {shouldRun: true, mayStay: true};
    const isDriven = taints.some((taint) => taint.effect === 'NoExecute' && !tolerations.some((each) => tolerates(each, taint)));
    return {shouldRun: false, mayStay: !isDriven};
  };
}

export interface DaemonNodesOptions {
  readonly cache: ObjectCache;
  /** Labels or taints of a node have changed, or it is new. @param node undefined for one that is gone */
  readonly changed: (name: string, node: DaemonNode | undefined) => void;
  readonly failed: (key: string, error: unknown) => void;
}

/** All nodes, by name. */
export class DaemonNodes {
  readonly #nodes = new Map<string, DaemonNode>();
  readonly #informer: CacheInformer<Node & ApiObject>;
  readonly #options: DaemonNodesOptions;

  constructor(options: DaemonNodesOptions) {
    this.#options = options;
    this.#informer = new CacheInformer(options.cache, nodes, {
      changed: (key) => this.#look(key),
      deleted: (key) => this.#put(splitObjectKey(key)[1], undefined),
      failed: options.failed,
    });
  }

  /** Resolves when all nodes are known. */
  start(signal: AbortSignal): Promise<void> {
    return this.#informer.start(signal);
  }

  all(): Iterable<DaemonNode> {
    return this.#nodes.values();
  }

  get(name: string): DaemonNode | undefined {
    return this.#nodes.get(name);
  }

  #look(key: string): void {
    const [, name] = splitObjectKey(key);
    try {
      // Nobody converts nodes: there is nothing to wait for.
      const node = this.#informer.get(name) as Node | undefined;
      this.#put(
        name,
        node && {name, labels: {...(node.metadata.labels as Record<string, string>)}, taints: structuredClone(node.spec?.taints ?? [])},
      );
    } catch (error) {
      this.#options.failed(key, error);
    }
  }

  #put(name: string, node: DaemonNode | undefined): void {
    if (sameValue(node, this.#nodes.get(name))) return;
    if (node) this.#nodes.set(name, node);
    else this.#nodes.delete(name);
    this.#options.changed(name, node);
  }
}
