import {isNotFound, pagesOf, taskOf, type ResourceClient, type ResourceRef} from '../../../sdk/index.js';
import type {Pod} from '../../../sdk/types/unchecked/core/v1.js';
import type {CheckedKeys} from './checks/check.js';
import {reasonText, violations} from './evaluate.js';
import {standardText, type Standard} from './standard.js';

/** How many pods are checked at most, and how long that may take. */
const maximumPods = 3000;
const maximumMillis = 1000;

const pods: ResourceRef = {group: '', version: 'v1', resource: 'pods'};
const pageSize = 250;

/**
 * Warns about existing pods in a namespace that violate its new standard. They keep running, but the user who makes the standard stricter
 * should know.
 */
export class ExistingPods {
  readonly #resources: ResourceClient;
  readonly #keys: CheckedKeys;
  readonly #isExempt: (runtimeClass: string) => boolean;

  /** @param isExempt whether a runtime class is not checked */
  constructor(resources: ResourceClient, keys: CheckedKeys, isExempt: (runtimeClass: string) => boolean) {
    this.#resources = resources;
    this.#keys = keys;
    this.#isExempt = isExempt;
  }

  /** The warnings; none if all pods comply with the standard. */
  async warnings(namespace: string, standard: Standard): Promise<string[]> {
    const deadline = performance.now() + maximumMillis;
    let found: {chosen: Pod[]; total: number};
    try {
      found = await this.#choose(namespace, deadline);
    } catch (error) {
      // A server without the type has no pods that could violate anything.
      if (isNotFound(error)) return [];
      return ['failed to list pods while checking new PodSecurity enforce level'];
    }
    const {checked, byReason} = await this.#check(found.chosen, standard, deadline);
    const warnings: string[] = [];
    if (checked < found.total) {
      warnings.push(`new PodSecurity enforce level only checked against the first ${checked} of ${found.total} existing pods`);
    }
    if (byReason.size > 0) {
      warnings.push(`existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "${standardText(standard)}"`);
    }
    return [...warnings, ...[...byReason].map(([reason, names]) => `${namesText(names)}: ${reason}`).sort()];
  }

  /** The pods to check, up to the limit. One pod of each controller comes first, since its other pods are probably the same. */
  async #choose(namespace: string, deadline: number): Promise<{chosen: Pod[]; total: number}> {
    const controllers = new Set<string>();
    const first: Pod[] = [];
    const others: Pod[] = [];
    let total = 0;
    for await (const {items, metadata} of pagesOf(this.#resources, pods, namespace, {limit: pageSize})) {
      for (const pod of items as Pod[]) {
        if (this.#isExempt(pod.spec?.runtimeClassName ?? '')) continue;
        total += 1;
        const owner = pod.metadata.ownerReferences?.find(({controller}) => controller === true);
        const chosen = owner && controllers.has(owner.uid) ? others : first;
        if (owner) controllers.add(owner.uid);
        if (chosen.length < maximumPods) chosen.push(pod);
      }
      // Half of the time is left for checking.
      if (performance.now() > deadline - maximumMillis / 2) {
        total += Number(metadata.remainingItemCount ?? 0);
        break;
      }
    }
    return {chosen: [...first, ...others].slice(0, maximumPods), total};
  }

  async #check(chosen: readonly Pod[], standard: Standard, deadline: number) {
    const byReason = new Map<string, string[]>();
    const task = taskOf(this.#resources, 'request', 'check of existing pods');
    let checked = 0;
    for (const {metadata, spec} of chosen) {
      const found = violations(standard, {annotations: metadata.annotations ?? {}, spec: spec ?? {}}, this.#keys);
      checked += 1;
      if (found.length > 0) {
        const reason = reasonText(found);
        const names = byReason.get(reason);
        if (names) names.push(metadata.name ?? '');
        else byReason.set(reason, [metadata.name ?? '']);
      }
      if (performance.now() > deadline) break;
      await task.yieldIfDue();
    }
    return {checked, byReason};
  }
}

/** The first name, and how many more there are. */
function namesText(names: string[]): string {
  const [first] = names.sort();
  const others = names.length - 1;
  return others === 0 ? first! : `${first!} (and ${others} other ${others === 1 ? 'pod' : 'pods'})`;
}
