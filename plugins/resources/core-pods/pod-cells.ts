import {humanDuration, type TableRowCondition} from '../../../sdk/index.js';
import {isSidecar} from '../../families/pods/restart-policy.js';
import type {ContainerStatus, Pod} from '../../../sdk/types/unchecked/core/v1.js';
import {isConditionTrue} from './pod.js';

/** Cells of a pod's Table row. */
export function podCells(pod: Pod, now: Date): Record<string, string> {
  const {spec = {}, status = {}} = pod;
  const {text, ready, restarts} = summary(pod, now);
  const gates = spec.readinessGates ?? [];
  const trueConditions = new Set((gates.length > 0 ? (status.conditions ?? []) : []).filter(isTrue).map(({type}) => type));
  const passed = gates.filter(({conditionType = ''}) => trueConditions.has(conditionType)).length;
  return {
    Ready: `${ready}/${(spec.containers?.length ?? 0) + (spec.initContainers ?? []).filter(isSidecar).length}`,
    Status: text,
    Restarts: restarts,
    IP: status.podIPs?.[0]?.ip || '<none>',
    Node: spec.nodeName || '<none>',
    'Nominated Node': status.nominatedNodeName || '<none>',
    'Readiness Gates': gates.length === 0 ? '<none>' : `${passed}/${gates.length}`,
  };
}

function isTrue({status}: {status?: string}): boolean {
  return status === 'True';
}

const completed = {type: 'Completed', status: 'True'} as const;
const none: readonly TableRowCondition[] = [];
const succeeded: readonly TableRowCondition[] = [{...completed, reason: 'Succeeded', message: 'The pod has completed successfully.'}];
const failed: readonly TableRowCondition[] = [{...completed, reason: 'Failed', message: 'The pod failed.'}];

/** Marks the row of a finished pod, so that clients can hide it. */
export function podRowConditions({status}: Pod): readonly TableRowCondition[] {
  switch (status?.phase) {
    case 'Succeeded':
      return succeeded;
    case 'Failed':
      return failed;
    default:
      return none;
  }
}

interface Summary {
  readonly text: string;
  readonly ready: number;
  readonly restarts: string;
}

/** The state of a pod in one word; the states of its containers take precedence over its phase. */
function summary(pod: Pod, now: Date): Summary {
  const {status = {}, metadata} = pod;
  const gated = status.conditions?.some(({type, reason}) => type === 'PodScheduled' && reason === 'SchedulingGated');
  const start = gated ? 'SchedulingGated' : status.reason || status.phase || '';
  const sidecars = startedSidecars(pod);
  const found = initialization(pod, sidecars) ?? execution(pod, start, sidecars);
  const text = metadata.deletionTimestamp ? (status.reason === 'NodeLost' ? 'Unknown' : 'Terminating') : found.text;
  return {text, ready: found.ready, restarts: restartText(found.visited, now)};
}

interface Progress {
  readonly text: string;
  readonly ready: number;
  readonly visited: readonly ContainerStatus[];
}

/** Statuses of the init containers that keep running and have started. */
function startedSidecars({spec = {}, status = {}}: Pod): ContainerStatus[] {
  const names = new Set((spec.initContainers ?? []).filter(isSidecar).map(({name}) => name));
  if (names.size === 0) return [];
  return (status.initContainerStatuses ?? []).filter((one) => names.has(one.name) && one.started && !hasSucceeded(one));
}

function hasSucceeded({state}: ContainerStatus): boolean {
  return Boolean(state?.terminated) && (state?.terminated?.exitCode ?? 0) === 0;
}

/** The first init container that has not succeeded, if any. */
function initialization(pod: Pod, sidecars: readonly ContainerStatus[]): Progress | undefined {
  const {spec = {}, status = {}} = pod;
  const statuses = status.initContainerStatuses ?? [];
  const index = statuses.findIndex((one) => !hasSucceeded(one) && !sidecars.includes(one));
  if (index < 0 || (spec.initContainers?.some(isSidecar) && isConditionTrue(pod, 'Initialized'))) return undefined;
  const ready = statuses.slice(0, index).filter((one) => one.ready && sidecars.includes(one)).length;
  const {terminated, waiting} = statuses[index]!.state ?? {};
  const total = spec.initContainers?.length ?? 0;
  const reason = terminated
    ? endText(terminated)
    : waiting?.reason && waiting.reason !== 'PodInitializing'
      ? waiting.reason
      : `${index}/${total}`;
  return {text: `Init:${reason}`, ready, visited: statuses.slice(0, index + 1)};
}

function execution(pod: Pod, start: string, sidecars: readonly ContainerStatus[]): Progress {
  const statuses = pod.status?.containerStatuses ?? [];
  let text = start;
  let ready = 0;
  let isRunning = false;
  for (const {ready: isReady, state} of [...statuses].reverse()) {
    if (state?.waiting?.reason) text = state.waiting.reason;
    else if (state?.terminated) text = endText(state.terminated);
    else if (isReady && state?.running) {
      ready += 1;
      isRunning = true;
    }
  }
  if (text === 'Completed' && isRunning) text = isConditionTrue(pod, 'Ready') ? 'Running' : 'NotReady';
  return {text, ready: ready + sidecars.filter((one) => one.ready).length, visited: [...sidecars, ...statuses]};
}

function endText({reason, signal, exitCode}: NonNullable<NonNullable<ContainerStatus['state']>['terminated']>): string {
  if (reason) return reason;
  return signal ? `Signal:${signal}` : `ExitCode:${exitCode ?? 0}`;
}

function restartText(statuses: readonly ContainerStatus[], now: Date): string {
  const count = statuses.reduce((sum, {restartCount = 0}) => sum + restartCount, 0);
  const ends = statuses.map(({lastState}) => Date.parse(lastState?.terminated?.finishedAt ?? '')).filter((time) => !Number.isNaN(time));
  if (count === 0 || ends.length === 0) return String(count);
  return `${count} (${humanDuration(now.getTime() - ends.reduce((latest, end) => Math.max(latest, end)))} ago)`;
}
