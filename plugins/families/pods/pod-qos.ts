import {addQuantities, compareQuantities, quantityAmount} from '../../../sdk/index.js';
import type {PodSpec} from '../../../sdk/types/unchecked/core/v1.js';
import type {ResourceList} from './types.js';

const counted = ['cpu', 'memory'];

/**
 * The QoS class of a pod: nothing requested, limits equal to requests for every container, or something in between. Only cpu and memory
 * count, and only amounts above 0. Resources of the pod as a whole take precedence over those of its containers.
 */
export function qosClass(spec: PodSpec): 'BestEffort' | 'Burstable' | 'Guaranteed' {
  const requests = new Map<string, string>();
  const limits = new Map<string, string>();
  let isLimited = true;
  if (spec.resources) {
    add(requests, spec.resources.requests);
    const found = add(limits, spec.resources.limits);
    if (Object.keys(spec.resources.limits ?? {}).length > 0 && found < counted.length) isLimited = false;
  } else {
    for (const {resources} of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) {
      add(requests, resources?.requests);
      if (add(limits, resources?.limits) < counted.length) isLimited = false;
    }
  }
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  const isSame =
    requests.size === limits.size && [...requests].every(([name, amount]) => compareQuantities(amount, limits.get(name)) === 0);
  return isLimited && isSame ? 'Guaranteed' : 'Burstable';
}

/** Adds to the sums and returns the number of resources. */
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
