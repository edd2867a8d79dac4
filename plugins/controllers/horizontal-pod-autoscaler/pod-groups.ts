import type {Pod, PodCondition} from '../../../sdk/types/unchecked/core/v1.js';
import type {PodMetrics} from './metrics-client.js';

/** When pods that use processors to start count. In milliseconds. */
export interface ReadinessTimes {
  readonly cpuInitializationMillis: number;
  readonly initialReadinessDelayMillis: number;
}

/** The pods of a workload by what their metrics are worth. */
export interface PodGroups {
  /** How many count. */
  readonly ready: number;
  /** Names of pods that do not count yet. */
  readonly unready: readonly string[];
  /** Of those that nothing was measured of. */
  readonly missing: readonly string[];
  /** Of those that are on their way out. */
  readonly ignored: readonly string[];
}

/** Groups pods. @param now in milliseconds since 1970 */
export function groupPods(pods: readonly Pod[], metrics: PodMetrics, resource: string, times: ReadinessTimes, now: number): PodGroups {
  const groups = {unready: [] as string[], missing: [] as string[], ignored: [] as string[]};
  let ready = 0;
  for (const pod of pods) {
    const {name = ''} = pod.metadata;
    const phase = pod.status?.phase;
    const metric = metrics.get(name);
    if (pod.metadata.deletionTimestamp || phase === 'Failed') groups.ignored.push(name);
    else if (phase === 'Pending') groups.unready.push(name);
    else if (!metric) groups.missing.push(name);
    else if (resource === 'cpu' && isStarting(pod, metric.at - metric.windowMillis, times, now)) groups.unready.push(name);
    else ready += 1;
  }
  return {ready, ...groups};
}

/** Whether what was measured of a pod belongs to its start. @param begun when the measurement began */
function isStarting(
  {status = {}}: Pod,
  begun: number,
  {cpuInitializationMillis, initialReadinessDelayMillis}: ReadinessTimes,
  now: number,
): boolean {
  const condition: PodCondition | undefined = status.conditions?.find(({type}) => type === 'Ready');
  if (!condition || !status.startTime) return true;
  const startedAt = Date.parse(status.startTime);
  const changedAt = Date.parse(condition.lastTransitionTime ?? '') || 0;
  const isUnready = condition.status === 'False';
  if (startedAt + cpuInitializationMillis > now) return isUnready || begun < changedAt;
  // It has never been ready.
  return isUnready && startedAt + initialReadinessDelayMillis > changedAt;
}
