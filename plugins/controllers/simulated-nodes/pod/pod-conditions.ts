import {secondTime} from '../../../../sdk/index.js';
import type {Pod, PodCondition} from '../../../../sdk/types/unchecked/core/v1.js';
import {isSidecar} from '../../../families/pods/restart-policy.js';
import type {StatusFeatures} from './container-facts.js';
import type {Phase, StatusesByName} from './pod-phase.js';

/** Those that kubelets own, whoever has written them. */
const owned = new Set(['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled']);

interface Verdict {
  readonly status: 'True' | 'False';
  readonly reason?: string;
  readonly message?: string;
}

const yes: Verdict = {status: 'True'};

/**
 * The conditions of a pod on a node, as the kubelet computes them; those of others stay.
 *
 * @param hasSandbox whether its network is there
 * @param more further ones that the kubelet sets
 */
export function conditionsOf(
  pod: Pod,
  phase: Phase,
  statuses: StatusesByName,
  at: number,
  features: StatusFeatures,
  hasSandbox: boolean,
  more: readonly (Verdict & {readonly type: string})[] = [],
): PodCondition[] {
  const before = pod.status?.conditions ?? [];
  const others = before.filter(({type = ''}) => !owned.has(type) && !more.some((one) => one.type === type));
  const containersReady = containersReadyOf(pod, phase, statuses);
  const generation = Number(pod.metadata.generation ?? 0);
  const made = (type: string, {status, reason, message}: Verdict): PodCondition => {
    const old = before.find((condition) => condition.type === type);
    return {
      type,
      ...(features.generations && generation > 0 ? {observedGeneration: generation} : {}),
      status,
      lastProbeTime: null as never,
      lastTransitionTime: old?.status === status ? (old.lastTransitionTime ?? secondTime(at)) : secondTime(at),
      ...(reason === undefined ? {} : {reason}),
      ...(message === undefined ? {} : {message}),
    };
  };
  return [
    ...others,
    ...more.map((one) => made(one.type, one)),
    ...(features.readyToStart ? [made('PodReadyToStartContainers', {status: hasSandbox ? 'True' : 'False'})] : []),
    made('Initialized', initializedOf(pod, phase, statuses)),
    made('Ready', readyOf(pod, containersReady)),
    made('ContainersReady', containersReady),
    made('PodScheduled', yes),
  ];
}

function containersReadyOf({spec = {}}: Pod, phase: Phase, statuses: StatusesByName): Verdict {
  if (phase === 'Succeeded') return {status: 'False', reason: 'PodCompleted'};
  if (phase === 'Failed') return {status: 'False', reason: 'PodFailed'};
  const counted = [...(spec.initContainers ?? []).filter(isSidecar), ...(spec.containers ?? [])].map(({name = ''}) => name);
  const unready = counted.filter((name) => statuses.get(name)?.ready !== true);
  if (unready.length === 0) return yes;
  return {status: 'False', reason: 'ContainersNotReady', message: `containers with unready status: [${unready.join(' ')}]`};
}

function readyOf({spec = {}, status = {}}: Pod, containersReady: Verdict): Verdict {
  if (containersReady.status !== 'True') return containersReady;
  const messages = (spec.readinessGates ?? []).flatMap(({conditionType = ''}) => {
    const found = status.conditions?.find(({type}) => type === conditionType);
    if (!found) return [`corresponding condition of pod readiness gate "${conditionType}" does not exist.`];
    return found.status === 'True' ? [] : [`the status of pod readiness gate "${conditionType}" is not "True", but ${found.status}`];
  });
  return messages.length === 0 ? yes : {status: 'False', reason: 'ReadinessGatesNotReady', message: messages.join(', ')};
}

function initializedOf({spec = {}}: Pod, phase: Phase, statuses: StatusesByName): Verdict {
  if (phase === 'Succeeded') return {status: 'True', reason: 'PodCompleted'};
  const hasBegun = (spec.containers ?? []).some(({name = ''}) => {
    const {state, lastState} = statuses.get(name) ?? {};
    return Boolean(state?.running ?? state?.terminated ?? lastState?.terminated);
  });
  if (hasBegun) return yes;
  const incomplete = (spec.initContainers ?? []).filter((container) => {
    const found = statuses.get(container.name ?? '');
    return isSidecar(container) ? found?.started !== true : found?.ready !== true;
  });
  if (incomplete.length === 0) return yes;
  const names = incomplete.map(({name = ''}) => name).join(' ');
  return {status: 'False', reason: 'ContainersNotInitialized', message: `containers with incomplete status: [${names}]`};
}
