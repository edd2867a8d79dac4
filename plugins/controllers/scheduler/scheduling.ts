import {
  taskOf,
  type Expressions,
  type FeatureGates,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ObjectCache,
  type ResourceClient,
  type Task,
} from '../../../sdk/index.js';
import {EventRecorder, systemClock} from '../../../sdk/controllers/index.js';
import {bindingKeys} from '../../families/volume-binding/binding-keys.js';
import {ClusterFollowers, type NamespaceRecords} from './cluster/cluster-followers.js';
import type {ClusterEvent} from './cluster/cluster-event.js';
import {ClusterState} from './cluster/cluster-state.js';
import {DefaultConstraints} from './cluster/default-spread.js';
import {DeviceFollower} from './cluster/device-follower.js';
import {PodRecords} from './cluster/pod-records.js';
import {StorageFollower} from './cluster/storage-follower.js';
import {NodeFinder} from './decision/node-finder.js';
import {Placements} from './cycle/placements.js';
import {ExtendedClaimWriter} from './cycle/extended-claim-writer.js';
import {PodDevicesBinder} from './cycle/pod-devices-binder.js';
import {PodVolumesBinder} from './cycle/pod-volumes-binder.js';
import {PodWriter} from './cycle/pod-writer.js';
import type {Profile} from './decision/profile.js';
import {seededRandom} from './decision/random.js';
import {deviceFeatures} from './devices/device-pools.js';
import {deviceClaims} from './filters/dynamic-resources.js';
import type {Filter} from './filters/filter.js';
import {extendedNames} from './model/extended-requests.js';
import type {KnownPod} from './model/known-pod.js';
import {PodShapes} from './model/pod-shape.js';
import type {QueuedPod} from './queue/queued-pod.js';
import {SchedulingQueue} from './queue/scheduling-queue.js';
import {SchedulerFigures} from './scheduler-figures.js';

/** Writes under way at once; more pods wait. */
const mostWrites = 64;

export interface SchedulingOptions {
  readonly resources: ResourceClient;
  readonly cache: ObjectCache;
  readonly naming: NamingProfile;
  readonly gates: FeatureGates;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Profiles by the `spec.schedulerName` that they are for. */
  readonly expressions: Expressions;
  readonly profiles: (defaults: DefaultConstraints, storage: StorageFollower, devices: DeviceFollower) => ReadonlyMap<string, Profile>;
  readonly seed: number;
}

/** The scheduler at work: follows the cluster, and places one pod after the other in turns that others share. */
export class Scheduling {
  readonly #followers: ClusterFollowers;
  readonly #defaults: DefaultConstraints;
  readonly #storage: StorageFollower;
  readonly #devices: DeviceFollower;
  readonly #records: PodRecords;
  readonly #cluster: ClusterState;
  readonly #queue: SchedulingQueue;
  readonly #placements: Placements;
  readonly #profiles: ReadonlyMap<string, Profile>;
  readonly #filters: ReadonlyMap<string, Filter>;
  readonly #events: EventRecorder;
  readonly #task: Task;
  readonly #logger: Logger;
  readonly #figures: SchedulerFigures;
  #isReady = false;
  #isStopped = false;
  #working: Promise<void> | undefined;

