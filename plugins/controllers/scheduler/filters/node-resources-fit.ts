import {AmountSums, type Amounts} from '../model/amounts.js';
import type {DeviceView} from '../model/device-view.js';
import type {NodeFacts} from '../model/node-facts.js';
import type {PodShape} from '../model/pod-shape.js';
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

const noNames: ReadonlySet<string> = new Set();

/** The resources of a pod that drivers of devices give, on nodes that have none themselves. */
function givenByDrivers({extended}: PodShape, devices: DeviceView): ReadonlySet<string> {
  if (extended.length === 0) return noNames;
  return new Set(extended.flatMap(({amounts}) => [...amounts.keys()].filter((name) => devices.classGiving(name))));
}

/** Why a node has no room for what a pod asks for, in addition to what is taken. @param given what drivers give where the node does not */
function check(
  asked: Amounts,
  {allocatable, mostPods}: NodeFacts,
  taken: AmountSums,
  pods: number,
  given: ReadonlySet<string>,
): Refusal | undefined {
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
      if (all === 0 && given.has(name)) continue;
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
export function nodeResourcesFit(devices: DeviceView): Filter {
  return {
    name: 'NodeResourcesFit',
    prepare: ({shape}) => {
      const {requests} = shape.amounts;
      const given = givenByDrivers(shape, devices);
      return {check: ({facts, requested, pods}) => check(requests, facts, requested, pods.size, given)};
    },
    mayHelp: ({shape}, event) => {
      const {requests} = shape.amounts;
      switch (event.type) {
        case 'removed':
          return true;
        case 'changed':
          return isMore(requests, event.pod.shape.amounts.requests, event.before.shape.amounts.requests);
        case 'devices':
          return givenByDrivers(shape, devices).size > 0;
        case 'node': {
          const {before, now} = event;
          const given = givenByDrivers(shape, devices);
          if (check(requests, now, nothing, 0, given)) return false;
          if (!before || now.mostPods > before.mostPods || isMore(requests, before.allocatable, now.allocatable)) return true;
          return [...given].some((name) => !now.allocatable.others.get(name));
        }
        default:
          return false;
      }
    },
  };
}
