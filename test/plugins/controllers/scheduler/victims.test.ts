import test from 'ava';
import {PreparedPod} from '../../../../plugins/controllers/scheduler/decision/prepared-pod.js';
import type {KnownBudget} from '../../../../plugins/controllers/scheduler/model/known-budget.js';
import type {KnownPod} from '../../../../plugins/controllers/scheduler/model/known-pod.js';
import {bestCandidate, selectVictims, type Candidate} from '../../../../plugins/controllers/scheduler/preemption/victims.js';
import {asks, ClusterTable} from './cluster-table.js';

const now = Date.parse('2026-01-02T00:00:00Z');

/** A pod that runs on a node and asks for two of its four processors. @param since the hour at which it began */
function running(table: ClusterTable, node: string, priority: number, since = 0, labels: Record<string, string> = {}): KnownPod {
  const startTime = `2026-01-01T${String(since).padStart(2, '0')}:00:00Z`;
  return table.place(node, asks({cpu: '2'}, {priority}), labels, {status: {startTime}});
}

function victimsOn(table: ClusterTable, node: string, pod: KnownPod, budgets: readonly KnownBudget[] = []) {
  const found = selectVictims(new PreparedPod(pod, table.profile, table.cluster), table.cluster.node(node)!, table.cluster, budgets, now);
  return 'victims' in found ? {leave: found.victims.map(({name}) => name), violations: found.violations} : found.reasons;
}

test('as few pods leave as have to, the least important and youngest ones', (t) => {
  const table = new ClusterTable({a: {}});
  const [low, high] = [running(table, 'a', 1), running(table, 'a', 5)];
  t.deepEqual(victimsOn(table, 'a', table.pod(asks({cpu: '2'}, {priority: 10}))), {leave: [low.name], violations: 0});
  t.deepEqual(victimsOn(table, 'a', table.pod(asks({cpu: '4'}, {priority: 10}))), {leave: [high.name, low.name], violations: 0});
  const equal = new ClusterTable({a: {}});
  const [, young] = [running(equal, 'a', 1, 3), running(equal, 'a', 1, 4)];
  t.deepEqual(victimsOn(equal, 'a', equal.pod(asks({cpu: '2'}, {priority: 10}))), {leave: [young.name], violations: 0});
});

test('pods of the same priority stay, and where others leaving would not help the reason is said', (t) => {
  const table = new ClusterTable({a: {}});
  running(table, 'a', 10);
  running(table, 'a', 1);
  t.deepEqual(victimsOn(table, 'a', table.pod(asks({cpu: '4'}, {priority: 10}))), ['Insufficient cpu']);
  t.deepEqual(victimsOn(table, 'a', table.pod(asks({cpu: '4'}, {priority: 1}))), ['No preemption victims found for incoming pod']);
});

test('pods that a budget protects stay if others can leave in their place, and are counted if not', (t) => {
  const table = new ClusterTable({a: {}});
  const [protectedPod, other] = [running(table, 'a', 1, 5, {app: 'db'}), running(table, 'a', 1, 1, {app: 'web'})];
  const budget = (allowed: number, disrupted: string[] = []): KnownBudget => ({
    namespace: 'default',
    selects: ({app}) => app === 'db',
    allowed,
    disrupted: new Set(disrupted),
  });
  const two = table.pod(asks({cpu: '2'}, {priority: 10}));
  t.deepEqual(victimsOn(table, 'a', two, [budget(0)]), {leave: [other.name], violations: 0});
  t.deepEqual(victimsOn(table, 'a', two, [budget(1)]), {leave: [protectedPod.name], violations: 0});
  t.deepEqual(victimsOn(table, 'a', two, [budget(0, [protectedPod.name])]), {leave: [protectedPod.name], violations: 0});
  const four = table.pod(asks({cpu: '4'}, {priority: 10}));
  t.deepEqual(victimsOn(table, 'a', four, [budget(0)]), {leave: [other.name, protectedPod.name], violations: 1});
});

test('the node is chosen whose pods are the smallest loss: by budgets, priorities, their sum, their number, their age', (t) => {
  const table = new ClusterTable({a: {}});
  const candidate = (name: string, violations: number, ...victims: KnownPod[]): Candidate => ({
    node: {name} as Candidate['node'],
    victims,
    violations,
  });
  const pod = (priority: number, since = 0) => running(table, 'a', priority, since);
  const best = (...candidates: Candidate[]) => bestCandidate(candidates, now).node.name;
  t.is(best(candidate('broken', 1, pod(1)), candidate('kept', 0, pod(9))), 'kept');
  t.is(best(candidate('high', 0, pod(9)), candidate('low', 0, pod(8), pod(8))), 'low');
  t.is(best(candidate('more', 0, pod(8), pod(7)), candidate('less', 0, pod(8), pod(6))), 'less');
  t.is(best(candidate('many', 0, pod(8), pod(-3)), candidate('few', 0, pod(8))), 'few');
  t.is(best(candidate('old', 0, pod(8, 1), pod(8, 9)), candidate('young', 0, pod(8, 2), pod(8, 3))), 'young');
  t.is(best(candidate('first', 0, pod(8)), candidate('second', 0, pod(8))), 'first');
});
