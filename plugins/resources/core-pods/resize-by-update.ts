import type {FeatureGates} from '../../../sdk/index.js';
import {sameValue} from '../../../sdk/validation/index.js';
import type {Container, Pod} from '../../../sdk/types/unchecked/core/v1.js';

type Amounts = Readonly<Record<string, string>> | null | undefined;

/** Whether a pod is resized by writing the pod itself, as before there was a subresource for it. */
export function isResizedByUpdate(gates: FeatureGates): boolean {
  return gates.enabled('InPlacePodVerticalScaling') && !gates.enabled('PodResizeSubresource');
}

/** Says in the status of a pod that its node is asked for other resources than it has given. Modifies `pod`. */
export function markProposed(pod: Pod, old: Pod): void {
  const before = old.spec?.containers ?? [];
  const isProposed = (pod.spec?.containers ?? []).some(({name, resources}: Container, index) => {
    if (!resources?.requests || sameValue(resources, before[index]?.resources)) return false;
    const given = pod.status?.containerStatuses?.find((status) => status.name === name);
    return given !== undefined && !sameValue(resources.requests, given.allocatedResources);
  });
  if (isProposed) pod.status!.resize = 'Proposed';
}

/** A container with the cpu and memory that it had: what a resize may change. As in Kubernetes, its claims are forgotten. */
export function withOldAmounts(container: Container, old: Container | undefined): Container {
  const {resources} = container;
  if (!resources && !old?.resources) return container;
  const kept = (['limits', 'requests'] as const).flatMap((kind) => {
    const before = old?.resources?.[kind];
    return before ? [[kind, amounts(resources?.[kind], before)]] : [];
  });
  return {...container, resources: Object.fromEntries(kept) as Container['resources']} as Container;
}

function amounts(now: Amounts, before: NonNullable<Amounts>): Record<string, string> {
  const {cpu: _cpu, memory: _memory, ...others} = now ?? {};
  const {cpu, memory} = before;
  return {...others, ...(cpu === undefined ? {} : {cpu}), ...(memory === undefined ? {} : {memory})};
}
