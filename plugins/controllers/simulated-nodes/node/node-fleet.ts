import {
  isAlreadyExists,
  isConflict,
  isNotFound,
  type ApiObject,
  type Logger,
  type Metrics,
  type ObjectCache,
  type ResourceClient,
} from '../../../../sdk/index.js';
import {
  CacheInformer,
  done,
  splitObjectKey,
  systemClock,
  WorkQueue,
  type Clock,
  type WorkResult,
} from '../../../../sdk/controllers/index.js';
import type {IpFamily} from '../../../../sdk/net/index.js';
import type {Node} from '../../../../sdk/types/unchecked/core/v1.js';
import {Agenda} from '../agenda.js';
import {nodeType} from '../names.js';
import {isSimulated, type NodePool} from './node-form.js';
import {NodeAddresses} from './node-addresses.js';
import {firstStatus, newNode, type NodeReporter} from './node-object.js';
import {NodeWriter} from './node-writer.js';
import {SimulatedNode} from './simulated-node.js';

/** As kubelets renew their leases, and how often the simulation does so for all of its nodes together at most. */
const renewMillis = 10_000;
const longestRenewMillis = 30_000;
const millisBetweenRenewals = 40;
/** Renewals are due at such moments, many at once: the store writes them together, and a server at rest wakes less often. */
const renewalStepMillis = 1000;
/** As kubelets report a status in which nothing has changed. */
const reportMillis = 300_000;
/** Nodes that are made at the same time. */
const madeAtOnce = 16;
/**
 * Nodes that report at the same time. Kubelets do not wait for one another: while thousands of pods are written a write takes seconds, and with few at once the nodes would take turns so slowly
 * that they seem to be silent.
 */
const reportsAtOnce = 256;
const conflictMillis = 5;

export interface FleetOptions {
  readonly resources: ResourceClient;
  readonly cache: ObjectCache;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly reporter: NodeReporter;
  readonly leaseNamespace: string;
  /** Of which nodes and pods have addresses, the first one first. */
  readonly families: readonly IpFamily[];
  /** What is to be there, beside the Nodes that others make. */
  readonly pools: readonly NodePool[];
  /** Node objects of a file. */
  readonly objects: readonly Node[];
  /** A node has come, gone, or changed in what its pods see. Called while a change is applied. */
  readonly changed: (name: string) => void;
}

/** The simulated nodes: makes those that are asked for, reports their status, and renews their leases. */
export class NodeFleet {
  readonly #options: FleetOptions;
  readonly #clock: Clock;
  readonly #nodes = new Map<string, SimulatedNode>();
  readonly #addresses: NodeAddresses;
  readonly #informer: CacheInformer<Node & ApiObject>;
  readonly #queue: WorkQueue;
  readonly #renewals: Agenda;
  readonly #writer: NodeWriter;

