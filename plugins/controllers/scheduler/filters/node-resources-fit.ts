import {AmountSums, type Amounts} from '../model/amounts.js';
import type {NodeFacts} from '../model/node-facts.js';
import type {Filter, Refusal} from './filter.js';

/** One object for equal refusals: most nodes give one of a few. */
const known = new Map<string, Refusal>();
const mostKnown = 1000;

function refusalOf(reasons: readonly string[], isFinal: boolean): Refusal {
  const key = `${isFinal} ${reasons.join()}`;
  let found = known.get(key);
  if (!found) {
    if (known.size >= mostKnown) known.clear();
    known.set(key, (found = {reasons, isFinal}));
  }
  return found;
}

/** Why a node has no room for what a pod asks for, in addition to what is taken. */
function check(asked: Amounts, {allocatable, mostPods}: NodeFacts, taken: AmountSums, pods: number): Refusal | undefined {
  let reasons: string[] | undefined;
  let isFinal = false;
  const lacks = (what: string, amount: number, all: number): void => {
    (reasons ??= []).push(what);
    if (amount > all) isFinal = true;
  };
  if (pods + 1 > mostPods) (reasons ??= []).push('Too many pods');
  const {cpu, memory, storage, others} = asked;
  if (cpu > 0 && cpu > allocatable.cpu - taken.cpu) lacks('Insufficient cpu', cpu, allocatable.cpu);
  if (memory > 0 && memory > allocatable.memory - taken.memory) lacks('Insufficient memory', memory, allocatable.memory);
  if (storage > 0 && storage > allocatable.storage - taken.storage) lacks('Insufficient ephemeral-storage', storage, allocatable.storage);
  // Few pods ask for others, and there are many nodes: not even an iterator is made.
  if (others.size > 0) {
    for (const [name, amount] of others) {
      const all = allocatable.others.get(name) ?? 0;
      if (amount > 0 && amount > all - (taken.others.get(name) ?? 0)) lacks(`Insufficient ${name}`, amount, all);
    }
  }
  return reasons && refusalOf(reasons, isFinal);
}

const nothing = new AmountSums();

/** Whether one of the amounts that are asked for is greater on the right. */
function isMore(asked: Amounts, left: Amounts, right: Amounts): boolean {
  if (asked.cpu > 0 && right.cpu > left.cpu) return true;
  if (asked.memory > 0 && right.memory > left.memory) return true;
  if (asked.storage > 0 && right.storage > left.storage) return true;
  for (const [name, amount] of asked.others) if (amount > 0 && (right.others.get(name) ?? 0) > (left.others.get(name) ?? 0)) return true;
  return false;
}

/** Nodes give what they have once. */
export const nodeResourcesFit: Filter = {
  name: 'NodeResourcesFit',
  prepare: ({shape}) => {
    const {requests} = shape.amounts;
    return {check: ({facts, requested, pods}) => check(requests, facts, requested, pods.size)};
  },
  mayHelp: ({shape}, event) => {
    const {requests} = shape.amounts;
    switch (event.type) {
      case 'removed':
        return true;
      case 'changed':
        return isMore(requests, event.pod.shape.amounts.requests, event.before.shape.amounts.requests);
      case 'node': {
        if (check(requests, event.now, nothing, 0)) return false;
        const {before, now} = event;
        return !before || now.mostPods > before.mostPods || isMore(requests, before.allocatable, now.allocatable);
      }
      default:
        return false;
    }
  },
};
