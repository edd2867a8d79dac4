import {ifFound, type ResourceClient} from '../../../sdk/index.js';
import type {LabelSelector} from '../../../sdk/labels/index.js';
import type {CrossVersionObjectReference} from '../../../sdk/types/unchecked/autoscaling/v2.js';
import type {Pod} from '../../../sdk/types/unchecked/core/v1.js';
import {podType} from '../../families/workload-pods/pod-control.js';
import {isRunningAndReady} from '../../families/workload-pods/pod-state.js';
import {MetricError} from './metric-error.js';
import type {MetricsClient, PodMetrics} from './metrics-client.js';
import {groupPods, type ReadinessTimes} from './pod-groups.js';
import {requestsOf} from './pod-requests.js';

/** How far a metric may be off before anything is scaled, as a share of its target. */
export interface Tolerances {
  readonly up: number;
  readonly down: number;
}

/** What an autoscaler scales. */
export interface ScaledPods {
  readonly namespace: string;
  /** The selector of its pods, as text. */
  readonly selector: string;
  /** As its spec and its status have it. */
  readonly specReplicas: number;
  readonly statusReplicas: number;
  readonly tolerances: Tolerances;
}

/** How many replicas a metric asks for, and what it is now, in thousandths. */
export interface Proposal {
  readonly replicas: number;
  readonly usage: bigint;
  /** In percent of what pods ask for, if the metric is that. */
  readonly utilization?: number;
}

export interface CalculatorParts {
  readonly resources: ResourceClient;
  readonly metrics: MetricsClient;
  readonly times: ReadinessTimes;
  readonly hasPodLevelResources: boolean;
  /** In milliseconds since 1970. */
  readonly now: () => number;
}

/** The share of a target that metrics are, and what they are on average. */
interface Usage {
  readonly ratio: number;
  readonly average: bigint;
  readonly utilization?: number;
}

const mostReplicas = 2 ** 31 - 1;
const mostUsage = 2n ** 63n - 1n;
const noPods = 'no pods returned by selector while calculating replica count';
const noMetrics = 'did not receive metrics for targeted pods (pods might be unready)';

/** Calculates replicas from metrics, by the rules of Kubernetes. All methods throw `MetricError`. */
export class ReplicaCalculator {
  readonly #parts: CalculatorParts;

  constructor(parts: CalculatorParts) {
    this.#parts = parts;
  }

  /** @param target percentage of what pods ask for @param container of one container; empty for whole pods */
  async byUtilization(scaled: ScaledPods, resource: string, target: number, container: string): Promise<Proposal> {
    const metrics = await this.#usage(scaled, resource, container);
    const pods = await this.#pods(scaled);
    let requests: ReadonlyMap<string, bigint> = new Map();
    const measure = (): Usage => utilizationOf(metrics, requests, target);
    const begin = () => {
      requests = requestsOf(pods, container, resource, this.#parts.hasPodLevelResources);
    };
    // Without a sample a pod is taken to use all that it asks for, or what is wanted of it if that is more.
    const filled = (pod: string) => ((requests.get(pod) ?? 0n) * BigInt(Math.max(100, target))) / 100n;
    return this.#propose({scaled, pods, metrics, resource, begin, measure, filled});
  }

  /** @param target in thousandths, for each pod */
  async byUsage(scaled: ScaledPods, resource: string, target: bigint, container: string): Promise<Proposal> {
    return this.#plain(scaled, await this.#usage(scaled, resource, container), target, resource);
  }

  /** @param target in thousandths, for each pod */
  async byPodsMetric(scaled: ScaledPods, metric: string, selector: LabelSelector | undefined | null, target: bigint): Promise<Proposal> {
    const {namespace} = scaled;
    const metrics = await prefixed(
      () => `unable to get metric ${metric}`,
      () => this.#parts.metrics.ofPods(metric, namespace, scaled.selector, selector),
    );
    return this.#plain(scaled, metrics, target, '');
  }

  /** @param target in thousandths @param isAverage whether it is for each pod */
  async byObject(
    scaled: ScaledPods,
    metric: {readonly name: string; readonly selector: LabelSelector | undefined | null},
    object: CrossVersionObjectReference,
    target: bigint,
    isAverage: boolean,
  ): Promise<Proposal> {
    const {namespace} = scaled;
    let usage: bigint;
    try {
      usage = await this.#parts.metrics.ofObject(metric.name, namespace, object, metric.selector);
    } catch (error) {
      const text = messageOf(error);
      throw new MetricError(`unable to get metric ${metric.name}: ${object.kind} on ${namespace} ${object.name}/${text}`, {cause: error});
    }
    return isAverage ? perPod(scaled, usage, target) : this.#inAll(scaled, usage, target);
  }

  /** @param target in thousandths @param isAverage whether it is for each pod @param shown the metric in errors */
  async byExternal(
    scaled: ScaledPods,
    metric: {readonly name: string; readonly selector: LabelSelector | undefined | null; readonly shownSelector: string},
    target: bigint,
    isAverage: boolean,
  ): Promise<Proposal> {
    const {namespace} = scaled;
    const values = await prefixed(
      () => `unable to get external metric ${namespace}/${metric.name}/${metric.shownSelector}`,
      () => this.#parts.metrics.external(metric.name, namespace, metric.selector),
    );
    const sum = values.reduce((all, value) => all + value, 0n);
    const usage = sum > mostUsage ? mostUsage : sum;
    return isAverage ? perPod(scaled, usage, target) : this.#inAll(scaled, usage, target);
  }

  #usage({namespace, selector}: ScaledPods, resource: string, container: string): Promise<PodMetrics> {
    return prefixed(
      () => `unable to get metrics for resource ${resource}`,
      () => this.#parts.metrics.usage(resource, namespace, selector, container),
    );
  }

