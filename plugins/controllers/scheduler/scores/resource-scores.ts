import type {ReadyNode} from '../model/node-state.js';
import {best, type Score} from './score.js';

/** Nodes of which the least is taken, by processor and memory. */
export const leastAllocated: Score = {
  name: 'NodeResourcesFit',
  prepare: ({shape}) => {
    const {cpu, memory} = shape.amounts.scored;
    return {
      of: ({facts: {allocatable}, scoredCpu, scoredMemory}) => {
        let sum = 0;
        let parts = 0;
        if (allocatable.cpu > 0) {
          sum += free(scoredCpu + cpu, allocatable.cpu);
          parts += 1;
        }
        if (allocatable.memory > 0) {
          sum += free(scoredMemory + memory, allocatable.memory);
          parts += 1;
        }
        return parts === 0 ? 0 : Math.trunc(sum / parts);
      },
    };
  },
};

function free(taken: number, all: number): number {
  return taken > all ? 0 : Math.trunc(((all - taken) * best) / all);
}

/** Nodes of whose processor and memory an equal share is taken, or a more equal one than before. */
export const balancedAllocation: Score = {
  name: 'NodeResourcesBalancedAllocation',
  prepare: ({shape}) => {
    const {cpu, memory} = shape.amounts.requests;
    if (cpu === 0 && memory === 0) return undefined;
    return {of: (node) => best / 2 + Math.trunc((best / 2 + balance(node, cpu, memory) - balance(node, 0, 0)) / 2)};
  },
};

function balance({facts: {allocatable}, requested}: ReadyNode, cpu: number, memory: number): number {
  if (allocatable.cpu === 0 || allocatable.memory === 0) return best;
  const left = Math.min(1, (requested.cpu + cpu) / allocatable.cpu);
  const right = Math.min(1, (requested.memory + memory) / allocatable.memory);
  return Math.trunc((1 - Math.abs((left - right) / 2)) * best);
}
