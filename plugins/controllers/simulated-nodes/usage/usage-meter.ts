import {formatQuantity, quantityAmount, secondTime, type ApiObject, type ObjectCache, type ResourceClient} from '../../../../sdk/index.js';
import {systemClock} from '../../../../sdk/controllers/index.js';
import type {Container, Node, Pod} from '../../../../sdk/types/unchecked/core/v1.js';
import {controllerOf} from '../../../families/workload-pods/controller-reference.js';
import {Behaviour, wordPrefix, type StagedBehaviour} from '../behaviour/behaviour.js';
import {nodeType, podType} from '../names.js';
import {faultsOf, isSimulated} from '../node/node-form.js';
import {parseUsage, usageAt, type UsageFormula} from './usage-formula.js';

export type MeasuredResource = 'cpu' | 'memory';

/** Amounts in billionths. */
export type Usage = Readonly<Record<MeasuredResource, bigint>>;

/** What the containers of a pod use that run. */
export interface PodUsage {
  readonly pod: Pod;
  readonly containers: readonly {readonly name: string; readonly usage: Usage}[];
}

export interface UsageMeterParts {
  readonly resources: ResourceClient;
  readonly cache: ObjectCache;
  /** What Stages say of how a pod on a node behaves. */
  readonly behavioursOf: (pod: Pod, node: Node) => readonly StagedBehaviour[];
}

/** How long what is measured is measured for. */
export const windowText = '10s';

const measured: readonly MeasuredResource[] = ['cpu', 'memory'];
/** What is used if nobody says anything: of containers that ask for something, of others, and of nodes beside their pods. */
const defaults = {
  asked: {cpu: '10%', memory: '50%'},
  plain: {cpu: '10m', memory: '32Mi'},
  node: {cpu: '100m', memory: '512Mi'},
} as const;
const page = 1024n * 1_000_000_000n;
/** Formulas that are kept: many pods say the same. */
const mostFormulas = 1000;
const nothing: Usage = {cpu: 0n, memory: 0n};

/** Measures what pods and nodes use that are simulated: what their annotations and Stages say, at a moment. */
export class UsageMeter {
  readonly #parts: UsageMeterParts;
  readonly #formulas = new Map<string, UsageFormula | undefined>();

  constructor(parts: UsageMeterParts) {
    this.#parts = parts;
  }

