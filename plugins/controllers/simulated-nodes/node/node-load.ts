import {portsMeet, type MachinePort, type PodDemand} from './pod-demand.js';

/** What the pods that a node has taken on ask for together. */
export class NodeLoad {
  readonly #pods = new Map<string, PodDemand>();
  readonly #sums = new Map<string, number>();

  get count(): number {
    return this.#pods.size;
  }

  /** A pod is there, by its key. */
  add(key: string, demand: PodDemand): void {
    this.remove(key);
    this.#pods.set(key, demand);
    for (const [resource, amount] of demand.amounts) this.#sums.set(resource, this.sumOf(resource) + amount);
  }

  remove(key: string): void {
    const demand = this.#pods.get(key);
    if (!demand) return;
    this.#pods.delete(key);
    for (const [resource, amount] of demand.amounts) this.#sums.set(resource, this.sumOf(resource) - amount);
  }

  has(key: string): boolean {
    return this.#pods.has(key);
  }

  sumOf(resource: string): number {
    return this.#sums.get(resource) ?? 0;
  }

  /** Whether one of some ports is taken. */
  isTaken(ports: readonly MachinePort[]): boolean {
    if (ports.length === 0) return false;
    for (const demand of this.#pods.values()) if (demand.ports.some((one) => ports.some((other) => portsMeet(one, other)))) return true;
    return false;
  }
}
