import {memoryUsage} from 'node:process';
import test from 'ava';
import {ownProcess} from '../../../../core/cli/idle-memory.js';
import type {OwnerReference, ServedResource} from '../../../../sdk/index.js';
import {ObjectGraph} from '../../../../plugins/controllers/garbage-collector/object-graph.js';
import {UidTable} from '../../../../plugins/controllers/garbage-collector/uid-table.js';
import {Random} from '../../../helpers/random.js';

const seed = Number(process.env.ORCH_TEST_SEED ?? 20_261_122);
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

test('a graph that many random changes went through knows the same as a map of them', (t) => {
  t.log(`seed ${seed}`);
  const random = new Random(seed);
  const {graph} = madeGraph();
  const owners = new Map<number, readonly {owner: number; name: string; blocks: boolean}[]>();
  const count = 400;
  const nameOf = (number: number) => `n-${number}`;
  const check = () => {
    const dependents = new Map<number, Set<string>>();
    const blocked = new Set<number>();
    for (const [number, references] of owners) {
      for (const {owner, blocks} of references) {
        dependents.set(owner, (dependents.get(owner) ?? new Set()).add(uidOf(number)));
        if (blocks) blocked.add(owner);
      }
    }
    const nodes = new Set([
      ...dependents.keys(),
      ...[...owners].filter(([, references]) => references.length > 0).map(([number]) => number),
    ]);
    t.is(graph.size, nodes.size);
    for (let number = 0; number < count; number++) {
      const uid = uidOf(number);
      if (!nodes.has(number)) {
        t.is(graph.get(uid), undefined);
        continue;
      }
      t.deepEqual([...new Set(graph.dependents(uid))].sort(), [...(dependents.get(number) ?? [])].sort());
      t.is(graph.isBlocked(uid), blocked.has(number));
      t.deepEqual(
        graph.owners(uid).map(({owner, reference}) => [owner, reference.name]),
        (owners.get(number) ?? []).map(({owner, name}) => [uidOf(owner), name]),
      );
    }
  };
  for (let step = 1; step <= 6000; step++) {
    const number = random.below(count);
    const key = `ns/${nameOf(number)}`;
    if (random.chance(0.3)) {
      graph.remove(uidOf(number), type, key);
      owners.delete(number);
    } else {
      const chosen = Array.from({length: random.below(4)}, () => {
        const owner = random.below(count);
        return {owner, name: random.chance(0.1) ? 'misnamed' : nameOf(owner), blocks: random.chance(0.5)};
      });
      const ownerReferences = chosen.map(({owner, name, blocks}): OwnerReference => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        name,
        uid: uidOf(owner),
        ...(blocks ? {blockOwnerDeletion: true} : {}),
      }));
      graph.see({type, key, metadata: {uid: uidOf(number), ownerReferences}});
      owners.set(number, chosen);
    }
    if (step % 2000 === 0) check();
  }
  for (const number of owners.keys()) graph.remove(uidOf(number), type, `ns/${nameOf(number)}`);
  t.is(graph.size, 0);
  t.is(graph.unseen, 0);
});

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
  graph.markLinkAbsent(uidOf(20), graph.owners(uidOf(20))[0]!);
  t.is(graph.owners(uidOf(20))[0]!.isAbsent, true);
});

test('what is learnt of a reference that its object has given up meanwhile changes nothing', (t) => {
  const {graph} = madeGraph();
  const referenceTo = (number: number) => ({apiVersion: 'v1', kind: 'ConfigMap', name: `o-${number}`, uid: uidOf(number)});
  const depend = (number: number, owners: readonly number[]) =>
    graph.see({type, key: `ns/d-${number}`, metadata: {uid: uidOf(number), ownerReferences: owners.map(referenceTo)}});
  depend(10, [1]);
  depend(11, [1, 2]);
  const link = graph.owners(uidOf(11)).find(({owner}) => owner === uidOf(1))!;
  depend(11, [2]);
  graph.markLinkAbsent(uidOf(11), link);
  t.is(graph.owners(uidOf(10))[0]!.isAbsent, false);
});

test('an object with an owner of its own takes less than 300 bytes', (t) => {
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
    const reference = {apiVersion: 'v1', kind: 'ConfigMap', name: `owner-${index}`, uid: uidOf(index)};
    graph.see({type, key: keys[index]!, metadata: {uid: uidOf(count + index), ownerReferences: [reference]}});
  }
  t.is(graph.size, 2 * count);
  const bytes = (used() - before) / count;
  t.true(bytes < 300, `${bytes} bytes`);
});

test('numbers of uids are found again, also of texts that are none, while many come and go', (t) => {
  const random = new Random(seed);
  const table = new UidTable();
  const known = new Map<string, number>();
  const text = (number: number) => (number % 5 === 0 ? `text ${number}` : uidOf(number));
  for (let step = 0; step < 50_000; step++) {
    const uid = text(random.below(3000));
    const number = known.get(uid);
    if (number === undefined) {
      if (table.find(uid) !== 0) return t.fail(`${uid} is found`);
      known.set(uid, table.add(uid));
    } else if (table.find(uid) !== number || table.uidOf(number) !== uid) {
      return t.fail(`${uid} is not found`);
    } else if (random.chance(0.5)) {
      table.delete(number);
      known.delete(uid);
    }
  }
  t.is(table.size, known.size);
  t.is(new Set(known.values()).size, known.size);
});
