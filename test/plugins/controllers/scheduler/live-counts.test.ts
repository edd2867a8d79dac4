import test from 'ava';
import {nodeFacts} from '../../../../plugins/controllers/scheduler/model/node-facts.js';
import type {Node} from '@orch-api/orch/types/unchecked/core/v1';
import {ClusterTable, zone} from './cluster-table.js';

test('pods are counted by a label of their nodes as they come and go, and anew when the labels of nodes change', (t) => {
  const table = new ClusterTable({a: {labels: {[zone]: 'north'}}, b: {labels: {[zone]: 'south'}}, c: {}});
  const {cluster} = table;
  const counts = () => Object.fromEntries(cluster.livePlacesOf('default', () => true, zone).flatMap((counted) => [...counted]));
  t.deepEqual(counts(), {});
  const [one, two, three, deleted] = [table.pod(), table.pod(), table.pod(), table.pod()];
  cluster.place(one, 'a');
  cluster.place(two, 'a');
  t.deepEqual(counts(), {north: 2});
  cluster.place(three, 'b');
  cluster.place({...deleted, isDeleted: true}, 'b');
  t.deepEqual(counts(), {north: 2, south: 1});
  cluster.unplace(two, 'a');
  t.deepEqual(counts(), {north: 1, south: 1});
  cluster.setNode(nodeFacts({metadata: {name: 'a', labels: {[zone]: 'south'}}} as Node));
  t.deepEqual(counts(), {south: 2});
  cluster.place(two, 'late');
  t.deepEqual(counts(), {south: 2});
  cluster.setNode(nodeFacts({metadata: {name: 'late', labels: {[zone]: 'north'}}} as Node));
  t.deepEqual(counts(), {south: 2, north: 1});
  cluster.deleteNode('b');
  t.deepEqual(counts(), {south: 1, north: 1});
});
