import type {Pod} from '../../../sdk/types/unchecked/core/v1.js';
import {isSidecar} from '../../families/pods/restart-policy.js';
import {milliOf} from './metric-amount.js';
import {MetricError} from './metric-error.js';

const podLevelResources = new Set(['cpu', 'memory']);

/**
 * What pods ask for of a resource, in thousandths by their names.
 *
 * @param container of one container; empty for whole pods
 * @param hasPodLevel whether pods may ask for resources as a whole
 * @throws MetricError if one does not say
 */
export function requestsOf(pods: readonly Pod[], container: string, resource: string, hasPodLevel: boolean): Map<string, bigint> {
  return new Map(
    pods.map((pod) => {
      const asked = hasPodLevel && container === '' ? podLevelRequest(pod, resource) : undefined;
      return [pod.metadata.name ?? '', asked ?? requestOfContainers(pod, container, resource)] as const;
    }),
  );
}

/** Undefined for a pod that asks for nothing as a whole. */
function podLevelRequest(pod: Pod, resource: string): bigint | undefined {
  const requests = pod.spec?.resources?.requests ?? {};
  if (!Object.keys(requests).some((name) => podLevelResources.has(name) || name.startsWith('hugepages-'))) return undefined;
  // What it does not say as a whole is the sum of its containers.
  const own = requests[resource];
  if (own !== undefined) return milliOf(own);
  const given = containersOf(pod).flatMap(({resources}) => resources?.requests?.[resource] ?? []);
  if (given.length === 0) throw new MetricError(`missing pod-level request for ${resource} in Pod ${pod.metadata.name}`);
  return given.reduce((sum, amount) => sum + milliOf(amount), 0n);
}

function requestOfContainers(pod: Pod, wanted: string, resource: string): bigint {
  let sum = 0n;
  for (const {name, resources} of containersOf(pod)) {
    if (wanted !== '' && wanted !== name) continue;
    const request = resources?.requests?.[resource];
    if (request === undefined || request === null)
      throw new MetricError(`missing request for ${resource} in container ${name} of Pod ${pod.metadata.name}`);
    sum += milliOf(request);
    if (wanted === name) return sum;
  }
  if (wanted !== '') throw new MetricError(`container ${wanted} not found in Pod ${pod.metadata.name}`);
  return sum;
}

function containersOf({spec = {}}: Pod) {
  return [...(spec.containers ?? []), ...(spec.initContainers ?? []).filter(isSidecar)];
}
