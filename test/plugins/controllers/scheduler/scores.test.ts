import test from 'ava';
import type {KnownPod} from '../../../../plugins/controllers/scheduler/model/known-pod.js';
import type {PodSpec} from '@orch-api/orch/types/unchecked/core/v1';
import {asks, ClusterTable, hostname, zone} from './cluster-table.js';

/** The scores of the nodes by one rule; undefined if all are equal to it. */
function scores(table: ClusterTable, pod: KnownPod, name: string): number[] | undefined {
  const {nodes} = table.cluster;
  const prepared = table.profile.scores.find(({score}) => score.name === name)!.score.prepare(pod, nodes, table.cluster);
  if (!prepared) return undefined;
  const all = nodes.map((node) => prepared.of(node));
  prepared.normalize?.(all, nodes);
  return all;
}

test('weights are those of Kubernetes', (t) => {
  const weights = new ClusterTable({}).profile.scores.map(({score, weight}) => `${score.name} ${weight}`);
  t.deepEqual(weights.sort(), [
    'ImageLocality 1',
    'InterPodAffinity 2',
    'NodeAffinity 2',
    'NodeResourcesBalancedAllocation 1',
    'NodeResourcesFit 1',
    'PodTopologySpread 2',
    'TaintToleration 3',
  ]);
});

test('nodes of which little is taken are better, and containers that ask for nothing count for some', (t) => {
  const table = new ClusterTable({a: {}, b: {allocatable: {cpu: '2', memory: '4Gi'}}});
  // (4000 - 1000) / 4000 and (8 - 2) / 8; (2000 - 1000) / 2000 and (4 - 2) / 4.
  t.deepEqual(scores(table, table.pod(asks({cpu: '1', memory: '2Gi'})), 'NodeResourcesFit'), [75, 50]);
  // 100m of 4 and 200Mi of 8Gi: 97.5 and 97.6; of 2 and 4Gi: 95 and 95.1.
  t.deepEqual(scores(table, table.pod(), 'NodeResourcesFit'), [97, 95]);
});

test('nodes that get more balanced are better', (t) => {
  const table = new ClusterTable({a: {}, b: {}});
  table.place('a', asks({cpu: '2'}));
  // a: 50 % and 50 % after 50 % and 0; b: 0 and 50 % after nothing.
  t.deepEqual(scores(table, table.pod(asks({memory: '4Gi'})), 'NodeResourcesBalancedAllocation'), [87, 62]);
  t.is(scores(table, table.pod(), 'NodeResourcesBalancedAllocation'), undefined);
});

test('images count by size and by how many nodes have them', (t) => {
  const mebibyte = 1024 * 1024;
  const table = new ClusterTable({a: {images: {'app:1': 500 * mebibyte}}, b: {}});
  const pod = table.pod({containers: [{name: 'c', image: 'app:1'}]});
  // Half of the nodes have it: 250 MiB count, between 23 and 1000.
  t.deepEqual(scores(table, pod, 'ImageLocality'), [23, 0]);
});

test('taints that advise make nodes worse, unless they are tolerated', (t) => {
  const taints = ['x', 'y'].map((key) => ({key, effect: 'PreferNoSchedule'}));
  const table = new ClusterTable({a: {}, b: {spec: {taints: taints.slice(0, 1)}}, c: {spec: {taints}}});
  t.deepEqual(scores(table, table.pod(), 'TaintToleration'), [100, 50, 0]);
  t.deepEqual(scores(table, table.pod({tolerations: [{key: 'x', operator: 'Exists'}]}), 'TaintToleration'), [100, 100, 0]);
});

test('nodes that a pod prefers are better', (t) => {
  const table = new ClusterTable({a: {labels: {disk: 'ssd', size: 'l'}}, b: {labels: {size: 'l'}}, c: {}});
  const prefer = (weight: number, key: string) => ({weight, preference: {matchExpressions: [{key, operator: 'Exists'}]}});
  const preferred = [prefer(60, 'disk'), prefer(40, 'size')];
  const spec: PodSpec = {affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: preferred}}};
  t.deepEqual(scores(table, table.pod(spec), 'NodeAffinity'), [100, 40, 0]);
});

test('pods come near those that they prefer, and those that prefer them', (t) => {
  const table = new ClusterTable({a: {}, b: {}, c: {}});
  const labelSelector = {matchLabels: {app: 'web'}};
  const term = (weight: number) => [{weight, podAffinityTerm: {topologyKey: hostname, labelSelector}}];
  table.place('a', {}, {app: 'web'});
  table.place('b', {affinity: {podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: term(10)}}}, {app: 'db'});
  const near = {affinity: {podAffinity: {preferredDuringSchedulingIgnoredDuringExecution: term(30)}}};
  // 30, 0, 0 for another pod; for one that b does not like 30, -10, 0.
  t.deepEqual(scores(table, table.pod(near), 'InterPodAffinity'), [100, 0, 0]);
  t.deepEqual(scores(table, table.pod(near, {app: 'web'}), 'InterPodAffinity'), [100, 0, 25]);
});

test('soft spread prefers the parts with the fewest pods', (t) => {
  const table = new ClusterTable({a: {labels: {[zone]: '1'}}, b: {labels: {[zone]: '2'}}, c: {}});
  const labelSelector = {matchLabels: {app: 'web'}};
  const spread = {topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: 'ScheduleAnyway', labelSelector}]};
  for (const node of ['a', 'a', 'b']) table.place(node, {}, {app: 'web'});
  // Two and one by the logarithm of two parts and 2: 3 and 1. A node without the label gets nothing.
  t.deepEqual(scores(table, table.pod(spread, {app: 'web'}), 'PodTopologySpread'), [33, 100, 0]);
});
