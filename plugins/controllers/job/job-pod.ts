import type {NamingProfile} from '../../../sdk/index.js';
import type {ContainerStatus, Pod} from '../../../sdk/types/unchecked/core/v1.js';
import {replicaPods, type ReplicaPod} from '../../families/replicas/replica-pod.js';
import type {KeptPod} from '../../families/workload-pods/controlled-pods.js';
import {jobKeys} from './job-object.js';

/** What decides about a pod of a Job. */
export interface JobPod extends ReplicaPod {
  readonly status: string;
  /** Whether it waits to be counted. */
  readonly isTracked: boolean;
  /** -1 for none. */
  readonly index: number;
  /** Failures of its index before it: those that count, and those that a policy ignores. */
  readonly failureCount: number;
  readonly ignoredCount: number;
  /** When it ended, or was to, in milliseconds since 1970. */
  readonly finishedAt: number;
  /** Restarts of all its containers. */
  readonly allRestarts: number;
  /** Containers that have ended with another code than 0, main ones first. */
  readonly exits: readonly {readonly container: string; readonly code: number}[];
  readonly conditions: readonly {readonly type: string; readonly status: string}[];
}

export type Kept = KeptPod<JobPod>;

/** Function that summarizes pods. */
export function jobPods(naming: NamingProfile): (pod: Pod) => JobPod {
  const replica = replicaPods(naming);
  const keys = jobKeys(naming);
  return (pod) => {
    const {metadata, status} = pod;
    const {annotations = {}, finalizers = []} = metadata;
    const main = status?.containerStatuses ?? [];
    const init = status?.initContainerStatuses ?? [];
    return {
      ...replica(pod),
      status: status?.phase ?? '',
      isTracked: finalizers.includes(keys.finalizer),
      index: numberOf(annotations[keys.index]) ?? -1,
      failureCount: numberOf(annotations[keys.failureCount]) ?? 0,
      ignoredCount: numberOf(annotations[keys.ignoredCount]) ?? 0,
      finishedAt: finishTime(pod),
      allRestarts: [...init, ...main].reduce((sum, {restartCount = 0}) => sum + Number(restartCount), 0),
      exits: [...main, ...init].flatMap(({name = '', state}) =>
        state?.terminated && Number(state.terminated.exitCode ?? 0) !== 0
          ? [{container: name, code: Number(state.terminated.exitCode)}]
          : [],
      ),
      conditions: (status?.conditions ?? []).map(({type = '', status: value = ''}) => ({type, status: value})),
    };
  };
}

function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) && Number(text) < 2 ** 31 ? Number(text) : undefined;
}

/** By its containers, else since when it is not ready, else when its deletion began. */
function finishTime(pod: Pod): number {
  const {metadata, spec, status} = pod;
  const sidecars = new Set(spec?.initContainers?.filter(({restartPolicy}) => restartPolicy === 'Always').map(({name}) => name));
  const ofSidecars = (status?.initContainerStatuses ?? []).filter(({name}) => sidecars.has(name));
  const ended = latestEnd([...(status?.containerStatuses ?? []), ...ofSidecars]);
  if (ended !== undefined) return ended;
  const ready = status?.conditions?.find(({type}) => type === 'Ready');
  if (ready?.status === 'False' && ready.lastTransitionTime) return Date.parse(ready.lastTransitionTime);
  if (metadata.deletionTimestamp) return Date.parse(metadata.deletionTimestamp) - Number(metadata.deletionGracePeriodSeconds ?? 0) * 1000;
  return Date.parse(metadata.creationTimestamp ?? '') || 0;
}

/** Undefined unless all have ended. */
function latestEnd(statuses: readonly ContainerStatus[]): number | undefined {
  const ends = statuses.map(({state}) => Date.parse(state?.terminated?.finishedAt ?? ''));
  return ends.length === 0 || ends.some(Number.isNaN) ? undefined : Math.max(...ends);
}
