import type {ClusterState} from '../cluster/cluster-state.js';
import {TopologyCounts} from '../filters/topology-counts.js';
import type {KnownPod} from '../model/known-pod.js';
import {best, type Score} from './score.js';

/** What a pod counts for that requires to be near the one that is placed. */
const requiredWeight = 1;

/** Nodes near pods that a pod would like to be near, far from others; and the same from the others' side. */
export const interPodAffinityScore: Score = {
  name: 'InterPodAffinity',
  prepare: (pod, _nodes, cluster) => {
    const sums = weigh(pod, cluster);
    if (sums.isEmpty) return undefined;
    const keys = [...sums.keys()];
    return {
      of: ({facts: {labels}}) => {
        let sum = 0;
        for (const key of keys) if (Object.hasOwn(labels, key)) sum += sums.get(key, labels[key]!);
        return sum;
      },
      normalize: (scores) => {
        let [lowest, highest] = [Infinity, -Infinity];
        for (const score of scores) {
          lowest = Math.min(lowest, score);
          highest = Math.max(highest, score);
        }
        const range = highest - lowest;
        for (let index = 0; index < scores.length; index += 1)
          scores[index] = range > 0 ? Math.trunc(best * ((scores[index]! - lowest) / range)) : 0;
      },
    };
  },
};

function weigh({shape: own}: KnownPod, {shapes, labelsOf}: ClusterState): TopologyCounts {
  const sums = new TopologyCounts();
  const {preferred = [], preferredAnti = []} = own.terms ?? {};
  const others = preferred.length > 0 || preferredAnti.length > 0 ? shapes.all() : shapes.withTerms;
  for (const shape of others) {
    if (shape.placed.size === 0) continue;
    const weights: [key: string, weight: number][] = [];
    for (const term of preferred) if (term.matches(shape, labelsOf)) weights.push([term.topologyKey, term.weight]);
    for (const term of preferredAnti) if (term.matches(shape, labelsOf)) weights.push([term.topologyKey, -term.weight]);
    const {required = [], preferred: theirs = [], preferredAnti: theirAnti = []} = shape.terms ?? {};
    for (const term of required) if (term.matches(own, labelsOf)) weights.push([term.topologyKey, requiredWeight]);
    for (const term of theirs) if (term.matches(own, labelsOf)) weights.push([term.topologyKey, term.weight]);
    for (const term of theirAnti) if (term.matches(own, labelsOf)) weights.push([term.topologyKey, -term.weight]);
    for (const [key, weight] of weights) for (const [{facts}, {all}] of shape.placed) sums.add(key, facts?.labels, weight * all);
  }
  return sums;
}
