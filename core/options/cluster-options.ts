/** What a cluster has beside its controllers. */
export interface ClusterOptions {
  /** Simulated nodes, as `--nodes` has them: `3`, `'3:cpu=8,memory=32Gi'`; 0 has only those simulated that others make. None by default. */
  readonly nodes?: number | string | undefined;
  /** File with Node objects that are made and simulated, as `--nodes-file`. */
  readonly nodesFile?: string | undefined;
}

/** The plugin that simulates nodes, and the flags whose presence asks for it. */
const simulation = 'simulated-nodes';
const simulationFlags = ['nodes', 'nodes-file'];

/** What follows from the options of a cluster for the selection of plugins. */
export interface ClusterSelection {
  readonly controllerSets: readonly string[];
  /** Plugins that take part besides. */
  readonly plugins: readonly string[];
  /** Flags of plugins that are given by it. */
  readonly flags: ReadonlyMap<string, unknown>;
}

/** @param flags flags of plugins that are given */
export function clusterSelection(
  cluster: boolean | ClusterOptions | undefined,
  flags: Readonly<Record<string, unknown>>,
): ClusterSelection {
  const {nodes, nodesFile} = typeof cluster === 'object' ? cluster : {};
  const given = new Map(Object.entries(flags).filter(([, value]) => value !== undefined));
  if (nodes !== undefined && !given.has('nodes')) given.set('nodes', String(nodes));
  if (nodesFile !== undefined && !given.has('nodes-file')) given.set('nodes-file', nodesFile);
  return {
    controllerSets: cluster === undefined || cluster === false ? [] : ['cluster'],
    plugins: simulationFlags.some((flag) => given.has(flag)) ? [simulation] : [],
    flags: given,
  };
}

/** Whether options ask for a cluster or a part of it. */
export function isCluster(cluster: boolean | ClusterOptions | undefined, flags: Readonly<Record<string, unknown>> = {}): boolean {
  const {controllerSets, plugins} = clusterSelection(cluster, flags);
  return controllerSets.length + plugins.length > 0;
}
