/** Steps of cluster sizes. They overlap, so that a cluster at a boundary does not go back and forth. */
const steps = [
  {least: 0, most: 100, seconds: 0},
  {least: 90, most: 500, seconds: 15},
  {least: 450, most: 1000, seconds: 30},
  {least: 900, most: 2000, seconds: 60},
  {least: 1800, most: Infinity, seconds: 300},
];

/** For how long agents of nodes may keep what they have read, by the number of nodes. As in Kubernetes. */
export class ClusterSize {
  #step = 0;

  /** @returns seconds */
  ttl(nodes: number): number {
    while (nodes > steps[this.#step]!.most) this.#step += 1;
    while (nodes < steps[this.#step]!.least) this.#step -= 1;
    return steps[this.#step]!.seconds;
  }
}
