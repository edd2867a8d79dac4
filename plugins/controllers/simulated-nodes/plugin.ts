import {
  componentPrefix,
  controller,
  inject,
  Tokens,
  type Controller,
  type FeatureGates,
  type Logger,
  type Metrics,
  type NamingProfile,
  type NodeAgents,
  type ObjectCache,
  type ResourceClient,
  type ResourceTypes,
} from '../../../sdk/index.js';
import {followCache} from '../../../sdk/controllers/index.js';
import {parseCidr} from '../../../sdk/net/index.js';
import type {Node, Pod} from '../../../sdk/types/unchecked/core/v1.js';
import {SimulatedKubelet} from './agent/simulated-kubelet.js';
import {nodeKeys, nodeType, podType} from './names.js';
import {NodeFleet} from './node/node-fleet.js';
import {wantedNodes, type WantedNodes} from './node/wanted-nodes.js';
import {PodEngine} from './pod/pod-engine.js';
import {StageBook} from './stage/stage-book.js';
import {stageDefinition} from './stage/stage-type.js';
import {MetricsCells, NodeMetricsHandler, PodMetricsHandler, type MetricsParts} from './usage/metrics-handlers.js';
import {nodeMetricsType, podMetricsType} from './usage/metrics-types.js';
import {UsageMeter} from './usage/usage-meter.js';

export {ServingApprover} from './certificates/serving-approver.js';

const nothing = (): void => undefined;

interface Parts {
  readonly fleet: NodeFleet;
  readonly engine: PodEngine;
  readonly stages: StageBook;
}

interface Settings {
  readonly nodes: string;
  /** Path; empty for none. */
  readonly nodesFile: string;
  readonly clusterIpRanges: readonly string[];
}

/** Has nodes and their pods live that nobody runs. */
@controller()
export class SimulatedNodes implements Controller {
  readonly #settings: Settings;
  readonly #make: (wanted: WantedNodes) => Parts;
  #running: Parts | undefined;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.ObjectCache) cache: ObjectCache,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Release) release: string,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
  ) {
    this.#settings = config as unknown as Settings;
    const reporter = {keys: nodeKeys(naming), gates, version: `v${release}.0`};
    this.#make = ({pools, objects}) => {
      const parts = {resources, cache, gates, logger, metrics};
      const engine = new PodEngine({
        ...parts,
        names: {csiPlugin: naming.key('orch/csi'), rootCa: `${componentPrefix(naming)}-root-ca.crt`},
        nodeOf: (name) => fleet.find(name),
        stagesOf: (pod, node) => stages.of(pod, node.labels),
      });
      const fleet: NodeFleet = new NodeFleet({
        ...parts,
        reporter,
        leaseNamespace: naming.nodeLeaseNamespace,
        families: this.#settings.clusterIpRanges.map((range) => parseCidr(range)!.family),
        pools,
        objects,
        changed: (name) => engine.nodeChanged(name),
      });
      const stages = new StageBook(cache, logger, () => engine.reconsider());
      return {fleet, engine, stages};
    };
  }

  #wanted(): Promise<WantedNodes> {
    const {nodes, nodesFile} = this.#settings;
    return wantedNodes(nodes, nodesFile);
  }

  async check(): Promise<void> {
    await this.#wanted();
  }

  async start(signal: AbortSignal): Promise<void> {
    const parts = this.#make(await this.#wanted());
    this.#running = parts;
    await Promise.all([parts.stages.start(signal), parts.fleet.start(signal)]);
    await parts.engine.start(signal);
  }

  async stop(): Promise<void> {
    await this.#running?.engine.stop();
    await this.#running?.fleet.stop();
  }
}

/** What every server has where nodes are simulated: the type Stage, what pods and nodes use, and answers for kubelets. */
@controller()
export class SimulatedKubelets implements Controller {
  readonly #types: ResourceTypes;
  readonly #agents: NodeAgents;
  readonly #kubelet: SimulatedKubelet;
  readonly #stages: StageBook;
  readonly #metrics: MetricsParts;
  #takeBack: () => void = () => undefined;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.ObjectCache) cache: ObjectCache,
    @inject(Tokens.ResourceTypes) types: ResourceTypes,
    @inject(Tokens.NodeAgents) agents: NodeAgents,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Logger) logger: Logger,
  ) {
    const behavioursOf = (pod: Pod, {metadata}: Node) => this.#stages.of(pod, metadata.labels ?? {}).behaviours;
    const meter = new UsageMeter({resources, cache, behavioursOf});
    this.#metrics = {resources, cache, meter, group: naming.group('metrics.orch')};
    this.#types = types;
    this.#agents = agents;
    this.#stages = new StageBook(cache, logger, () => undefined);
    this.#kubelet = new SimulatedKubelet({resources, behavioursOf: (pod) => this.#stages.of(pod, {}).behaviours});
  }

  async start(signal: AbortSignal): Promise<void> {
    // It is served until the server ends: requests may still be under way then.
    this.#types.set(stageDefinition);
    this.#serveMetrics(signal);
    this.#takeBack = await this.#agents.add(this.#kubelet);
    // Who may read them is known when the server has started.
    void this.#stages.start(signal);
  }

  /** Reads pods and nodes in the cache, which has them once somebody follows them. */
  #serveMetrics(signal: AbortSignal): void {
    const {cache, group} = this.#metrics;
    const nobody = {changed: nothing, deleted: nothing, listed: nothing, reset: nothing, ended: nothing};
    for (const type of [podType, nodeType]) followCache(cache, type, nobody, signal);
    this.#types.set(podMetricsType(group), new MetricsCells(), true, {pods: new PodMetricsHandler(this.#metrics)});
    this.#types.set(nodeMetricsType(group), new MetricsCells(), true, {nodes: new NodeMetricsHandler(this.#metrics)});
  }

  async stop(): Promise<void> {
    this.#takeBack();
    this.#kubelet.close();
  }
}
