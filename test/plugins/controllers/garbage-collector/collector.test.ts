import test from 'ava';
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

test('an owner that came and went while it was looked for is not taken for there: nobody would tell its end again', async (t) => {
  const reading = Promise.withResolvers<ApiObject>();
  const begun = Promise.withResolvers<void>();
  const get = () => {
    begun.resolve();
    return reading.promise;
  };
  const resources = {get} as unknown as ResourceClient;
  const types = {whenComplete: () => Promise.resolve(), ofKind: () => type, isServed: () => true} as unknown as FollowedTypes;
  const graph = new ObjectGraph({check() {}, checkDependents() {}, invalidNamespace() {}, find: () => undefined});
  const collector = new Collector({
    resources,
    cache: {find: () => undefined, read: () => t.fail() as never},
    graph,
    types,
    owners: new OwnerCheck(resources, types),
  } as unknown as CollectorParts);
  collector.start(new WorkQueue(() => Promise.resolve({done: true}), {concurrency: 1, onError: (_, error) => t.fail(String(error))}));
  const see = ({metadata}: ApiObject) => graph.see({type, key: `ns/${metadata.name}`, metadata});

  see(objectOf('top', undefined, {deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['foregroundDeletion']}));
  see(objectOf('bottom', 'middle'));
  const looked = collector.look(uidOf('middle'));
  await begun.promise;
  const middle = objectOf('middle', 'top');
  see(middle);
  t.true(graph.isBlocked(uidOf('top')));
  graph.remove(uidOf('middle'), type, 'ns/middle');
  reading.resolve(middle);
  await looked;
  t.false(graph.isBlocked(uidOf('top')), 'it would wait for ever');
  t.is(graph.get(uidOf('middle'))?.type, undefined);
  t.true(graph.owners(uidOf('bottom'))[0]!.isAbsent);
});