  constructor(options: FleetOptions) {
    this.#options = options;
    const {resources, cache, logger, metrics} = options;
    this.#clock = resources.clock ?? systemClock;
    this.#addresses = new NodeAddresses(options.families);
    this.#writer = new NodeWriter(options, this.#addresses);
    this.#queue = new WorkQueue((name) => this.#sync(name), {
      clock: this.#clock,
      scheduler: resources.scheduler,
      concurrency: reportsAtOnce,
      figures: {metrics, name: 'simulated_node'},
      onError: (node, err) => logger.warn({node, err}, 'a simulated node could not be reported; retrying'),
    });
    this.#renewals = new Agenda(this.#clock, (name, at) => this.#renew(name, at));
    this.#informer = new CacheInformer(cache, nodeType, {
      changed: (key) => this.#look(splitObjectKey(key)[1]),
      deleted: (key) => this.#gone(splitObjectKey(key)[1]),
      failed: (key, err) => logger.warn({key, err}, 'a node cannot be read'),
    });
  }

  /** Resolves when all Nodes that exist are known; those that are missing are made afterwards. */
  async start(signal: AbortSignal): Promise<void> {
    await this.#informer.start(signal);
    if (!signal.aborted) void this.#makeMissing(signal);
  }

  async stop(): Promise<void> {
    this.#renewals.close();
    await this.#queue.close();
  }

  /** A simulated node; undefined if there is none of that name. */
  find(name: string): SimulatedNode | undefined {
    return this.#nodes.get(name);
  }

  get names(): string[] {
    return [...this.#nodes.keys()];
  }

  async #makeMissing(signal: AbortSignal): Promise<void> {
    const {pools, objects, logger} = this.#options;
    const wanted = [...objects.map((node) => () => this.#writer.create(node)), ...pools.flatMap((pool) => this.#ofPool(pool))];
    const next = wanted.values();
    const worker = async (): Promise<void> => {
      for (const make of next) {
        if (signal.aborted) return;
        try {
          await make();
        } catch (err) {
          if (!isAlreadyExists(err) && !signal.aborted) logger.warn({err}, 'a simulated node could not be made');
        }
      }
    };
    await Promise.all(Array.from({length: madeAtOnce}, worker));
  }

  #ofPool(pool: NodePool): (() => Promise<void>)[] {
    const {reporter} = this.#options;
    return Array.from({length: pool.count}, (_, index) => index)
      .filter((index) => !this.#informer.metadataView(`${pool.prefix}-${index + 1}`))
      .map((index) => async () => {
        const node = newNode(`${pool.prefix}-${index + 1}`, pool, index, reporter);
        const podCIDRs = this.#addresses.podBlocks(Number(pool.capacity['pods']));
        node.spec = {...node.spec, podCIDR: podCIDRs[0]!, podCIDRs};
        node.status = firstStatus(node, pool.capacity, this.#addresses.machine(), new Set(), this.#clock.now(), reporter);
        await this.#writer.create(node);
      });
  }

  #look(name: string): void {
    const node = this.#informer.getNow(name);
    if (!node || !isSimulated(node)) return this.#gone(name);
    const uid = node.metadata.uid!;
    const known = this.#nodes.get(name);
    if (known && known.uid !== uid) this.#gone(name);
    const simulated = this.#nodes.get(name) ?? this.#come(name, uid);
    if (simulated.update(node) || !known) this.#options.changed(name);
    this.#addresses.note(simulated.hostAddresses, node.spec?.podCIDRs ?? []);
    simulated.isReported = false;
    this.#queue.add(name);
  }

  #come(name: string, uid: string): SimulatedNode {
    const node = new SimulatedNode(name, uid, this.#options.reporter.keys.os);
    const now = this.#clock.now();
    node.renewAt = now;
    node.reportAt = now + reportMillis * apart();
    this.#nodes.set(name, node);
    this.#renewals.set(name, renewalAfter(now + Math.random() * this.#renewMillis));
    return node;
  }

  #gone(name: string): void {
    if (!this.#nodes.delete(name)) return;
    this.#renewals.set(name, undefined);
    this.#options.changed(name);
  }

  get #renewMillis(): number {
    return Math.min(Math.max(renewMillis, this.#nodes.size * millisBetweenRenewals), longestRenewMillis);
  }

  #renew(name: string, at: number): void {
    const node = this.#nodes.get(name);
    if (!node) return;
    this.#renewals.set(name, renewalAfter(Math.max(at + this.#renewMillis, this.#clock.now())));
    if (node.faults.has('down')) return;
    node.renewAt = at;
    this.#queue.add(name);
  }

  async #sync(name: string): Promise<WorkResult> {
    const simulated = this.#nodes.get(name);
    if (!simulated || simulated.faults.has('down')) return done;
    const now = this.#clock.now();
    try {
      if (!simulated.isReported || simulated.reportAt <= now) await this.#report(simulated, now);
      if (simulated.renewAt <= now && simulated.isUp) {
        simulated.renewAt = Infinity;
        await this.#writer.renew(simulated, now);
      }
    } catch (error) {
      simulated.isReported = false;
      if (isNotFound(error)) return done;
      if (isConflict(error)) return {again: conflictMillis};
      throw error;
    }
    return done;
  }

  async #report(simulated: SimulatedNode, now: number): Promise<void> {
    const node = this.#informer.getNow(simulated.name);
    if (!node) return;
    // A change sets it back.
    simulated.isReported = true;
    const isDue = simulated.reportAt <= now;
    if (await this.#writer.report(node, simulated, now)) simulated.reportAt = now + reportMillis * (isDue ? 1 : apart());
  }
}

/** As kubelets, after a change the next report comes up to half of the pause sooner or later: nodes that came or changed together do not report together ever after. */
function apart(): number {
  return 0.5 + Math.random();
}

/** The first moment for renewals from a time on. */
function renewalAfter(time: number): number {
  return Math.ceil(time / renewalStepMillis) * renewalStepMillis;
}
