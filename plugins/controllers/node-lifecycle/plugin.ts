import {
  controller,
  inject,
  Tokens,
  type ApiObject,
  type Clock,
  type Controller,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ObjectCache,
  type ResourceClient,
} from '../../../sdk/index.js';
import {
  CacheInformer,
  done,
  EventRecorder,
  splitObjectKey,
  systemClock,
  WorkQueue,
  type WorkResult,
} from '../../../sdk/controllers/index.js';
import {namespaced} from '../../../sdk/types/resource-handle.js';
import type {Node} from '../../../sdk/types/unchecked/core/v1.js';
import {PodsByNode} from '../../families/nodes/pods-by-node.js';
import {HealthMonitor} from './health-monitor.js';
import {NodeKeys, type NodeRecord} from './node-record.js';
import {NodeUpkeep} from './node-upkeep.js';
import {nodeType, NodeWriter} from './node-writer.js';

interface Settings {
  readonly monitorSeconds: number;
  readonly monitorGraceSeconds: number;
  readonly startupGraceSeconds: number;
  readonly evictionRate: number;
  readonly secondaryEvictionRate: number;
  readonly largeClusterSizeThreshold: number;
  readonly unhealthyZoneThreshold: number;
}

const leaseType = namespaced('coordination.orch', 'v1', 'leases', 'Lease');

/** Of looks that are more than this many times their pause late nobody can say what happened meanwhile: the clock has leapt, or the process stood still. */
const late = 2;

/** Looks after the lives of nodes. */
@controller()
export class NodeLifecycle implements Controller {
  readonly #clock: Clock;
  readonly #settings: Settings;
  readonly #nodes = new Map<string, NodeRecord>();
  readonly #informer: CacheInformer<Node & ApiObject>;
  readonly #leases: CacheInformer;
  readonly #pods: PodsByNode;
  readonly #monitor: HealthMonitor;
  readonly #queue: WorkQueue;
  readonly #events: EventRecorder;
  readonly #logger: Logger;
  #isStopped = false;
  #callOffLook: () => void = () => undefined;
  #callOffTaint: () => void = () => undefined;
  #working: Promise<void> = Promise.resolve();

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.ObjectCache) cache: ObjectCache,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
  ) {
    const settings = config as unknown as Settings;
    const clock = resources.clock ?? systemClock;
    const failed = (key: string, err: unknown) => logger.warn({key, err}, 'an object cannot be read');
    this.#settings = settings;
    this.#clock = clock;
    this.#logger = logger;
    const keys = new NodeKeys(naming);
    const writer = new NodeWriter(resources, clock);
    const upkeep = new NodeUpkeep(naming, writer);
    this.#events = new EventRecorder({resources, logger, controller: 'node-controller', form: 'core'});
    this.#queue = new WorkQueue((key) => this.#reconcile(key, upkeep), {
      clock,
      scheduler: resources.scheduler,
      concurrency: 8,
      figures: {metrics, name: 'node_lifecycle_controller'},
      onError: (key, err) => logger.debug({key, err}, 'a node could not be brought in order; retrying'),
    });
    this.#informer = new CacheInformer(cache, nodeType, {
      changed: (key) => void this.#nodeChanged(key, keys).catch((error: unknown) => failed(key, error)),
      deleted: (key) => void this.#nodes.delete(splitObjectKey(key)[1]),
      failed,
    });
    const leaseNamespace = naming.nodeLeaseNamespace;
    this.#leases = new CacheInformer(cache, leaseType, {
      changed: (key) => {
        const [namespace, name] = splitObjectKey(key);
        if (namespace === leaseNamespace) this.#monitor.life.renewed(name, clock.now());
      },
      deleted: (key) => {
        const [namespace, name] = splitObjectKey(key);
        if (namespace === leaseNamespace) this.#monitor.life.leaseGone(name);
      },
      failed,
    });
    this.#pods = new PodsByNode({cache, failed});
    this.#monitor = new HealthMonitor({
      nodes: this.#nodes,
      keys,
      pods: this.#pods,
      writer,
      events: this.#events,
      clock,
      logger,
      rates: {
        evictionRate: settings.evictionRate,
        secondaryEvictionRate: settings.secondaryEvictionRate,
        largeZone: settings.largeClusterSizeThreshold,
        unhealthyShare: settings.unhealthyZoneThreshold,
      },
      graceMillis: settings.monitorGraceSeconds * 1000,
      startupGraceMillis: settings.startupGraceSeconds * 1000,
    });
  }

  async start(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#informer.start(signal), this.#leases.start(signal), this.#pods.start(signal)]);
    this.#lookNow();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#callOffLook();
    this.#callOffTaint();
    await this.#queue.close();
    await this.#working;
    await this.#events.close();
  }

  async #nodeChanged(key: string, keys: NodeKeys): Promise<void> {
    const [, name] = splitObjectKey(key);
    const found = this.#informer.get(name);
    const node = found instanceof Promise ? await found : found;
    if (!node) return;
    this.#nodes.set(name, keys.record(node as Node));
    this.#queue.add(key);
  }

  async #reconcile(key: string, upkeep: NodeUpkeep): Promise<WorkResult> {
    const node = await this.#informer.get(splitObjectKey(key)[1]);
    if (node) await upkeep.reconcile(node as Node);
    return done;
  }

  #lookNow(): void {
    this.#run(async () => {
      try {
        await this.#monitor.look();
      } finally {
        this.#lookLater();
      }
      this.#taintNow();
    });
  }

  #lookLater(): void {
    if (this.#isStopped) return;
    const millis = this.#settings.monitorSeconds * 1000;
    const due = this.#clock.now() + millis;
    this.#callOffLook = this.#clock.after(millis, () => {
      // A clock that a test moves is there in the next turn.
      setImmediate(() => {
        const missed = this.#clock.now() - due;
        // Where nobody looked nobody was silent: nodes that live have had no time to say so.
        if (missed > late * millis) this.#monitor.life.forgive(missed);
        this.#lookNow();
      });
    });
  }

  #taintNow(): void {
    this.#callOffTaint();
    this.#run(async () => {
      const again = await this.#monitor.taint();
      if (again < Infinity && !this.#isStopped) this.#callOffTaint = this.#clock.after(again, () => this.#taintNow());
    });
  }

  /** One after the other. */
  #run(work: () => Promise<void>): void {
    this.#working = this.#working.then(async () => {
      if (this.#isStopped) return;
      try {
        await work();
      } catch (err) {
        this.#logger.error({err}, 'nodes could not be looked after; it is tried again');
      }
    });
  }
}
