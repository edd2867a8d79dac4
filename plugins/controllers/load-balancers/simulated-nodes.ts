import type {ObjectCache} from '../../../sdk/index.js';
import {CacheInformer, splitObjectKey} from '../../../sdk/controllers/index.js';
import {clusterWide} from '../../../sdk/types/resource-handle.js';

const nodeType = clusterWide('', 'v1', 'nodes', 'Node');
const annotation = 'simulate.orch/node';

/** Whether nodes are simulated: then somebody has to simulate what stands before them, too. */
export class SimulatedNodes {
  readonly #names = new Set<string>();
  readonly #nodes: CacheInformer;

  /** @param changed called when the first has come or the last has gone */
  constructor(cache: ObjectCache, changed: () => void, failed: (key: string, error: unknown) => void) {
    const note = (name: string, isSimulated: boolean): void => {
      const before = this.any;
      if (isSimulated) this.#names.add(name);
      else this.#names.delete(name);
      if (this.any !== before) changed();
    };
    this.#nodes = new CacheInformer(cache, nodeType, {
      changed: (key) => {
        const [, name] = splitObjectKey(key);
        note(name, this.#nodes.metadataView(name)?.metadata().annotations?.[annotation] === 'true');
      },
      deleted: (key) => note(splitObjectKey(key)[1], false),
      failed,
    });
  }

  start(signal: AbortSignal): Promise<void> {
    return this.#nodes.start(signal);
  }

  get any(): boolean {
    return this.#names.size > 0;
  }
}
