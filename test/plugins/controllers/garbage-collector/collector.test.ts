import test, {type ExecutionContext} from 'ava';
import type {ApiObject, ResourceClient, ServedResource} from '../../../../sdk/index.js';
import {WorkQueue} from '../../../../sdk/controllers/index.js';
import {Collector, type CollectorParts} from '../../../../plugins/controllers/garbage-collector/collector.js';
import {ObjectGraph} from '../../../../plugins/controllers/garbage-collector/object-graph.js';
import {OwnerCheck} from '../../../../plugins/controllers/garbage-collector/owner-check.js';
import type {FollowedTypes} from '../../../../plugins/controllers/garbage-collector/followed-types.js';

const type: ServedResource = {group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap', namespaced: true, verbs: []};

function objectOf(name: string, owner?: string, more: Partial<ApiObject['metadata']> = {}): ApiObject {
  const ownerReferences = owner && [{apiVersion: 'v1', kind: 'ConfigMap', name: owner, uid: uidOf(owner), blockOwnerDeletion: true}];
  return {metadata: {name, namespace: 'ns', uid: uidOf(name), ...(ownerReferences ? {ownerReferences} : {}), ...more}};
}

const uidOf = (name: string) => `uid of ${name}`;

/** A collector that looks for an owner, `middle` of `bottom`, which `top` waits for. Nothing is in the cache but what is told. */
async function lookingForMiddle(t: ExecutionContext) {
  const reading = Promise.withResolvers<ApiObject>();
  const begun = Promise.withResolvers<void>();
  const get = () => {
    begun.resolve();
    return reading.promise;
  };
  const cached = new Set<string>();
  const cache = {
    find: (_type: ServedResource, _namespace: string, name: string) =>
      cached.has(name) ? {metadata: () => objectOf(name).metadata} : undefined,
  };
  const resources = {get} as unknown as ResourceClient;
  const types = {whenListed: () => Promise.resolve(), ofKind: () => type, isServed: () => true} as unknown as FollowedTypes;
  const graph = new ObjectGraph({check() {}, checkDependents() {}, invalidNamespace() {}, find: () => undefined});
  const owners = new OwnerCheck(resources, types);
  const collector = new Collector({resources, cache, graph, types, owners} as unknown as CollectorParts);
  collector.start(new WorkQueue(() => Promise.resolve({done: true}), {concurrency: 1, onError: (_, error) => t.fail(String(error))}));
  const see = ({metadata}: ApiObject) => {
    cached.add(metadata.name!);
    graph.see({type, key: `ns/${metadata.name}`, metadata});
  };
  const remove = (name: string) => {
    cached.delete(name);
    graph.remove(uidOf(name), type, `ns/${name}`);
  };
  see(objectOf('top', undefined, {deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['foregroundDeletion']}));
  see(objectOf('bottom', 'middle'));
  const looked = collector.look(uidOf('middle'));
  await begun.promise;
  const middle = objectOf('middle', 'top');
  see(middle);
  t.true(graph.isBlocked(uidOf('top')));
  remove('middle');
  const answer = () => {
    reading.resolve(middle);
    return looked;
  };
  return {graph, see, remove, answer};
}

test('an owner that came and went while it was looked for is not taken for there: nobody would tell its end again', async (t) => {
  const {graph, answer} = await lookingForMiddle(t);
  await answer();
  t.false(graph.isBlocked(uidOf('top')), 'it would wait for ever');
  t.is(graph.get(uidOf('middle'))?.type, undefined);
  t.true(graph.owners(uidOf('bottom'))[0]!.isAbsent);
});

test('nor is one that was forgotten with its dependents, and is named by a new one by then', async (t) => {
  const {graph, see, remove, answer} = await lookingForMiddle(t);
  remove('bottom');
  t.is(graph.get(uidOf('middle')), undefined);
  see(objectOf('late', 'middle'));
  const result = await answer();
  t.false(graph.isBlocked(uidOf('top')), 'it would wait for ever');
  t.true('again' in result, 'it is looked for once more');
});
