import type {RequestInfo} from '../request/request-info.js';

/**
 * Counts the watches of this server by what they select, because the cost of a write grows with the watches to notify. Selectors do not count: every watch has to
 * be checked for every event.
 */
export class WatchCounts {
  readonly #counts = new Map<string, number>();

  add(info: RequestInfo): void {
    const key = keyOf(info, info.namespace, info.name);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  remove(info: RequestInfo): void {
    const key = keyOf(info, info.namespace, info.name);
    const count = this.#counts.get(key) ?? 0;
    if (count > 1) this.#counts.set(key, count - 1);
    else this.#counts.delete(key);
  }

  /** How many watches may get an event of what a request changes: those of its type, its namespace and its object. */
  interestedIn(info: RequestInfo): number {
    if (this.#counts.size === 0) return 0;
    const {namespace, name} = info;
    let count = this.#of(info, '', '');
    if (namespace !== '') count += this.#of(info, namespace, '');
    if (name !== '') count += this.#of(info, namespace, name);
    return count;
  }

  #of(info: RequestInfo, namespace: string, name: string): number {
    return this.#counts.get(keyOf(info, namespace, name)) ?? 0;
  }
}

function keyOf({group, resource}: RequestInfo, namespace: string, name: string): string {
  return `${group}/${resource}/${namespace}/${name}`;
}
