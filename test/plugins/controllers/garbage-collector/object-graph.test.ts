import {memoryUsage} from 'node:process';
import test from 'ava';
import {ownProcess} from '../../../../core/cli/idle-memory.js';
import type {ServedResource} from '../../../../sdk/index.js';
import {ObjectGraph} from '../../../../plugins/controllers/garbage-collector/object-graph.js';

const type: ServedResource = {group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap', namespaced: true, verbs: []};

function madeGraph() {
  const checked: string[] = [];
  const invalid: string[] = [];
  const graph = new ObjectGraph({
    check: (uid) => checked.push(uid),
    checkDependents: (uid) => checked.push(...graph.dependents(uid)),
    invalidNamespace: ({uid}) => invalid.push(uid),
    find: () => undefined,
  });
  return {graph, checked, invalid};
}

const uidOf = (number: number) => `${(number * 7919).toString(16).padStart(8, '0')}-0000-4000-8000-${String(number).padStart(12, '0')}`;

test('an owner that one dependent names otherwise than the rest is looked for by that one alone', (t) => {
  const {graph, checked, invalid} = madeGraph();
  const owner = uidOf(1);
  const depend = (number: number, name: string, namespace = 'ns') =>
    graph.see({
      type,
      key: `${namespace}/d-${number}`,
      metadata: {uid: uidOf(number), ownerReferences: [{apiVersion: 'v1', kind: 'ConfigMap', name, uid: owner}]},
    });
  for (let number = 10; number < 20; number++) depend(number, 'owner');
  t.deepEqual(checked.splice(0), [owner], 'it is looked for once');
  depend(20, 'other');
  t.deepEqual(checked.splice(0), [owner, uidOf(20)]);
  graph.see({type, key: 'ns/owner', metadata: {uid: owner}});
  t.deepEqual(checked.splice(0), [uidOf(20)], 'it is not what this one names');
  depend(21, 'owner', 'elsewhere');
  t.deepEqual(invalid, [uidOf(21)]);
  t.deepEqual(checked.splice(0), [uidOf(21)]);
  graph.remove(owner, type, 'ns/owner');
  t.is(checked.splice(0).length, 12);
  t.is(graph.owners(uidOf(10))[0]!.isAbsent, true);
  t.is(graph.owners(uidOf(20))[0]!.isAbsent, false, 'what it names was not the owner');
  graph.markAbsent(graph.owners(uidOf(20))[0]!);
  t.is(graph.owners(uidOf(20))[0]!.isAbsent, true);
});

test('what is learnt of a way to name an owner that all have given up meanwhile says nothing of how others name it', (t) => {
  const {graph} = madeGraph();
  const owner = uidOf(1);
  const depend = (number: number, names: readonly string[]) =>
    graph.see({
      type,
      key: `ns/d-${number}`,
      metadata: {uid: uidOf(number), ownerReferences: names.map((name) => ({apiVersion: 'v1', kind: 'ConfigMap', name, uid: owner}))},
    });
  depend(10, ['wrong']);
  const link = graph.usualLink(owner)!;
  depend(10, []);
  t.is(graph.size, 0);
  depend(11, ['right']);
  graph.markAbsent(link);
  t.is(graph.isAbsent(owner), false);
  t.is(graph.owners(uidOf(11))[0]!.isAbsent, false);
});

test('an object that shares its owner with nine others takes less than 450 bytes', (t) => {
  const count = 20_000;
  const graph = new ObjectGraph({check() {}, checkDependents() {}, invalidNamespace() {}, find: () => undefined});
  const keys = Array.from({length: count}, (_, index) => Buffer.from(`bench/dependent-${index}`).toString());
  const process = ownProcess();
  const used = () => {
    process.collect();
    const {heapUsed, arrayBuffers} = memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const before = used();
  for (let index = 0; index < count; index++) {
    const owner = Math.floor(index / 10);
    const reference = {apiVersion: 'v1', kind: 'ConfigMap', name: `owner-${owner}`, uid: uidOf(owner)};
    graph.see({type, key: keys[index]!, metadata: {uid: uidOf(count + index), ownerReferences: [reference]}});
  }
  t.is(graph.size, count + count / 10);
  const bytes = (used() - before) / count;
  t.true(bytes < 450, `${bytes} bytes`);
});
