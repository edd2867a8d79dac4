import type {SortedTree} from './sorted-tree.js';
import type {WindowEvent} from './window-event.js';

/** Most namespaces whose counts are kept. */
const mostNamespaces = 10_000;

/**
 * How many objects namespaces have in the current state. To count them takes the longer the more there are, and each first page of a list says how many are left; so a count is kept
 * once somebody has asked for it.
 */
export class NamespaceCounts {
  readonly #counts = new Map<string, number>();

  /** @param tree the current state */
  of(namespace: string, tree: SortedTree): number {
    let count = this.#counts.get(namespace);
    if (count === undefined) {
      // `/` is followed by `0`.
      count = tree.forRange(`${namespace}/`, `${namespace}0`, false);
      if (this.#counts.size >= mostNamespaces) this.#counts.clear();
      this.#counts.set(namespace, count);
    }
    return count;
  }

  /** Follows a change of the state. */
  apply({object, previous}: WindowEvent): void {
    if (object && previous) return;
    const {namespace} = (object ?? previous)!;
    const count = this.#counts.get(namespace);
    if (count === undefined) return;
    if (object) this.#counts.set(namespace, count + 1);
    else if (count > 1) this.#counts.set(namespace, count - 1);
    else this.#counts.delete(namespace);
  }
}