  /** Milliseconds since 1970, by the clock of the server. */
  get now(): number {
    return (this.#parts.resources.clock ?? systemClock).now();
  }

  /** What pods use, of those of them that run where somebody measures. */
  ofPods(pods: readonly Pod[]): PodUsage[] {
    const now = this.now;
    const nodes = new Map<string, Node | undefined>();
    const groups = new Map<string, Pod[]>();
    const sharing = (pod: Pod) => this.#sharing(pod, groups);
    return pods.flatMap((pod) => {
      const name = pod.spec?.nodeName ?? '';
      if (!nodes.has(name)) nodes.set(name, this.#liveNode(name));
      const node = nodes.get(name);
      const containers = node && isRunning(pod) ? this.#containers(pod, node, now, sharing) : [];
      return containers.length === 0 ? [] : [{pod, containers}];
    });
  }

  /** What a node uses beside its pods; undefined if nobody measures there. */
  ofNode(node: Node): Usage | undefined {
    if (!isSimulated(node) || faultsOf(node).has('down')) return undefined;
    const now = this.now;
    const since = now - (Date.parse(node.metadata.creationTimestamp ?? '') || now);
    const entries = measured.map((resource) => {
      const said = this.#formula(node.metadata.annotations?.[wordPrefix + resource]);
      const formula = said && !said.isShared ? said : this.#formula(defaults.node[resource])!;
      const whole = quantityAmount(node.status?.allocatable?.[resource]);
      return [resource, usageAt(formula, {since, now, whole, seed: `${node.metadata.uid} ${resource}`})] as const;
    });
    return Object.fromEntries(entries) as Usage;
  }

  /** A node as the cache has it; undefined if nobody measures there. */
  #liveNode(name: string): Node | undefined {
    const {cache} = this.#parts;
    const found = name === '' ? undefined : cache.find(nodeType, '', name);
    const node = found && (cache.read(nodeType, found) as Node);
    return node && isSimulated(node) && !faultsOf(node).has('down') ? node : undefined;
  }

  #containers({...pod}: Pod, node: Node, now: number, sharing: (pod: Pod) => Pod[]): PodUsage['containers'] {
    const {metadata, spec = {}, status = {}} = pod;
    const behaviour = new Behaviour(metadata.annotations ?? {}, this.#parts.behavioursOf(pod, node), {}, metadata.uid ?? '');
    const statuses = [...(status.containerStatuses ?? []), ...(status.initContainerStatuses ?? [])];
    const used = (container: Container, isMain: boolean) => {
      const name = container.name ?? '';
      const startedAt = statuses.find((one) => one.name === name)?.state?.running?.startedAt;
      if (!startedAt) return [];
      const words = behaviour.of(name, isMain, container.image);
      const since = Math.max(now - Date.parse(startedAt), 0);
      const usage = Object.fromEntries(
        measured.map((resource) => [resource, this.#used(pod, container, resource, words.text(resource), {since, now, sharing})]),
      ) as Usage;
      return [{name, usage}];
    };
    return [
      ...(spec.containers ?? []).flatMap((container) => used(container, true)),
      ...(spec.initContainers ?? []).flatMap((container) => used(container, false)),
    ];
  }

  #used(
    pod: Pod,
    {name = '', resources = {}}: Container,
    resource: MeasuredResource,
    said: string | undefined,
    {since, now, sharing}: {readonly since: number; readonly now: number; readonly sharing: (pod: Pod) => Pod[]},
  ): bigint {
    const asked = resources.requests?.[resource];
    const formula = this.#formula(said) ?? this.#formula((asked === undefined ? defaults.plain : defaults.asked)[resource])!;
    const whole = quantityAmount(asked);
    const limit = resources.limits?.[resource];
    const bounded = (amount: bigint) => (limit === undefined || amount < quantityAmount(limit) ? amount : quantityAmount(limit));
    const rounded = (amount: bigint) => (resource === 'memory' ? amount - (amount % page) : amount);
    if (!formula.isShared) return rounded(bounded(usageAt(formula, {since, now, whole, seed: `${pod.metadata.uid} ${name} ${resource}`})));
    const others = sharing(pod);
    const first = Math.min(...others.map(({status}) => Date.parse(status?.startTime ?? '') || now));
    const owner = controllerOf(pod)?.uid ?? pod.metadata.uid;
    const all = usageAt(formula, {since: Math.max(now - first, 0), now, whole, seed: `${owner} ${name} ${resource}`});
    return rounded(bounded(all / BigInt(others.length)));
  }

  /** The pods that a pod shares work with: those that run of what controls it. */
  #sharing(pod: Pod, groups: Map<string, Pod[]>): Pod[] {
    const {namespace = ''} = pod.metadata;
    const uid = controllerOf(pod)?.uid;
    if (uid === undefined) return [pod];
    const known = groups.get(uid);
    if (known) return known;
    const {cache} = this.#parts;
    const found: Pod[] = [];
    for (const each of cache.list(podType, namespace)) {
      if (!each.mayBeOwnedOrDeleted || !each.metadata().ownerReferences?.some((owner) => owner.uid === uid)) continue;
      const other = cache.read(podType, each) as Pod & ApiObject;
      if (isRunning(other)) found.push(other);
    }
    const all = found.length === 0 ? [pod] : found;
    groups.set(uid, all);
    return all;
  }

  #formula(text: string | undefined): UsageFormula | undefined {
    if (text === undefined) return undefined;
    if (!this.#formulas.has(text)) {
      // A cache: what falls out is read again.
      if (this.#formulas.size >= mostFormulas) this.#formulas.clear();
      this.#formulas.set(text, parseUsage(text));
    }
    return this.#formulas.get(text);
  }
}

/** The sum of what is used. */
export function totalUsage(usages: Iterable<Usage>): Usage {
  let total = nothing;
  for (const {cpu, memory} of usages) total = {cpu: total.cpu + cpu, memory: total.memory + memory};
  return total;
}

/** As quantities. */
export function usageTexts({cpu, memory}: Usage): Record<MeasuredResource, string> {
  return {cpu: formatQuantity({amount: cpu, family: 'decimal'}), memory: formatQuantity({amount: memory, family: 'binary'})};
}

/** What is said of when something was measured. */
export function measuredAt(now: number): {readonly timestamp: string; readonly window: string} {
  return {timestamp: secondTime(now), window: windowText};
}

function isRunning({metadata, status}: Pod): boolean {
  return status?.phase === 'Running' && !metadata.deletionTimestamp;
}
