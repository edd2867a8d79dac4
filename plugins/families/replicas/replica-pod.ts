import type {NamingProfile} from '../../../sdk/index.js';
import type {Pod} from '../../../sdk/types/unchecked/core/v1.js';

/** What decides about a pod of a set of replicas. */
export interface ReplicaPod {
  /** Neither finished nor being deleted. */
  readonly isActive: boolean;
  /** Being deleted and not finished. */
  readonly isTerminating: boolean;
  /** 0 pending, 1 unknown, 2 running. */
  readonly phase: number;
  readonly isReady: boolean;
  /** In milliseconds since 1970; 0 if it is not ready or does not say. */
  readonly readySince: number;
  readonly nodeName: string;
  /** The most restarts of a container, and of a sidecar. */
  readonly restarts: number;
  readonly sidecarRestarts: number;
  /** In milliseconds since 1970. */
  readonly createdAt: number;
  readonly deletionCost: number;
}

const phases: Readonly<Record<string, number>> = {Pending: 0, Unknown: 1, Running: 2};

/** Function that summarizes pods. */
export function replicaPods(naming: NamingProfile): (pod: Pod) => ReplicaPod {
  const costKey = naming.key('controller.orch/pod-deletion-cost');
  return (pod) => {
    const {metadata, spec, status} = pod;
    const {phase = ''} = status ?? {};
    const isFinished = phase === 'Succeeded' || phase === 'Failed';
    const ready = status?.conditions?.find(({type}) => type === 'Ready');
    const isReady = ready?.status === 'True';
    const sidecars = new Set(spec?.initContainers?.filter(({restartPolicy}) => restartPolicy === 'Always').map(({name}) => name));
    return {
      isActive: !isFinished && !metadata.deletionTimestamp,
      isTerminating: !isFinished && Boolean(metadata.deletionTimestamp),
      phase: phases[phase] ?? 0,
      isReady,
      readySince: isReady ? time(ready.lastTransitionTime) : 0,
      nodeName: spec?.nodeName ?? '',
      restarts: mostRestarts(status?.containerStatuses ?? []),
      sidecarRestarts: mostRestarts((status?.initContainerStatuses ?? []).filter(({name}) => sidecars.has(name))),
      createdAt: time(metadata.creationTimestamp),
      deletionCost: costOf(metadata.annotations?.[costKey]),
    };
  };
}

function mostRestarts(statuses: readonly {readonly restartCount?: number | bigint}[]): number {
  return Math.max(0, ...statuses.map(({restartCount}) => Number(restartCount ?? 0)));
}

/** 0 for what is no whole number of 32 bits without leading zeros. */
function costOf(text = ''): number {
  const cost = /^(0|[1-9]\d*|-\d+)$/.test(text) ? Number(text) : 0;
  return cost >= -(2 ** 31) && cost < 2 ** 31 ? cost : 0;
}

function time(text: string | null | undefined): number {
  return Date.parse(text ?? '') || 0;
}
