import {addQuantities, compareQuantities, quantityAmount} from '../../../sdk/index.js';
import type {PodSpec, ResourceList} from './types.js';

const counted = ['cpu', 'memory'];

/**
 * How much of what it asks for a pod is sure to get: nothing asked for, limits that are requests for every container, or
 * something between. Only cpu and memory count, and only amounts above 0.
 */
export function qosClass(spec: PodSpec): 'BestEffort' | 'Burstable' | 'Guaranteed' {
  const requests = new Map<string, string>();
  const limits = new Map<string, string>();
  let isLimited = true;
  for (const {resources} of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) {
    add(requests, resources?.requests);
    if (add(limits, resources?.limits) < counted.length) isLimited = false;
  }
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  const isSame =
    requests.size === limits.size && [...requests].every(([name, amount]) => compareQuantities(amount, limits.get(name)) === 0);
  return isLimited && isSame ? 'Guaranteed' : 'Burstable';
}

/** Adds to the sums; answers how many resources there were. */
function add(sums: Map<string, string>, amounts: ResourceList | undefined): number {
  let found = 0;
  for (const name of counted) {
    const amount = amounts && Object.hasOwn(amounts, name) ? amounts[name]! : '0';
    if (quantityAmount(amount) <= 0n) continue;
    found += 1;
    sums.set(name, addQuantities(sums.get(name) ?? '0', amount));
  }
  return found;
}