  constructor({resources, cache, naming, gates, logger, metrics, expressions, profiles, seed}: SchedulingOptions) {
    const clock = resources.clock ?? systemClock;
    const namespaces: NamespaceRecords = new Map();
    const failed = (key: string, err: unknown) =>
      logger.error({object: key, err}, 'an object cannot be read: the scheduler goes without it');
    const none = {};
    this.#logger = logger;
    this.#defaults = new DefaultConstraints(cache, (key) => naming.key(key), failed);
    this.#storage = new StorageFollower(cache, (event) => this.#happened(event), failed);
    const features = deviceFeatures(gates);
    const names = extendedNames(naming);
    const hasExtended = gates.enabled('DynamicResourceAllocation') && gates.enabled('DRAExtendedResource');
    this.#devices = new DeviceFollower({
      cache,
      names,
      extendedAnnotation: naming.key('resource.orch/extended-resource-claim'),
      hasShares: features.hasShares,
      now: () => clock.now(),
      // Most clusters have no claims of devices.
      selection: async () => (await import('./devices/device-selection.js')).DeviceSelection.open(expressions, gates),
      happened: () => this.#devicesChanged(),
      failed,
    });
    this.#profiles = profiles(this.#defaults, this.#storage, this.#devices);
    this.#filters = new Map([...this.#profiles.values()].flatMap(({filters}) => filters.map((each) => [each.name, each] as const)));
    this.#cluster = new ClusterState(new PodShapes(gates, hasExtended ? names : undefined), (name) => namespaces.get(name) ?? none, {
      zone: naming.key('topology.orch/zone'),
      region: naming.key('topology.orch/region'),
    });
    this.#queue = new SchedulingQueue(clock, () => this.#wake());
    this.#records = new PodRecords(this.#cluster, {
      pending: (pod) => this.#enqueue(pod),
      touched: (pod) => this.#touch(pod),
      settled: (key) => this.#queue.remove(key),
      happened: (event) => this.#happened(event),
    });
    const cluster = this.#cluster;
    this.#followers = new ClusterFollowers({
      cache,
      cluster,
      records: this.#records,
      namespaces,
      happened: (event) => this.#happened(event),
      failed,
    });
    this.#events = new EventRecorder({resources, logger, controller: 'default-scheduler'});
    const random = seededRandom(seed);
    const finalizer = naming.key('resource.orch/delete-protection');
    const writer = new PodWriter({
      resources,
      events: this.#events,
      now: () => clock.now(),
      writesGeneration: gates.enabled('PodObservedGenerationTracking'),
    });
    this.#placements = new Placements({
      cluster,
      records: this.#records,
      queue: this.#queue,
      finder: new NodeFinder(cluster, random),
      writer,
      volumes: new PodVolumesBinder({resources, storage: this.#storage, keys: bindingKeys(naming), clock}),
      preemption: {cluster, budgets: () => this.#followers.budgets, random, now: () => clock.now()},
      nominatesEarly: gates.enabled('NominatedNodeNameForExpectation'),
      devices: gates.enabled('DynamicResourceAllocation')
        ? new PodDevicesBinder({
            resources,
            devices: this.#devices,
            features,
            clock,
            events: this.#events,
            finalizer,
            extended: new ExtendedClaimWriter(resources, writer, finalizer),
          })
        : undefined,
      logger,
    });
    this.#task = taskOf(resources, 'background', 'scheduler');
    this.#figures = new SchedulerFigures(metrics, () => this.#queue.sizes);
  }

  /** Resolves when the cluster is known and pods are being placed. */
  async start(signal: AbortSignal): Promise<void> {
    this.#devices.start(signal);
    await Promise.all([this.#followers.start(signal), this.#defaults.start(signal), this.#storage.start(signal)]);
    this.#isReady = true;
    this.#wake();
  }

  /** Resolves when nothing is being decided or written. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#queue.close();
    await this.#working;
    await this.#placements.stop();
    await this.#events.close();
  }

  #enqueue(pod: KnownPod): void {
    const profile = this.#profiles.get(pod.shape.schedulerName);
    if (!profile) return;
    if ((profile.hasGates && pod.shape.gates.length > 0) || this.#lacksClaims(pod, profile)) this.#queue.hold(pod);
    else this.#queue.add(pod);
  }

  /** Whether claims of devices are not there yet, or classes not known that may give what it asks for: the pod is not tried before. */
  #lacksClaims(pod: KnownPod, {filters}: Profile): boolean {
    if (!needsDevices(pod) || !filters.some(({name}) => name === 'DynamicResources')) return false;
    this.#devices.follow();
    return !this.#devices.isReady || typeof deviceClaims(pod, this.#devices) === 'string';
  }

  #touch(pod: KnownPod): void {
    const isHeld = needsDevices(pod) && this.#queue.isHeld(pod.key);
    if (isHeld) this.#enqueue(pod);
    else this.#queue.replace(pod);
  }

  #devicesChanged(): void {
    for (const pod of this.#queue.held) if (needsDevices(pod)) this.#enqueue(pod);
    this.#happened({type: 'devices'});
  }

  #happened(event: ClusterEvent): void {
    const mayHelp = ({pod, refusedBy}: QueuedPod): boolean => {
      // Without nodes nothing refused it: whatever happens may help.
      if (refusedBy.size === 0) return true;
      for (const name of refusedBy) if (this.#filters.get(name)?.mayHelp(pod, event, this.#cluster)) return true;
      return false;
    };
    this.#queue.move(mayHelp, (key) => this.#placements.isPreempting(key));
  }

  #wake(): void {
    if (!this.#isReady || this.#isStopped || this.#working) return;
    this.#working = this.#work().finally(() => (this.#working = undefined));
  }

  async #work(): Promise<void> {
    // What wakes it is applying a change, which comes first.
    await this.#task.yield();
    this.#task.begin();
    while (!this.#isStopped) {
      if (this.#placements.writing >= mostWrites) {
        await this.#placements.someWritten();
        this.#task.begin();
        continue;
      }
      const queued = this.#queue.next();
      if (!queued) return;
      const profile = this.#profiles.get(queued.pod.shape.schedulerName);
      if (profile) {
        const began = performance.now();
        try {
          this.#placements.place(queued, profile);
        } catch (err) {
          this.#logger.error({pod: queued.pod.key, err}, 'a pod could not be decided about; it is tried again');
          this.#queue.failed(queued);
        }
        this.#figures.decided.observe((performance.now() - began) / 1000);
      }
      const turn = this.#task.yieldIfDue();
      if (turn) await turn;
    }
  }
}

/** Whether a pod may need devices: it names claims, or resources that classes may give. */
function needsDevices({claims, shape}: KnownPod): boolean {
  return claims.length > 0 || shape.extended.length > 0;
}
