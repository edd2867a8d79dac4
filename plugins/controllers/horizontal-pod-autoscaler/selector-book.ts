import {StatusError, type ResourceClient} from '../../../sdk/index.js';
import {splitObjectKey} from '../../../sdk/controllers/index.js';
import {podType} from '../../families/workload-pods/pod-control.js';

/** Why the pods of a selector cannot be scaled. */
export interface SelectorConflict {
  readonly reason: 'InvalidSelector' | 'AmbiguousSelector';
  readonly message: string;
}

/** Which pods the autoscalers scale: two of them must not scale the same ones. */
export class SelectorBook {
  /** By the keys of autoscalers; empty until one has been looked at. */
  readonly #selectors = new Map<string, string>();
  readonly #resources: ResourceClient;

  constructor(resources: ResourceClient) {
    this.#resources = resources;
  }

  forget(key: string): void {
    this.#selectors.delete(key);
  }

  /** Notes the selector of an autoscaler, and says what speaks against it. @param selector as text, not empty */
  async conflictOf(key: string, namespace: string, selector: string): Promise<SelectorConflict | undefined> {
    try {
      if (!(await this.#hasPods(namespace, selector))) {
        this.#selectors.set(key, selector);
        return undefined;
      }
    } catch (error) {
      if (!StatusError.is(error) || error.code !== 400) throw error;
      const message = `couldn't convert selector into a corresponding internal selector object: ${error.message}`;
      return {reason: 'InvalidSelector', message};
    }
    this.#selectors.set(key, selector);
    const others: string[] = [];
    for (const [other, text] of this.#selectors) {
      if (other === key || splitObjectKey(other)[0] !== namespace) continue;
      if (text === selector || (await this.#hasPods(namespace, `${selector},${text}`))) others.push(other);
    }
    if (others.length === 0) return undefined;
    const all = [key, ...others].toSorted();
    const message = `pods by selector ${selector} are controlled by multiple HPAs: [${all.join(' ')}]`;
    return {reason: 'AmbiguousSelector', message};
  }

  /** @throws StatusError 400 for a selector that cannot be read */
  async #hasPods(namespace: string, labelSelector: string): Promise<boolean> {
    const {items} = await this.#resources.list(podType, namespace, {labelSelector, limit: 1});
    return items.length > 0;
  }
}
