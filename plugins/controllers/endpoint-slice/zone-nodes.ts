import type {ApiObject, ObjectCache} from '../../../sdk/index.js';
import {CacheInformer, splitObjectKey} from '../../../sdk/controllers/index.js';
import {clusterWide} from '../../../sdk/types/resource-handle.js';
import type {Node} from '../../../sdk/types/unchecked/core/v1.js';
import {zoneNode, type ZoneNode} from './zone-shares.js';

const nodeType = clusterWide<Node & ApiObject>('', 'v1', 'nodes', 'Node');

export interface ZoneNodesOptions {
  readonly cache: ObjectCache;
  readonly key: (neutral: string) => string;
  /** A node has come or gone, has become ready or not, or is in another zone. */
  readonly changed: (name: string) => void;
  readonly failed: (key: string, error: unknown) => void;
}

/** The nodes in the server's cache with their zones. */
export class ZoneNodes {
  readonly #nodes = new Map<string, ZoneNode>();
  readonly #informer: CacheInformer<Node & ApiObject>;
  readonly #options: ZoneNodesOptions;

  constructor(options: ZoneNodesOptions) {
    this.#options = options;
    const {cache, failed} = options;
    this.#informer = new CacheInformer(cache, nodeType, {
      changed: (key) => void this.#look(key).catch((error: unknown) => failed(key, error)),
      deleted: (key) => {
        const [, name] = splitObjectKey(key);
        if (this.#nodes.delete(name)) options.changed(name);
      },
      failed,
    });
  }

  start(signal: AbortSignal): Promise<void> {
    return this.#informer.start(signal);
  }

  all(): Iterable<ZoneNode> {
    return this.#nodes.values();
  }

  /** Empty for a node without a zone, undefined for one that is not there. */
  zoneOf(name: string): string | undefined {
    return this.#nodes.get(name)?.zone;
  }

  async #look(key: string): Promise<void> {
    const [, name] = splitObjectKey(key);
    const found = this.#informer.get(name);
    const node = found instanceof Promise ? await found : found;
    if (!node) return;
    const after = zoneNode(node as Node, this.#options.key);
    const before = this.#nodes.get(name);
    this.#nodes.set(name, after);
    if (before?.isReady !== after.isReady || before.zone !== after.zone) this.#options.changed(name);
  }
}
