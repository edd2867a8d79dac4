import {
  controller,
  ifFound,
  inject,
  Tokens,
  type ApiObject,
  type Controller,
  type Logger,
  type Metrics,
  type ObjectCache,
  type ResourceClient,
} from '../../../sdk/index.js';
import {CacheInformer, done, EventRecorder, splitObjectKey, WorkQueue, type WorkResult} from '../../../sdk/controllers/index.js';
import {clusterWide} from '../../../sdk/types/resource-handle.js';
import type {Node} from '../../../sdk/types/unchecked/core/v1.js';
import {BlockPool} from '../../families/addresses/block-pool.js';

const nodeType = clusterWide<Node & ApiObject>('', 'v1', 'nodes', 'Node');

/** Nodes with it get the addresses of their pods from the simulation. */
const simulatedAnnotation = 'simulate.orch/node';

interface Settings {
  readonly clusterCidrs: readonly string[];
  readonly nodeMaskSizeIPv4: number;
  readonly nodeMaskSizeIPv6: number;
  readonly clusterIpRanges: readonly string[];
}

/** Gives each node a block of addresses for its pods. */
@controller()
export class NodeIpam implements Controller {
  readonly #resources: ResourceClient;
  readonly #settings: Settings;
  readonly #nodes: CacheInformer<Node & ApiObject>;
  readonly #queue: WorkQueue;
  readonly #events: EventRecorder;
  /** Blocks of nodes, by their key. */
  readonly #blocks = new Map<string, readonly string[]>();
  #pools: readonly BlockPool[] = [];
  #listed: Promise<unknown> = Promise.resolve();

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.ObjectCache) cache: ObjectCache,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
  ) {
    this.#resources = resources;
    this.#settings = config as unknown as Settings;
    this.#events = new EventRecorder({resources, logger, controller: 'cidrAllocator', form: 'core'});
    this.#queue = new WorkQueue((key) => this.#reconcile(key), {
      clock: resources.clock,
      scheduler: resources.scheduler,
      concurrency: 30,
      figures: {metrics, name: 'cidrallocator_node'},
      onError: (key, err) => logger.debug({key, err}, 'a node could not get addresses; retrying'),
    });
    this.#nodes = new CacheInformer(cache, nodeType, {
      changed: (key) => void this.#take(key),
      deleted: (key) => this.#release(key),
      failed: (key, err) => logger.warn({key, err}, 'an object cannot be read'),
    });
  }

  async check(): Promise<void> {
    this.#makePools();
  }

  start(signal: AbortSignal): Promise<void> {
    this.#pools = this.#makePools();
    // What nodes have already is known before any gets another one.
    this.#listed = this.#nodes.start(signal);
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    await this.#queue.close();
    await this.#events.close();
  }

  /** @throws Error in one sentence for settings that cannot work */
  #makePools(): BlockPool[] {
    const {clusterCidrs, nodeMaskSizeIPv4, nodeMaskSizeIPv6, clusterIpRanges} = this.#settings;
    return clusterCidrs.map((range) => {
      const pool = new BlockPool(range, range.includes(':') ? nodeMaskSizeIPv6 : nodeMaskSizeIPv4);
      for (const block of clusterIpRanges) pool.occupy(block);
      return pool;
    });
  }

  async #take(key: string): Promise<void> {
    const node = (await this.#nodes.get(splitObjectKey(key)[1])) as Node | undefined;
    const blocks = node?.spec?.podCIDRs ?? [];
    if (blocks.length > 0) this.#occupy(key, blocks);
    this.#queue.add(key);
  }

  #occupy(key: string, blocks: readonly string[]): void {
    this.#blocks.set(key, blocks);
    for (const block of blocks) for (const pool of this.#pools) pool.occupy(block);
  }

  #release(key: string): void {
    for (const block of this.#blocks.get(key) ?? []) for (const pool of this.#pools) pool.release(block);
    this.#blocks.delete(key);
  }

  async #reconcile(key: string): Promise<WorkResult> {
    await this.#listed;
    const [, name] = splitObjectKey(key);
    const node = (await this.#nodes.get(name)) as Node | undefined;
    if (!node || node.metadata.deletionTimestamp || this.#blocks.has(key)) return done;
    if (node.metadata.annotations?.[simulatedAnnotation] === 'true') return done;
    const taken = this.#pools.map((pool) => pool.take());
    const blocks = taken.filter((block) => block !== undefined);
    if (blocks.length < taken.length) {
      this.#free(blocks);
      this.#sayOf(node, 'CIDRNotAvailable');
      throw new Error('CIDR allocation failed; there are no remaining CIDRs left to allocate in the accepted range');
    }
    this.#blocks.set(key, blocks);
    try {
      const {uid} = node.metadata;
      const patch = {metadata: {uid}, spec: {podCIDR: blocks[0], podCIDRs: blocks}};
      if (!(await ifFound(this.#resources.patch(nodeType, '', name, patch)))) this.#release(key);
    } catch (error) {
      this.#release(key);
      this.#sayOf(node, 'CIDRAssignmentFailed');
      throw error;
    }
    return done;
  }

  #free(blocks: readonly string[]): void {
    for (const block of blocks) for (const pool of this.#pools) pool.release(block);
  }

  #sayOf({metadata}: Node, what: string): void {
    const {name = '', uid = ''} = metadata;
    const note = `Node ${name} status is now: ${what}`;
    this.#events.record({apiVersion: 'v1', kind: 'Node', metadata: {name, uid}}, {type: 'Normal', reason: what, note});
  }
}
