import {
  controller,
  ifFound,
  inject,
  secondTime,
  Tokens,
  type ApiObject,
  type Clock,
  type Controller,
  type FeatureGates,
  type Logger,
  type NamingProfile,
  type ObjectCache,
  type ResourceClient,
  type ResourceRef,
} from '../../../sdk/index.js';
import {CacheInformer, splitObjectKey, systemClock} from '../../../sdk/controllers/index.js';
import {clusterWide, namespaced} from '../../../sdk/types/resource-handle.js';
import type {Node, Pod} from '../../../sdk/types/unchecked/core/v1.js';
import {podType} from '../../families/workload-pods/pod-control.js';
import {KnownPods} from './known-pods.js';

const nodeType: ResourceRef = {group: '', version: 'v1', resource: 'nodes'};
/** Pause between two looks, and how long a node must be missing before its pods go. As in Kubernetes. */
const pauseMillis = 20_000;
const quarantineMillis = 40_000;
/** Pods that are deleted at the same time. */
const concurrency = 20;

/** Why a pod is deleted, as a condition of it. */
const nodeGone = {type: 'DisruptionTarget', status: 'True', reason: 'DeletionByPodGC', message: 'PodGC: node no longer exists'};

/** Deletes pods that nobody will see to any more. Looks every 20 seconds, and only as long as there may be some. */
@controller()
export class PodGarbageCollector implements Controller {
  readonly #resources: ResourceClient;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #gates: FeatureGates;
  readonly #threshold: number;
  readonly #outOfService: string;
  readonly #pods: CacheInformer<Pod & ApiObject>;
  readonly #nodes: CacheInformer<Node & ApiObject>;
  readonly #known = new KnownPods();
  /** Nodes on which pods that are being deleted must be helped. */
  readonly #outOfUse = new Set<string>();
  /** Since when nodes that pods are on are missing, in milliseconds since 1970. */
  readonly #missing = new Map<string, number>();
  #callOff: (() => void) | undefined;
  #work: Promise<void> = Promise.resolve();
  #isListed = false;
  #signal: AbortSignal | undefined;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.ObjectCache) cache: ObjectCache,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
  ) {
    this.#resources = resources;
    this.#clock = resources.clock ?? systemClock;
    this.#logger = logger;
    this.#gates = gates;
    this.#threshold = config['terminatedPodThreshold'] as number;
    this.#outOfService = naming.key('node.orch/out-of-service');
    const failed = (key: string, err: unknown) => logger.warn({key, err}, 'an object cannot be read');
    this.#pods = new CacheInformer(cache, namespaced<Pod & ApiObject>('', 'v1', 'pods', 'Pod'), {
      changed: (key) => this.#podChanged(key),
      deleted: (key) => this.#known.set(key, undefined),
      failed,
    });
    this.#nodes = new CacheInformer(cache, clusterWide<Node & ApiObject>('', 'v1', 'nodes', 'Node'), {
      changed: (key) => this.#nodeChanged(splitObjectKey(key)[1]),
      deleted: (key) => this.#nodeGone(splitObjectKey(key)[1]),
      failed,
    });
  }

  start(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    void Promise.all([this.#pods.start(signal), this.#nodes.start(signal)]).then(() => {
      this.#isListed = true;
      this.#lookLater();
    });
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    this.#callOff?.();
    await this.#work;
  }

  #podChanged(key: string): void {
    const [namespace, name] = splitObjectKey(key);
    // Nobody converts pods: there is nothing to wait for.
    this.#known.set(key, this.#pods.get(name, namespace) as Pod | undefined);
    this.#lookLater();
  }

  #nodeChanged(name: string): void {
    const {spec, status} = (this.#nodes.get(name) ?? {}) as Partial<Node>;
    const isReady = status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') ?? false;
    this.#known.setNode(name, true);
    if (!isReady && (spec?.taints?.some(({key}) => key === this.#outOfService) ?? false)) this.#outOfUse.add(name);
    else this.#outOfUse.delete(name);
    this.#lookLater();
  }

  #nodeGone(name: string): void {
    this.#known.setNode(name, false);
    this.#outOfUse.delete(name);
    this.#lookLater();
  }

  /** Whether there may be pods to delete. */
  #isNeeded(): boolean {
    if (this.#threshold > 0 && this.#known.terminated > this.#threshold) return true;
    return this.#known.terminating > 0 || this.#known.missingNodes.size > 0;
  }

  #lookLater(): void {
    if (this.#callOff || !this.#isListed || this.#signal?.aborted || !this.#isNeeded()) return;
    this.#callOff = this.#clock.after(pauseMillis, () => {
      this.#work = this.#look().finally(() => {
        this.#callOff = undefined;
        this.#lookLater();
      });
    });
  }

  async #look(): Promise<void> {
    const {terminated} = this.#known;
    if (this.#threshold > 0 && terminated > this.#threshold)
      await this.#deleteAll(this.#known.doubtful((pod) => pod.isTerminated).slice(0, terminated - this.#threshold));
    await this.#deleteAll(this.#known.doubtful(({isTerminating, node}) => isTerminating && this.#outOfUse.has(node)));
    for (const node of await this.#lostNodes()) await this.#deleteAll(this.#known.on(node), nodeGone);
    await this.#deleteAll(this.#known.doubtful(({isTerminating, node}) => isTerminating && node === ''));
  }

  /** Nodes that have been missing for long enough, and still are. */
  async #lostNodes(): Promise<string[]> {
    const now = this.#clock.now();
    const {missingNodes} = this.#known;
    for (const node of this.#missing.keys()) if (!missingNodes.has(node)) this.#missing.delete(node);
    const lost: string[] = [];
    for (const node of [...missingNodes]) {
      const since = this.#missing.get(node);
      if (since === undefined) this.#missing.set(node, now);
      if (since === undefined || now - since < quarantineMillis) continue;
      this.#missing.delete(node);
      try {
        if (!(await ifFound(this.#resources.get(nodeType, '', node)))) lost.push(node);
      } catch (err) {
        this.#logger.warn({node, err}, 'a node could not be looked at; it is tried again');
      }
    }
    return lost;
  }

  async #deleteAll(keys: readonly string[], condition?: typeof nodeGone): Promise<void> {
    for (let first = 0; first < keys.length && !this.#signal?.aborted; first += concurrency)
      await Promise.all(keys.slice(first, first + concurrency).map((key) => this.#delete(key, condition)));
  }

  /** Makes a pod fail, which nobody else would do, and deletes it at once. */
  async #delete(key: string, condition: typeof nodeGone | undefined): Promise<void> {
    const [namespace, name] = splitObjectKey(key);
    const pod = (await this.#pods.get(name, namespace)) as Pod | undefined;
    if (!pod) return;
    const {uid, generation} = pod.metadata;
    const observed = this.#gates.enabled('PodObservedGenerationTracking') && generation ? {observedGeneration: generation} : {};
    try {
      if (pod.status?.phase !== 'Succeeded' && pod.status?.phase !== 'Failed') {
        const conditions = condition ? {conditions: [{...condition, lastTransitionTime: secondTime(this.#clock.now()), ...observed}]} : {};
        const patch = {metadata: {uid}, status: {phase: 'Failed', ...observed, ...conditions}};
        await ifFound(this.#resources.patch(podType, namespace, name, patch, 'status', {form: 'strategic'}));
      }
      await ifFound(this.#resources.delete(podType, namespace, name, {gracePeriodSeconds: 0, uid: uid!}));
    } catch (err) {
      this.#logger.warn({pod: key, err}, 'a pod could not be deleted; it is tried again');
    }
  }
}
