import type {Node} from '../../../../sdk/types/unchecked/core/v1.js';

/** The annotation of Nodes that are simulated, with the value `true`. */
export const nodeAnnotation = 'simulate.orch/node';
/** The annotation of Nodes that says what is wrong with them: `down`, `disk`, `memory`, `pids`, separated by commas. */
export const faultAnnotation = 'simulate.orch/fault';

/** Whether a Node has no kubelet, and is the simulation's to report. */
export function isSimulated({metadata}: Pick<Node, 'metadata'>): boolean {
  return metadata.annotations?.[nodeAnnotation] === 'true';
}

/** What is wrong with a node. `down`: nothing is heard of it; the others are pressures that it reports. */
export type NodeFault = 'down' | 'disk' | 'memory' | 'pids';

const known: ReadonlySet<string> = new Set<NodeFault>(['down', 'disk', 'memory', 'pids']);

/** The faults that a Node's annotation names; unknown words are none. */
export function faultsOf({metadata}: Pick<Node, 'metadata'>): ReadonlySet<NodeFault> {
  const words = (metadata.annotations?.[faultAnnotation] ?? '').split(',').map((word) => word.trim());
  return new Set(words.filter((word) => known.has(word)) as NodeFault[]);
}

/** A kind of nodes that the simulation makes. */
export interface NodePool {
  readonly count: number;
  /** The beginning of their names, before `-1`. */
  readonly prefix: string;
  /** By resource; at least cpu, memory, pods and ephemeral-storage. */
  readonly capacity: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly {readonly key: string; readonly value?: string; readonly effect: string}[];
  /** Zones that the nodes are spread over, in turn. */
  readonly zones: readonly string[];
}
