import type {ContainerStatus, Pod, PodSpec} from '../../../../sdk/types/unchecked/core/v1.js';
import {isSidecar, restarts} from '../../../families/pods/restart-policy.js';

export type Phase = 'Pending' | 'Running' | 'Succeeded' | 'Failed';

/** Whether a phase is one that no pod leaves. */
export function isTerminal(phase: string | undefined): boolean {
  return phase === 'Succeeded' || phase === 'Failed';
}

/** Statuses by the names of containers. */
export type StatusesByName = ReadonlyMap<string, ContainerStatus>;

/**
 * The phase of a pod by what its containers are at, as the kubelet computes it.
 *
 * @param isOver whether none of them runs again, whatever the policy says
 */
export function phaseOf({spec = {}}: Pod, statuses: StatusesByName, isOver: boolean): Phase {
  const init = initPhase(spec, statuses);
  if (init === 'Failed') return 'Failed';
  const {running, waiting, stopped, succeeded, forGood, unknown} = countMain(spec, statuses);
  const sidecars = (spec.initContainers ?? []).filter(isSidecar).map(({name = ''}) => statuses.get(name));
  const sidecarsRunning = sidecars.filter((status) => status?.state?.running).length;
  const hasBegun = running + stopped > 0;
  if (init === 'Pending' && !hasBegun && !isOver) return 'Pending';
  if (waiting > 0 && !isOver) return 'Pending';
  if (running + sidecarsRunning > 0 && unknown === 0 && !isOver) return 'Running';
  if (stopped === 0 || unknown > 0) return isOver ? 'Failed' : 'Pending';
  if (!isOver && stopped !== forGood) return 'Running';
  return stopped === succeeded && waiting === 0 ? 'Succeeded' : 'Failed';
}

function initPhase(spec: PodSpec, statuses: StatusesByName): 'Pending' | 'Failed' | 'Done' {
  const again = restarts(spec, spec.initContainers);
  let isPending = false;
  for (const container of spec.initContainers ?? []) {
    const status = statuses.get(container.name ?? '');
    const ended = status?.state?.terminated ?? (status?.state?.waiting ? status.lastState?.terminated : undefined);
    if (isSidecar(container)) isPending ||= status?.started !== true && !ended;
    else if (!ended) isPending = true;
    else if (ended.exitCode !== 0) {
      if (!again(container.name, ended.exitCode ?? 0)) return 'Failed';
      isPending = true;
    }
  }
  return isPending ? 'Pending' : 'Done';
}

function countMain(spec: PodSpec, statuses: StatusesByName) {
  const again = restarts(spec, spec.containers);
  const counts = {running: 0, waiting: 0, stopped: 0, succeeded: 0, forGood: 0, unknown: 0};
  for (const {name = ''} of spec.containers ?? []) {
    const status = statuses.get(name);
    const {running, terminated, waiting} = status?.state ?? {};
    const ended = terminated ?? (waiting ? status?.lastState?.terminated : undefined);
    if (running) counts.running += 1;
    else if (ended) {
      counts.stopped += 1;
      if (terminated?.exitCode === 0) counts.succeeded += 1;
      if (!again(name, ended.exitCode ?? 0)) counts.forGood += 1;
    } else if (waiting) counts.waiting += 1;
    else counts.unknown += 1;
  }
  return counts;
}
