import type {ClusterState} from '../cluster/cluster-state.js';
import {diagnosisText, refusalOf, type Diagnosis} from '../decision/diagnosis.js';
import type {PreparedPod} from '../decision/prepared-pod.js';
import {refusal, type Refusal} from '../filters/filter.js';
import type {KnownBudget} from '../model/known-budget.js';
import type {KnownPod} from '../model/known-pod.js';
import {bestCandidate, selectVictims, type Candidate} from './victims.js';

const useless = refusal(true, 'Preemption is not helpful for scheduling');

/** The share of nodes that are tried in percent, and at least how many. */
const candidatePercent = 10;
const leastCandidates = 100;

/** What making room has come to: a node whose pods are to leave, or why that does not help. */
export type Preemption =
  | {readonly candidate: Candidate}
  | {readonly text: string; /** Whether room that was promised to it is given back. */ readonly givesBack: boolean};

export interface PreemptionParts {
  readonly cluster: ClusterState;
  readonly budgets: () => readonly KnownBudget[];
  readonly random: () => number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Looks for pods of lower priority that could leave, so that a pod fits that fits nowhere. */
export function preempt(prepared: PreparedPod, diagnosis: Diagnosis, parts: PreemptionParts): Preemption {
  const {pod} = prepared;
  const {cluster} = parts;
  const reason = whyNot(pod, diagnosis, cluster);
  if (reason !== undefined) return {text: reason, givesBack: false};
  const possible = cluster.nodes.filter(({name}) => refusalOf(diagnosis, name)?.isFinal === false);
  const refusals = new Map<string, Refusal>();
  const kind: Candidate[] = [];
  const violating: Candidate[] = [];
  const wanted = Math.min(possible.length, Math.max(leastCandidates, Math.trunc((possible.length * candidatePercent) / 100)));
  const start = Math.floor(parts.random() * possible.length);
  const budgets = parts.budgets();
  const now = parts.now();
  for (let index = 0; index < possible.length; index += 1) {
    const node = possible[(start + index) % possible.length]!;
    const found = selectVictims(prepared, node, cluster, budgets, now);
    if ('isFinal' in found) {
      refusals.set(node.name, found);
      continue;
    }
    if (found.victims.length === 0) continue;
    (found.violations === 0 ? kind : violating).push(found);
    if (kind.length > 0 && kind.length + violating.length >= wanted) break;
  }
  const candidates = [...kind, ...violating];
  if (candidates.length > 0) return {candidate: bestCandidate(candidates, now)};
  const failed: Diagnosis = {nodes: cluster.nodes.length, byNode: refusals, others: useless, everywhere: undefined, refusedBy: new Set()};
  return {text: diagnosisText(failed), givesBack: true};
}

/** Why a pod may not make others leave; undefined if it may. */
function whyNot({key, shape}: KnownPod, diagnosis: Diagnosis, cluster: ClusterState): string | undefined {
  if (shape.preemptionPolicy === 'Never') return 'not eligible due to preemptionPolicy=Never.';
  const promised = cluster.nominationOf(key);
  if (promised === '' || refusalOf(diagnosis, promised)?.isFinal) return undefined;
  for (const {shape: other, isPreempted} of cluster.node(promised)?.pods.values() ?? [])
    if (isPreempted && other.priority < shape.priority) return 'not eligible due to a terminating pod on the nominated node.';
  return undefined;
}
