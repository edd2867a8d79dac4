import {unwelcomeTaints} from '../../../families/placement/tolerations.js';
import {best, normalizeByHighest, type Score} from './score.js';

/** Taints that say that a pod would better be elsewhere. */
export const taintTolerationScore: Score = {
  name: 'TaintToleration',
  prepare: ({shape}, nodes) => {
    if (nodes.every(({facts}) => facts.taints.length === 0)) return undefined;
    const tolerations = shape.tolerations.filter(({effect}) => !effect || effect === 'PreferNoSchedule');
    return {
      of: ({facts}) => (facts.taints.length === 0 ? 0 : unwelcomeTaints(facts.taints, tolerations)),
      normalize: (scores) => normalizeByHighest(scores, true),
    };
  },
};

/** Nodes that a pod prefers. */
export const nodeAffinityScore: Score = {
  name: 'NodeAffinity',
  prepare: ({shape}) => {
    const preferred = shape.nodes?.preferred ?? [];
    if (preferred.length === 0) return undefined;
    return {
      of: ({facts}) => {
        let sum = 0;
        for (const {weight, matches} of preferred) if (matches(facts)) sum += weight;
        return sum;
      },
      normalize: (scores) => normalizeByHighest(scores),
    };
  },
};

const mebibyte = 1024 * 1024;
const leastBytes = 23 * mebibyte;
const mostBytes = 1000 * mebibyte;

/** Nodes that have the images already; the more nodes have an image, the more it counts, so that pods do not pile up where it came first. */
export const imageLocality: Score = {
  name: 'ImageLocality',
  prepare: ({shape}, _nodes, {imageNodes, nodes}) => {
    const {names, containers} = shape.images;
    const known = names.filter((name) => imageNodes.has(name));
    if (known.length === 0) return undefined;
    const shares = known.map((name) => imageNodes.get(name)! / nodes.length);
    const most = mostBytes * containers;
    return {
      of: ({facts: {images}}) => {
        let sum = 0;
        for (let index = 0; index < known.length; index += 1) sum += Math.trunc((images.get(known[index]!) ?? 0) * shares[index]!);
        const counted = Math.min(Math.max(sum, leastBytes), most);
        return Math.trunc((best * (counted - leastBytes)) / (most - leastBytes));
      },
    };
  },
};
