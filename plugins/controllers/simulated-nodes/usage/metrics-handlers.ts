import {
  notFound,
  quantityAmount,
  taskOf,
  type ApiObject,
  type ObjectCache,
  type ResourceClient,
  type ResourceStrategy,
  type VirtualRequest,
  type VirtualResource,
} from '../../../../sdk/index.js';
import type {Node, Pod} from '../../../../sdk/types/unchecked/core/v1.js';
import {nodeType, podType} from '../names.js';
import {measuredAt, totalUsage, usageTexts, type PodUsage, type Usage, type UsageMeter} from './usage-meter.js';

interface Measured extends ApiObject {
  readonly timestamp: string;
  readonly window: string;
}

type NodeMetrics = Measured & {readonly usage: Readonly<Record<string, string>>};
type PodMetrics = Measured & {
  readonly containers: readonly {readonly name: string; readonly usage: Readonly<Record<string, string>>}[];
};

const selectors = ['labelSelector', 'fieldSelector'] as const;

export interface MetricsParts {
  readonly resources: ResourceClient;
  readonly cache: ObjectCache;
  readonly meter: UsageMeter;
  /** `metrics.k8s.io`, as the platform spells it. */
  readonly group: string;
}

/** What the metrics of nodes and of pods have in common: the objects that they are of, and what is measured of them. */
abstract class MetricsHandler {
  protected readonly meter: UsageMeter;
  protected readonly cache: ObjectCache;
  protected readonly group: string;
  protected readonly resources: ResourceClient;

  constructor({resources, cache, meter, group}: MetricsParts) {
    this.resources = resources;
    this.cache = cache;
    this.group = group;
    this.meter = meter;
  }

  protected head(kind: string, {metadata}: Node | Pod): Measured {
    const {name, namespace, labels} = metadata;
    const now = this.meter.now;
    const {timestamp, window} = measuredAt(now);
    return {
      apiVersion: `${this.group}/v1beta1`,
      kind,
      metadata: {name: name!, ...(namespace ? {namespace} : {}), creationTimestamp: timestamp, ...(labels ? {labels} : {})},
      timestamp,
      window,
    };
  }

  /** The objects that a list is asked for of, as it selects them. @throws StatusError 400 */
  protected async selected(type: typeof podType | typeof nodeType, {namespace, query}: VirtualRequest): Promise<ApiObject[]> {
    const options = selectors.flatMap((name) => (query.get(name) ? [[name, query.get(name)!] as const] : []));
    return (await this.resources.list(type, namespace, {...Object.fromEntries(options), resourceVersion: '0'})).items;
  }
}

/** `pods` of the resource metrics: what the containers of pods on simulated nodes use. */
export class PodMetricsHandler extends MetricsHandler implements VirtualResource {
  async get({namespace, name}: VirtualRequest): Promise<ApiObject> {
    const found = this.cache.find(podType, namespace, name);
    const [usage] = found ? this.meter.ofPods([(await this.cache.read(podType, found)) as Pod]) : [];
    if (!usage) throw notFound({group: this.group, resource: 'podmetrics', name: `${namespace}/${name}`});
    return this.#shown(usage);
  }

  async list(request: VirtualRequest): Promise<ApiObject[]> {
    return this.meter.ofPods((await this.selected(podType, request)) as Pod[]).map((usage) => this.#shown(usage));
  }

  #shown({pod, containers}: PodUsage): PodMetrics {
    return {...this.head('PodMetrics', pod), containers: containers.map(({name, usage}) => ({name, usage: usageTexts(usage)}))};
  }
}

/** `nodes` of the resource metrics: what simulated nodes and their pods use. */
export class NodeMetricsHandler extends MetricsHandler implements VirtualResource {
  async get({name}: VirtualRequest): Promise<ApiObject> {
    const found = this.cache.find(nodeType, '', name);
    const [metrics] = found ? await this.#shown([(await this.cache.read(nodeType, found)) as Node]) : [];
    if (!metrics) throw notFound({group: this.group, resource: 'nodemetrics', name});
    return metrics;
  }

  async list(request: VirtualRequest): Promise<ApiObject[]> {
    return this.#shown((await this.selected(nodeType, request)) as Node[]);
  }

  async #shown(nodes: readonly Node[]): Promise<NodeMetrics[]> {
    const own = nodes.flatMap((node) => {
      const usage = this.meter.ofNode(node);
      return usage ? [{node, usage}] : [];
    });
    const ofPods = await this.#ofPods(new Set(own.map(({node}) => node.metadata.name!)));
    return own.map(({node, usage}) => ({
      ...this.head('NodeMetrics', node),
      usage: usageTexts(totalUsage([usage, ...(ofPods.get(node.metadata.name!) ?? [])])),
    }));
  }

  /** What the pods of nodes use, by node. */
  async #ofPods(nodes: ReadonlySet<string>): Promise<Map<string, Usage[]>> {
    const usages = new Map<string, Usage[]>();
    if (nodes.size === 0) return usages;
    const task = taskOf(this.resources, 'request', 'metrics of nodes');
    const pods: Pod[] = [];
    for (const each of this.cache.list(podType, '')) {
      const pod = (await this.cache.read(podType, each)) as Pod;
      if (nodes.has(pod.spec?.nodeName ?? '')) pods.push(pod);
      await task.yieldIfDue();
    }
    for (const {pod, containers} of this.meter.ofPods(pods)) {
      const node = pod.spec!.nodeName!;
      usages.set(node, [...(usages.get(node) ?? []), totalUsage(containers.map(({usage}) => usage))]);
    }
    return usages;
  }
}

/** Cells of the Tables of metrics. */
export class MetricsCells implements ResourceStrategy<ApiObject> {
  tableCells(object: ApiObject): Record<string, string> {
    const {containers, usage: whole} = object as Partial<PodMetrics & NodeMetrics>;
    const usages = containers?.map(({usage}) => usage) ?? [whole ?? {}];
    return usageTexts(totalUsage(usages.map(({cpu, memory}) => ({cpu: quantityAmount(cpu), memory: quantityAmount(memory)}))));
  }
}
