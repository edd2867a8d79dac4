import type {PodPlace} from '../model/node-facts.js';
import type {PodShape} from '../model/pod-shape.js';

/** Pods that stay, by form and by the value of a node label: counted once, then kept up to date as pods come and go. */
export class LiveCounts {
  /** By the label. */
  #counts = new WeakMap<PodShape, Map<string, Map<string, number>>>();

  /** How many pods of a form are on nodes with each value of a label; empty for those without it. */
  of(shape: PodShape, label: string): ReadonlyMap<string, number> {
    let byLabel = this.#counts.get(shape);
    if (!byLabel) this.#counts.set(shape, (byLabel = new Map()));
    const known = byLabel.get(label);
    if (known) return known;
    const counted = new Map<string, number>();
    for (const [place, {live}] of shape.placed) count(counted, place, label, live);
    byLabel.set(label, counted);
    return counted;
  }

  /** Pods have come, or have gone. */
  add(shape: PodShape, place: PodPlace, amount: number): void {
    for (const [label, counted] of this.#counts.get(shape) ?? []) count(counted, place, label, amount);
  }

  /** The labels of nodes have changed. */
  forget(): void {
    this.#counts = new WeakMap();
  }
}

function count(counted: Map<string, number>, {facts}: PodPlace, label: string, amount: number): void {
  if (!facts || amount === 0) return;
  const value = facts.labels[label] ?? '';
  counted.set(value, (counted.get(value) ?? 0) + amount);
}
