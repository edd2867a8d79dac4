import type {SubjectResult, WorkResult} from './measure.js';
import {median} from './percentile.js';

/** The medians of one subject's figures over several turns. @throws Error for none */
export function middleOf(turns: readonly SubjectResult[]): SubjectResult {
  const [first] = turns;
  if (!first) throw new Error('nothing has been measured');
  return {
    ...first,
    memory: {
      idle: median(turns.map(({memory}) => memory.idle)),
      loaded: median(turns.map(({memory}) => memory.loaded)),
      peak: median(turns.map(({memory}) => memory.peak)),
      redis: first.memory.redis === undefined ? undefined : median(turns.map(({memory}) => memory.redis!)),
    },
    works: first.works.map((_, place) => middleWork(turns.map(({works}) => works[place]!))),
  };
}

function middleWork(turns: readonly WorkResult[]): WorkResult {
  const cpu = turns.map((turn) => turn.cpu);
  const middle = (member: 'rate' | 'p50' | 'p99' | 'cpu') => median(turns.map((turn) => turn[member]));
  const cold = turns.flatMap((turn) => (turn.cold === undefined ? [] : [turn.cold]));
  return {
    ...(turns.find(({failures}) => failures > 0) ?? turns[0]!),
    rate: middle('rate'),
    p50: middle('p50'),
    p99: middle('p99'),
    cpu: middle('cpu'),
    ...(cold.length > 0 ? {cold: median(cold)} : {}),
    ...(turns.length > 1 ? {spread: (Math.max(...cpu) - Math.min(...cpu)) / 2} : {}),
  };
}