  async #plain(scaled: ScaledPods, metrics: PodMetrics, target: bigint, resource: string): Promise<Proposal> {
    const pods = await this.#pods(scaled);
    const measure = (): Usage => usageOf(metrics, target);
    return this.#propose({scaled, pods, metrics, resource, begin: () => undefined, measure, filled: () => target});
  }

  /** Pods without a sample, and those that have just started, count so that they do not have anything scaled by themselves. */
  #propose({scaled, pods, metrics, resource, begin, measure, filled}: Calculation): Proposal {
    const {specReplicas, tolerances} = scaled;
    const {ready, unready, missing, ignored} = groupPods(pods, metrics, resource, this.#parts.times, this.#parts.now());
    for (const pod of [...ignored, ...unready]) metrics.delete(pod);
    if (metrics.size === 0) throw new MetricError(noMetrics);
    begin();
    const {ratio, average: usage, utilization} = measure();
    const proposed = (replicas: number): Proposal => ({replicas, usage, ...(utilization === undefined ? {} : {utilization})});
    const mustCountUnready = unready.length > 0 && ratio > 1;
    if (!mustCountUnready && missing.length === 0) return proposed(isWithin(ratio, tolerances) ? specReplicas : Math.ceil(ratio * ready));
    const fill = (names: readonly string[], value: (pod: string) => bigint) => {
      for (const name of names) metrics.set(name, {at: 0, windowMillis: 0, value: value(name)});
    };
    if (ratio < 1) fill(missing, filled);
    else if (ratio > 1) fill(missing, () => 0n);
    if (mustCountUnready) fill(unready, () => 0n);
    const {ratio: next} = measure();
    // What is too little, and what would turn the direction, changes nothing.
    if (isWithin(next, tolerances) || (ratio < 1 && next > 1) || (ratio > 1 && next < 1)) return proposed(specReplicas);
    const replicas = Math.ceil(next * metrics.size);
    const turns = (next < 1 && replicas > specReplicas) || (next > 1 && replicas < specReplicas);
    return proposed(turns ? specReplicas : replicas);
  }

  /** For a target of all pods together. */
  async #inAll(scaled: ScaledPods, usage: bigint, target: bigint): Promise<Proposal> {
    const {specReplicas, tolerances} = scaled;
    const ratio = Number(usage) / Number(target);
    if (specReplicas === 0) return {replicas: Math.ceil(ratio), usage};
    if (isWithin(ratio, tolerances)) return {replicas: specReplicas, usage};
    const pods = await prefixed(
      () => 'unable to calculate ready pods',
      () => this.#pods(scaled),
    );
    return {replicas: Math.min(Math.ceil(ratio * pods.filter(isRunningAndReady).length), mostReplicas), usage};
  }

  /** @throws MetricError if there are none */
  async #pods({namespace, selector}: ScaledPods): Promise<Pod[]> {
    const found = await ifFound(this.#parts.resources.list(podType, namespace, {labelSelector: selector, resourceVersion: '0'}));
    const pods = (found?.items ?? []) as Pod[];
    if (pods.length === 0) throw new MetricError(noPods);
    return pods;
  }
}

interface Calculation {
  readonly scaled: ScaledPods;
  readonly pods: readonly Pod[];
  /** Changed. */
  readonly metrics: PodMetrics;
  readonly resource: string;
  /** Once it is known that there are metrics. */
  readonly begin: () => void;
  readonly measure: () => Usage;
  /** What a pod without a sample is taken to use where others need little. */
  readonly filled: (pod: string) => bigint;
}

function perPod({statusReplicas, tolerances}: ScaledPods, usage: bigint, target: bigint): Proposal {
  const ratio = Number(usage) / (Number(target) * statusReplicas);
  const replicas = isWithin(ratio, tolerances) ? statusReplicas : Math.min(Math.ceil(Number(usage) / Number(target)), mostReplicas);
  const each = statusReplicas === 0 ? 0n : (usage + BigInt(statusReplicas) - 1n) / BigInt(statusReplicas);
  return {replicas, usage: each};
}

function isWithin(ratio: number, {up, down}: Tolerances): boolean {
  return 1 - down <= ratio && ratio <= 1 + up;
}

function usageOf(metrics: PodMetrics, target: bigint): Usage {
  let sum = 0n;
  for (const {value} of metrics.values()) sum += value;
  const average = sum / BigInt(metrics.size);
  return {ratio: Number(average) / Number(target), average};
}

/** @throws MetricError if no metric is of a pod that asks for something */
function utilizationOf(metrics: PodMetrics, requests: ReadonlyMap<string, bigint>, target: number): Usage {
  let [used, asked, count] = [0n, 0n, 0n];
  for (const [pod, {value}] of metrics) {
    const request = requests.get(pod);
    if (request === undefined) continue;
    used += value;
    asked += request;
    count += 1n;
  }
  if (asked === 0n) throw new MetricError('no metrics returned matched known pods');
  const utilization = Number((used * 100n) / asked);
  return {ratio: utilization / target, average: used / count, utilization};
}

async function prefixed<T>(prefix: () => string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new MetricError(`${prefix()}: ${messageOf(error)}`, {cause: error});
  }
}

/** @throws what is not about metrics */
function messageOf(error: unknown): string {
  if (error instanceof MetricError) return error.message;
  throw error;
}
