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
  type Metrics,
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
import {clusterWide} from '../../../sdk/types/resource-handle.js';
import type {Node, Pod, Taint} from '../../../sdk/types/unchecked/core/v1.js';
import {evictingTaints} from '../../families/nodes/node-taints.js';
import {PodsByNode} from '../../families/nodes/pods-by-node.js';
import {EvictionTimes} from './eviction-times.js';
import {tolerationMillis} from './toleration-time.js';

const nodeType = clusterWide<Node & ApiObject>('', 'v1', 'nodes', 'Node');
const podType = {group: '', version: 'v1', resource: 'pods'};

/** Deletes pods from nodes whose taints they do not tolerate, or no longer. */
@controller()
export class TaintEviction implements Controller {
  readonly #resources: ResourceClient;
  readonly #clock: Clock;
  readonly #writesGeneration: boolean;
  readonly #nodes: CacheInformer<Node & ApiObject>;
  readonly #pods: PodsByNode;
  readonly #times: EvictionTimes;
  readonly #queue: WorkQueue;
  readonly #events: EventRecorder;
  /** Nodes with such taints, by name. */
  readonly #tainted = new Map<string, readonly Taint[]>();
  readonly #failed: (key: string, error: unknown) => void;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.ObjectCache) cache: ObjectCache,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
  ) {
    this.#resources = resources;
    this.#clock = resources.clock ?? systemClock;
    this.#writesGeneration = gates.enabled('PodObservedGenerationTracking');
    this.#failed = (key, err) => logger.warn({key, err}, 'an object cannot be read');
    this.#events = new EventRecorder({resources, logger, controller: 'taint-eviction-controller', form: 'core'});
    this.#queue = new WorkQueue((key) => this.#evict(key), {
      clock: this.#clock,
      scheduler: resources.scheduler,
      concurrency: 8,
      figures: {metrics, name: 'noexec_taint_pod'},
      onError: (key, err) => logger.debug({pod: key, err}, 'a pod could not be evicted; it is tried again'),
    });
    this.#times = new EvictionTimes(
      this.#clock,
      (key) => {
        this.#say(key, `Marking for deletion Pod ${key}`);
        this.#queue.add(key);
      },
      (key) => this.#say(key, `Cancelling deletion of Pod ${key}`),
    );
    this.#nodes = new CacheInformer(cache, nodeType, {
      changed: (key) => void this.#nodeChanged(key).catch((error: unknown) => this.#failed(key, error)),
      deleted: (key) => void this.#tainted.delete(splitObjectKey(key)[1]),
      failed: this.#failed,
    });
    this.#pods = new PodsByNode({
      cache,
      changed: (key, pod) => this.#podChanged(key, pod),
      deleted: (key) => this.#times.cancel(key),
      failed: this.#failed,
    });
  }

  async start(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#nodes.start(signal), this.#pods.start(signal)]);
  }

  async stop(): Promise<void> {
    this.#times.close();
    await this.#queue.close();
    await this.#events.close();
  }

  async #nodeChanged(key: string): Promise<void> {
    const [, name] = splitObjectKey(key);
    const found = this.#nodes.get(name);
    const node = found instanceof Promise ? await found : found;
    const taints = node ? evictingTaints(node as Node) : [];
    const before = this.#tainted.get(name) ?? [];
    if (taints.length === 0 && before.length === 0) return;
    if (taints.length > 0) this.#tainted.set(name, taints);
    else this.#tainted.delete(name);
    if (JSON.stringify(taints) === JSON.stringify(before)) return;
    if (taints.length === 0) {
      for (const pod of this.#pods.keysOn(name)) this.#times.cancel(pod);
      return;
    }
    for (const pod of await this.#pods.on(name)) this.#podChanged(`${pod.metadata.namespace}/${pod.metadata.name}`, pod);
  }

  #podChanged(key: string, {spec}: Pod): void {
    const taints = this.#tainted.get(spec?.nodeName ?? '');
    if (taints) this.#times.allow(key, tolerationMillis(taints, spec?.tolerations ?? []));
  }

  async #evict(key: string): Promise<WorkResult> {
    const [namespace, name] = splitObjectKey(key);
    const pod = (await ifFound(this.#resources.get(podType, namespace, name))) as Pod | undefined;
    if (!pod) return done;
    const {uid, generation} = pod.metadata;
    const isMarked = pod.status?.conditions?.some(
      ({type, status, reason}) => type === 'DisruptionTarget' && status === 'True' && reason === 'DeletionByTaintManager',
    );
    if (!isMarked) {
      const condition = {
        type: 'DisruptionTarget',
        status: 'True',
        reason: 'DeletionByTaintManager',
        message: 'Taint manager: deleting due to NoExecute taint',
        lastTransitionTime: secondTime(this.#clock.now()),
        ...(this.#writesGeneration && generation !== undefined ? {observedGeneration: generation} : {}),
      };
      // As in Kubernetes, a new condition comes last.
      const order = [...(pod.status?.conditions ?? []).filter(({type}) => type !== condition.type), condition].map(({type}) => ({type}));
      const patch = {metadata: {uid}, status: {'$setElementOrder/conditions': order, conditions: [condition]}};
      if (!(await ifFound(this.#resources.patch(podType, namespace, name, patch, 'status', {form: 'strategic'})))) return done;
    }
    await ifFound(this.#resources.delete(podType, namespace, name));
    return done;
  }

  #say(key: string, note: string): void {
    const [namespace, name] = splitObjectKey(key);
    this.#events.record(
      {apiVersion: 'v1', kind: 'Pod', metadata: {namespace, name}},
      {type: 'Normal', reason: 'TaintManagerEviction', note},
    );
  }
}
