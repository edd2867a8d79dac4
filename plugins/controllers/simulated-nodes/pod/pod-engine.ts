import {
  isConflict,
  isNotFound,
  secondTime,
  type ApiObject,
  type FeatureGates,
  type Logger,
  type Metrics,
  type ObjectCache,
  type ResourceClient,
} from '../../../../sdk/index.js';
import {
  CacheInformer,
  done,
  EventRecorder,
  splitObjectKey,
  systemClock,
  TokenBucket,
  WorkQueue,
  type Clock,
  type WorkResult,
} from '../../../../sdk/controllers/index.js';
import type {Pod} from '../../../../sdk/types/unchecked/core/v1.js';
import {controllerOf} from '../../../families/workload-pods/controller-reference.js';
import {Agenda} from '../agenda.js';
import {fieldManager, podType} from '../names.js';
import {demandOf} from '../node/pod-demand.js';
import type {SimulatedNode} from '../node/simulated-node.js';
import {Behaviour, type Defaults, type StagedBehaviour} from '../behaviour/behaviour.js';
import {statusFeatures, type StatusFeatures} from './container-facts.js';
import type {PodStages} from '../stage/stage-book.js';
import type {StageStep} from '../stage/stage-type.js';
import {StepRun, type StepMemory} from '../stage/step-run.js';
import {refusalOf, type Refusal} from './pod-admission.js';
import {isTerminal} from './pod-phase.js';
import {PodRun, type PodEvent} from './pod-run.js';
import type {PodRecord} from './pod-record.js';
import {PodNeeds, type NeedNames} from './pod-needs.js';

/** Writes that are under way at the same time. */
const concurrency = 64;
const conflictMillis = 5;
/** Events of all nodes together, so that a cluster that starts is not busy with them. */
const eventsPerSecond = 50;
const eventBurst = 1000;

const noSteps = new Map<string, StepMemory>();
const noWords: Defaults = {};
/** A pod of a Job does its work at once. */
const jobWords: Defaults = {after: '0s'};

/** One look at a pod, at a time. */
interface Look {
  readonly key: string;
  readonly record: PodRecord;
  readonly pod: Pod;
  readonly node: SimulatedNode;
  readonly stages: PodStages;
  readonly at: number;
}

export interface PodEngineOptions {
  readonly resources: ResourceClient;
  readonly cache: ObjectCache;
  readonly gates: FeatureGates;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly names: NeedNames;
  readonly nodeOf: (name: string) => SimulatedNode | undefined;
  readonly stagesOf: (pod: Pod, node: SimulatedNode) => PodStages;
}

/** Has the pods of simulated nodes live: writes their statuses when something is due, and ends those that are deleted. */
export class PodEngine {
  readonly #options: PodEngineOptions;
  readonly #clock: Clock;
  readonly #features: StatusFeatures;
  readonly #hasPodLevel: boolean;
  readonly #records = new Map<string, PodRecord>();
  /** Keys of the pods that have a node, whoever runs it. */
  readonly #byNode = new Map<string, Set<string>>();
  readonly #informer: CacheInformer<Pod & ApiObject>;
  readonly #needs: PodNeeds;
  readonly #agenda: Agenda;
  readonly #queue: WorkQueue;
  readonly #events: EventRecorder;
  readonly #eventRate: TokenBucket;

