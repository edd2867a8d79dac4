import type {Cluster} from '../cluster.js';

/** Something that happens in a cluster, step by step. */
export interface Scenario {
  /** Of the file with its records. */
  readonly name: string;
  run(cluster: Cluster): Promise<void>;
}
