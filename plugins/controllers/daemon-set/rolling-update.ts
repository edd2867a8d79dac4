import {isUpdated, millisUntilAvailable, type Kept} from './daemon-pod.js';
import type {DaemonRound} from './daemon-round.js';
import {maxSurge, maxUnavailable} from './daemon-set-object.js';
import type {NodeWork} from './node-work.js';

/** The pods of a node that are not being deleted: one of the present template and one of an older one at most. */
interface Pair {
  readonly node: string;
  readonly updated: Kept | undefined;
  readonly old: Kept | undefined;
  /** There are more, which are deleted before anything else is done there. */
  readonly isCrowded: boolean;
}

/** Which pods of an older template may be replaced now: as many as may be unavailable, or by as many as there may be more of. */
export function rollingUpdate(round: DaemonRound): NodeWork {
  const wanted = [...round.nodes].filter(({name}) => round.fit(name).shouldRun);
  const pairs = pairsOf(
    round,
    wanted.map(({name}) => name),
  );
  const surge = maxSurge(round.set, wanted.length);
  return surge === 0
    ? {create: [], delete: replaceable(round, pairs, maxUnavailable(round.set, wanted.length))}
    : surging(round, pairs, surge, wanted.length);
}

function pairsOf(round: DaemonRound, wanted: readonly string[]): Pair[] {
  return [...new Set([...round.nodesWithPods(), ...wanted])].map((node) => {
    const pods = round.podsOn(node).filter(({isDeleted}) => !isDeleted);
    const [updated, anotherUpdated] = pods.filter((pod) => isUpdated(pod, round.hash, round.generation));
    const [old, anotherOld] = pods.filter((pod) => !isUpdated(pod, round.hash, round.generation));
    return {node, updated, old, isCrowded: anotherUpdated !== undefined || anotherOld !== undefined};
  });
}

/** Old pods that do not serve, and as many others as may be missing. */
function replaceable(round: DaemonRound, pairs: readonly Pair[], most: number): Kept[] {
  let unavailable = 0;
  const dead: Kept[] = [];
  const candidates: Kept[] = [];
  for (const {updated, old, isCrowded} of pairs) {
    // Whether there are none or two: the pods of such a node are brought in order by `manageNodes`.
    if (isCrowded || Boolean(updated) === Boolean(old)) unavailable += 1;
    else if (updated) unavailable += isAvailable(round, updated) ? 0 : 1;
    else if (!isAvailable(round, old!)) {
      dead.push(old!);
      unavailable += 1;
    } else if (unavailable < most) candidates.push(old!);
  }
  return [...dead, ...candidates.slice(0, Math.max(most - unavailable, 0))];
}

/** New pods beside old ones; an old one goes as soon as the new one serves. */
function surging(round: DaemonRound, pairs: readonly Pair[], most: number, wanted: number): NodeWork {
  const work: NodeWork = {create: [], delete: []};
  const candidates: string[] = [];
  const misplaced: Kept[] = [];
  let surging = 0;
  let available = 0;
  for (const {node, updated, old, isCrowded} of pairs) {
    if (isCrowded) {
      surging += 1;
      continue;
    }
    const shown = old ?? updated;
    const serves = shown !== undefined && isAvailable(round, shown);
    if (serves) available += 1;
    if (!old) continue;
    if (updated) {
      if (isAvailable(round, updated)) work.delete.push(old);
      else surging += 1;
    } else if (!round.fit(node).shouldRun) {
      (serves ? misplaced : work.delete).push(old);
    } else if (!serves) {
      work.create.push(node);
    } else if (surging < most) {
      candidates.push(node);
    }
  }
  // Where the DaemonSet is no longer wanted pods stay until there are enough elsewhere.
  work.delete.push(...misplaced.slice(0, Math.max(available - wanted, 0)));
  work.create.push(...candidates.slice(0, Math.max(most - surging, 0)));
  return work;
}

function isAvailable(round: DaemonRound, pod: Kept): boolean {
  return millisUntilAvailable(pod, round.minReadySeconds, round.now) === 0;
}
