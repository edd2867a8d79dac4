import {byAge, millisUntilAvailable, type Kept} from './daemon-pod.js';
import type {DaemonRound} from './daemon-round.js';
import {hashLabel} from './daemon-set-object.js';
import type {NodeWork} from './node-work.js';

/** What must be done so that each node that the DaemonSet is for has a pod, and no other node has. */
export function manageNodes(round: DaemonRound): NodeWork {
  const work: NodeWork = {create: [], delete: []};
  for (const node of round.nodes) {
    const {shouldRun, mayStay} = round.fit(node.name);
    const pods = round.podsOn(node.name);
    if (shouldRun && pods.length === 0) work.create.push(node.name);
    else if (mayStay) keepOne(round, node.name, pods, shouldRun, work);
    else work.delete.push(...pods.filter(({isDeleted}) => !isDeleted));
  }
  // Nobody else deletes pods that wait for a node that does not exist.
  for (const pod of round.unplaced()) work.delete.push(pod);
  return work;
}

function keepOne(round: DaemonRound, node: string, pods: readonly Kept[], shouldRun: boolean, work: NodeWork): void {
  const running = runningPods(round, node, pods, work);
  if (!round.maySurge) {
    if (running.length > 1) work.delete.push(...running.toSorted(byAge).slice(1));
    return;
  }
  if (running.length <= 1) {
    if (running.length === 0 && shouldRun) work.create.push(node);
    return;
  }
  const sorted = running.toSorted(byAge);
  const isNew = ({labels}: Kept) => labels[hashLabel] === round.hash;
  const [newest, oldest] = [sorted.find(isNew), sorted.find((pod) => !isNew(pod))];
  work.delete.push(...sorted.filter((pod) => pod !== newest && pod !== oldest));
  if (!newest || !oldest) return;
  // Two pods only as long as the old one serves and the new one does not yet.
  if (!oldest.summary.isReady || millisUntilAvailable(newest, round.minReadySeconds, round.now) === 0) work.delete.push(oldest);
}

/** Those that have not ended; the others are deleted, failed ones after a pause. */
function runningPods(round: DaemonRound, node: string, pods: readonly Kept[], work: NodeWork): Kept[] {
  const running: Kept[] = [];
  for (const pod of pods) {
    if (pod.isDeleted) continue;
    const {phase} = pod.summary;
    const where = `daemon pod ${pod.namespace}/${pod.name} on node ${node}`;
    if (phase === 'Failed') {
      const delay = round.failureDelay(node);
      if (delay > 0) {
        round.lookAgainIn(delay);
        continue;
      }
      round.event('Warning', 'FailedDaemonPod', `Found failed ${where}, will try to kill it`);
      work.delete.push(pod);
    } else if (phase === 'Succeeded') {
      round.event('Normal', 'SucceededDaemonPod', `Found succeeded ${where}, will try to delete it`);
      work.delete.push(pod);
    } else {
      running.push(pod);
    }
  }
  return running;
}
