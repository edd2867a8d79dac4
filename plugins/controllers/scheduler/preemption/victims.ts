import {refusal, type Refusal} from '../filters/filter.js';
import type {ClusterState} from '../cluster/cluster-state.js';
import {Trial, type PreparedPod} from '../decision/prepared-pod.js';
import type {KnownBudget} from '../model/known-budget.js';
import type {KnownPod} from '../model/known-pod.js';
import type {ReadyNode} from '../model/node-state.js';
import {divideByBudgets} from './disruption-budgets.js';

const nobody = refusal(true, 'No preemption victims found for incoming pod');

/** A node that has room for a pod once others have left it. */
export interface Candidate {
  readonly node: ReadyNode;
  /** The most important first. */
  readonly victims: readonly KnownPod[];
  /** How many of them a disruption budget protects. */
  readonly violations: number;
}

/** Which of the pods on a node would have to leave, as few and as unimportant ones as possible. @param now milliseconds since 1970 */
export function selectVictims(
  {pod, filters}: PreparedPod,
  node: ReadyNode,
  cluster: ClusterState,
  budgets: readonly KnownBudget[],
  now: number,
): Candidate | Refusal {
  const {priority} = pod.shape;
  const lower = [...node.pods.values()].filter(({shape}) => shape.priority < priority);
  if (lower.length === 0) return nobody;
  const trial = new Trial(node, filters);
  for (const other of cluster.nominatedOn(node.name))
    if (other.key !== pod.key && other.shape.priority >= priority && !node.pods.has(other.key)) trial.add(other);
  for (const other of lower) trial.remove(other);
  const refused = trial.check();
  if (refused) return refused.refusal;
  lower.sort((left, right) => byImportance(left, right, now));
  const {violating, others} = divideByBudgets(lower, budgets);
  const victims: KnownPod[] = [];
  const mustLeave = (other: KnownPod): boolean => {
    trial.add(other);
    if (!trial.check()) return false;
    trial.remove(other);
    victims.push(other);
    return true;
  };
  const violations = violating.filter(mustLeave).length;
  for (const other of others) mustLeave(other);
  victims.sort((left, right) => byImportance(left, right, now));
  return {node, victims, violations};
}

/** Pods of higher priority, and those that have run for longer, come first. */
export function byImportance(left: KnownPod, right: KnownPod, now: number): number {
  return right.shape.priority - left.shape.priority || (left.startedAt ?? now) - (right.startedAt ?? now);
}

/** Makes all priorities count, also negative ones: fewer pods are better then too. */
const aboveAll = 2 ** 31;

/** The candidate whose loss is the smallest; the first of equal ones. @param now milliseconds since 1970 */
export function bestCandidate(candidates: readonly Candidate[], now: number): Candidate {
  const highest = ({victims}: Candidate) => victims[0]!.shape.priority;
  const costs: ((candidate: Candidate) => number)[] = [
    ({violations}) => violations,
    highest,
    ({victims}) => victims.reduce((sum, {shape}) => sum + shape.priority + aboveAll, 0),
    ({victims}) => victims.length,
    (candidate) =>
      -Math.min(...candidate.victims.filter(({shape}) => shape.priority === highest(candidate)).map(({startedAt}) => startedAt ?? now)),
  ];
  let left = candidates;
  for (const cost of costs) {
    const values = left.map(cost);
    const least = Math.min(...values);
    left = left.filter((_candidate, index) => values[index] === least);
    if (left.length === 1) break;
  }
  return left[0]!;
}