  constructor(options: PodEngineOptions) {
    this.#options = options;
    const {resources, cache, gates, logger, metrics} = options;
    this.#clock = resources.clock ?? systemClock;
    this.#features = statusFeatures(gates);
    this.#hasPodLevel = gates.enabled('PodLevelResources');
    this.#events = new EventRecorder({resources, logger, controller: 'kubelet', form: 'core'});
    this.#eventRate = new TokenBucket(eventsPerSecond, eventBurst, () => this.#clock.now());
    this.#agenda = new Agenda(this.#clock, (key) => this.#queue.add(key));
    this.#queue = new WorkQueue((key) => this.#work(key), {
      clock: this.#clock,
      scheduler: resources.scheduler,
      concurrency,
      figures: {metrics, name: 'simulated_pod'},
      onError: (pod, err) => logger.warn({pod, err}, 'a simulated pod could not be brought on; retrying'),
    });
    this.#needs = new PodNeeds(cache, options.names, (key) => this.#consider(key), logger);
    this.#informer = new CacheInformer(cache, podType, {
      changed: (key) => this.#look(key),
      deleted: (key) => this.#forget(key),
      failed: (key, err) => logger.warn({key, err}, 'a pod cannot be read'),
    });
  }

  /** Resolves when all pods that exist are known. Nodes have to be known before. */
  start(signal: AbortSignal): Promise<void> {
    this.#needs.start(signal);
    return this.#informer.start(signal);
  }

  async stop(): Promise<void> {
    this.#agenda.close();
    await this.#queue.close();
    await this.#events.close();
  }

  /** A node has come, gone or changed: looks at all of its pods. */
  nodeChanged(name: string): void {
    for (const key of this.#byNode.get(name) ?? []) this.#consider(key);
  }

  /** What is said about pods has changed. */
  reconsider(): void {
    for (const key of this.#records.keys()) this.#consider(key);
  }

  #consider(key: string): void {
    const record = this.#records.get(key);
    if (!record || !this.#options.nodeOf(record.node)?.isUp) return;
    record.isStale = true;
    this.#queue.add(key);
  }

  #read(key: string): Pod | undefined {
    const [namespace, name] = splitObjectKey(key);
    return this.#informer.getNow(name, namespace);
  }

  #look(key: string): void {
    const pod = this.#read(key);
    const {uid = '', resourceVersion} = pod?.metadata ?? {};
    const node = pod?.spec?.nodeName ?? '';
    const known = this.#records.get(key);
    if (known && known.uid !== uid) this.#forget(key);
    if (!pod || node === '') return;
    const record = this.#records.get(key) ?? this.#remember(key, pod, node);
    const isDue = record.due !== undefined && record.due <= this.#clock.now();
    if (record.written !== undefined && record.written === resourceVersion && !isDue && !record.isStale) return;
    if (this.#options.nodeOf(node)?.isUp) this.#queue.add(key);
  }

  #remember(key: string, pod: Pod, node: string): PodRecord {
    const {metadata, status} = pod;
    const record: PodRecord = {
      uid: metadata.uid!,
      node,
      memory: {},
      steps: noSteps,
      due: undefined,
      written: undefined,
      isStale: false,
      isDeleted: false,
      // One that has begun was taken before, by this server or another.
      isAdmitted: Boolean(status?.startTime) || isTerminal(status?.phase),
    };
    this.#records.set(key, record);
    const keys = this.#byNode.get(node);
    if (keys) keys.add(key);
    else this.#byNode.set(node, new Set([key]));
    if (status?.podIP) this.#hold(record, status.podIP);
    if (record.isAdmitted && !isTerminal(status?.phase)) this.#load(key, pod, record);
    return record;
  }

  /** The pod counts for its node. */
  #load(key: string, {spec = {}}: Pod, {node}: PodRecord): void {
    this.#options.nodeOf(node)?.load.add(key, demandOf(spec, this.#hasPodLevel));
  }

  /** The pod has an address already. */
  #hold(record: PodRecord, address: string): void {
    record.memory.address = address;
    this.#options.nodeOf(record.node)?.noteAddress(address);
  }

  #forget(key: string): void {
    const record = this.#records.get(key);
    if (!record) return;
    this.#records.delete(key);
    this.#needs.forget(key);
    this.#agenda.set(key, undefined);
    this.#options.nodeOf(record.node)?.load.remove(key);
    const keys = this.#byNode.get(record.node);
    keys?.delete(key);
    if (keys?.size === 0) this.#byNode.delete(record.node);
    const {address} = record.memory;
    if (address !== undefined) this.#options.nodeOf(record.node)?.releaseAddress(address);
  }

  async #work(key: string): Promise<WorkResult> {
    const record = this.#records.get(key);
    const node = record && this.#options.nodeOf(record.node);
    const pod = node?.isUp ? this.#read(key) : undefined;
    if (!record || !node || pod?.metadata.uid !== record.uid) return done;
    const {resourceVersion = ''} = pod.metadata;
    // The cache does not have the last write yet: it comes by itself.
    if (record.written !== undefined && Number(resourceVersion) < Number(record.written)) return done;
    const now = this.#clock.now();
    const isDue = record.due !== undefined && record.due <= now;
    if (record.written === resourceVersion && !isDue && !record.isStale) return done;
    // What changes from now on is looked at next.
    record.isStale = false;
    const at = isDue ? record.due! : now;
    const stages = this.#options.stagesOf(pod, node);
    try {
      record.due = await this.#live({key, record, pod, node, stages, at});
    } catch (error) {
      if (isNotFound(error)) return done;
      record.isStale = true;
      if (isConflict(error)) return {again: conflictMillis};
      throw error;
    }
    if (this.#records.get(key) !== record) return done;
    const isLate = record.due !== undefined && record.due <= this.#clock.now();
    this.#agenda.set(key, isLate ? undefined : record.due);
    return isLate ? {again: 0} : done;
  }

  /** Does what is due in the life of a pod at a time. Answers when the next thing is. @throws StatusError */
  async #live({key, record, pod, node, stages, at}: Look): Promise<number | undefined> {
    if (stages.steps.length > 0 && record.steps === noSteps) record.steps = new Map();
    const steps = stages.steps.length === 0 && record.steps === noSteps ? undefined : new StepRun(pod, stages.steps, record.steps, at);
    const step = steps?.take(at);
    if (step) {
      await this.#take(record, pod, step);
      // What follows from it is looked at next.
      return at;
    }
    if (record.isDeleted || (stages.replacesBuiltIn && !pod.metadata.deletionTimestamp)) return steps?.due;
    const refusal = this.#admit(key, record, pod, node);
    if (refusal) {
      await this.#refuse(record, pod, refusal);
      return steps?.due;
    }
    const behaviour = this.#behaviourOf(pod, stages.behaviours);
    const needs = await this.#needs.of(key, pod, node);
    const run = new PodRun({pod, node, behaviour, memory: record.memory, features: this.#features, ...needs});
    run.advance(at);
    await this.#write(record, pod, run, at);
    if (run.isGone || isTerminal(run.phase)) node.load.remove(key);
    const {due} = run;
    if (due === undefined && !pod.metadata.deletionTimestamp) record.memory.containers = undefined;
    else run.remember();
    // Steps wait for states: a new one is looked at by them too.
    const after = steps && record.written !== pod.metadata.resourceVersion ? at : Infinity;
    const next = Math.min(due ?? Infinity, steps?.due ?? Infinity, after);
    return next === Infinity ? undefined : next;
  }

  /** Takes the pod on; answers why not. Pods that are being deleted are seen off by whoever has them. */
  #admit(key: string, record: PodRecord, pod: Pod, node: SimulatedNode): Refusal | undefined {
    if (record.isAdmitted) {
      // The node has come after it.
      if (!node.load.has(key) && !isTerminal(pod.status?.phase)) this.#load(key, pod, record);
      return undefined;
    }
    if (pod.metadata.deletionTimestamp) return undefined;
    const demand = demandOf(pod.spec ?? {}, this.#hasPodLevel);
    const refusal = refusalOf(pod, node, node.load, demand);
    if (refusal) return refusal;
    record.isAdmitted = true;
    node.load.add(key, demand);
    return undefined;
  }

  /** @throws StatusError */
  async #refuse(record: PodRecord, pod: Pod, {reason, message}: Refusal): Promise<void> {
    const {namespace = '', name = '', uid = '', resourceVersion} = pod.metadata;
    const status = {phase: 'Failed', reason, message: `Pod was rejected: ${message}`, startTime: secondTime(this.#clock.now())};
    const patch = {metadata: {uid, resourceVersion}, status};
    const written = await this.#options.resources.patch(podType, namespace, name, patch, 'status', {fieldManager});
    record.written = written.metadata.resourceVersion;
    record.isAdmitted = true;
    this.#record(pod, record.node, [{type: 'Warning', reason, note: message}]);
  }

  /** What a Stage has happen. @throws StatusError */
  async #take(record: PodRecord, pod: Pod, step: StageStep): Promise<void> {
    const {resources} = this.#options;
    const {namespace = '', name = '', uid = '', resourceVersion} = pod.metadata;
    record.written = undefined;
    if (step.status) await resources.patch(podType, namespace, name, {metadata: {uid}, status: step.status}, 'status', {fieldManager});
    if (step.finalizers) {
      const {add = [], remove = []} = step.finalizers;
      const finalizers = [...new Set([...(pod.metadata.finalizers ?? []), ...add])].filter((each) => !remove.includes(each));
      const metadata = {uid, ...(step.status ? {} : {resourceVersion}), finalizers: finalizers.length === 0 ? null : finalizers};
      await resources.patch(podType, namespace, name, {metadata}, '', {fieldManager});
    }
    if (step.event) {
      const {type = 'Normal', reason, message} = step.event;
      this.#record(pod, record.node, [{type, reason, note: message}]);
    }
    if (step.delete) await resources.delete(podType, namespace, name, {uid});
  }

  async #write(record: PodRecord, pod: Pod, run: PodRun, at: number): Promise<void> {
    const {resources} = this.#options;
    const {namespace = '', name = '', uid = '', resourceVersion} = pod.metadata;
    const status = run.change(at);
    if (status) {
      // The version keeps the conditions of others as they are.
      const patch = {metadata: {uid, resourceVersion}, status};
      const written = await resources.patch(podType, namespace, name, patch, 'status', {fieldManager});
      record.written = written.metadata.resourceVersion;
    } else record.written = resourceVersion;
    this.#record(pod, record.node, run.events);
    if (!run.isGone) return;
    await resources.delete(podType, namespace, name, {uid, gracePeriodSeconds: 0});
    record.isDeleted = true;
  }

  #record(pod: Pod, host: string, events: readonly PodEvent[]): void {
    for (const event of events) {
      if (this.#eventRate.take() > 0) return;
      this.#events.record({apiVersion: 'v1', kind: 'Pod', metadata: pod.metadata}, {...event, host});
    }
  }

  #behaviourOf(pod: Pod, behaviours: readonly StagedBehaviour[]): Behaviour {
    const defaults = controllerOf(pod)?.kind === 'Job' ? jobWords : noWords;
    return new Behaviour(pod.metadata.annotations ?? {}, behaviours, defaults, pod.metadata.uid ?? '');
  }
}
