import type {TestClient} from '@orch-api/orch/testing';
import * as bounds from '../../../../plugins/routes/inspection/bounds.js';
import {testOnEachStore} from '../../../helpers/each-store.js';
import {eventually} from '../../../helpers/eventually.js';
import {userClient} from '../../../helpers/user-client.js';
import {allow} from './allow.js';

const eachStore = testOnEachStore({enablePlugins: ['inspection']});

interface Graph {
  readonly start: string;
  readonly objects: readonly {uid: string; kind: string; resource: string; name: string; namespace: string; state: string}[];
  readonly ownerships: readonly {owner: string; dependent: string; isController: boolean}[];
  readonly unlisted: readonly string[];
  readonly incomplete: string;
}

const queryOf = (namespace: string, name: string, resource = 'configmaps') =>
  `/inspection/owners?version=v1&resource=${resource}&namespace=${namespace}&name=${name}`;

async function make(
  client: TestClient,
  collection: string,
  name: string,
  owners: readonly {name: string; uid: string; kind?: string}[] = [],
) {
  const ownerReferences = owners.map(({kind = 'ConfigMap', ...owner}, index) => ({
    apiVersion: 'v1',
    kind,
    controller: index === 0,
    ...owner,
  }));
  const made = await client.post(collection, {metadata: {name, ownerReferences}});
  if (made.status !== 201) throw new Error(made.body.toString());
  return {name, uid: made.json<{metadata: {uid: string}}>().metadata.uid};
}

/** The whole graph: types whose objects are read for the first time may take longer than a search may. */
const wholeGraph = (client: TestClient, query: string) =>
  eventually(
    async () => (await client.get(query)).json<Graph>(),
    ({incomplete}) => incomplete === '',
  );

const links = ({objects, ownerships}: Graph) => {
  const nameOf = (uid: string) => objects.find((object) => object.uid === uid)?.name;
  return ownerships.map(({owner, dependent}) => `${nameOf(owner)} > ${nameOf(dependent)}`).sort();
};

eachStore('owners and dependents of all degrees are found, across types', async (t, {client, path, namespace}) => {
  const root = await make(client, path('configmaps'), 'root');
  const middle = await make(client, path('configmaps'), 'middle', [root]);
  await make(client, path('configmaps'), 'sibling', [root]);
  const child = await make(client, path('secrets'), 'child', [middle]);
  await make(client, path('secrets'), 'leaf', [{...child, kind: 'Secret'}, middle]);
  const graph = await wholeGraph(client, queryOf(namespace, 'middle'));
  t.is(graph.start, middle.uid);
  t.deepEqual(links(graph), ['child > leaf', 'middle > child', 'middle > leaf', 'root > middle']);
  t.deepEqual(graph.objects.map(({kind, name, state}) => `${kind} ${name} ${state}`).sort(), [
    'ConfigMap middle present',
    'ConfigMap root present',
    'Secret child present',
    'Secret leaf present',
  ]);
  t.deepEqual([graph.incomplete, graph.unlisted], ['', []]);
});

eachStore('owners in a circle end the search', async (t, {client, path, namespace}) => {
  const first = await make(client, path('configmaps'), 'first');
  const second = await make(client, path('configmaps'), 'second', [first]);
  const owner = {apiVersion: 'v1', kind: 'ConfigMap', ...second};
  await client.patch(`${path('configmaps')}/first`, {metadata: {ownerReferences: [owner]}});
  t.deepEqual(links(await wholeGraph(client, queryOf(namespace, 'first'))), ['first > second', 'second > first']);
});

eachStore('a user sees of the graph what this user may get and list', async (t, {server, client, path, namespace}) => {
  const root = await make(client, path('secrets'), 'root');
  const middle = await make(client, path('configmaps'), 'middle', [{...root, kind: 'Secret'}]);
  await make(client, path('configmaps'), 'open', [middle]);
  await make(client, path('secrets'), 'hidden', [middle]);
  const name = `alice-${namespace}`;
  const alice = await userClient(t, server, name);
  t.is((await alice.get(queryOf(namespace, 'middle'))).status, 403);
  await allow(client, namespace, name, ['get'], ['configmaps']);
  const some = (
    await eventually(
      () => alice.get(queryOf(namespace, 'middle')),
      ({status}) => status === 200,
    )
  ).json<Graph>();
  t.deepEqual(links(some), ['root > middle']);
  t.is(some.objects.find((object) => object.name === 'root')!.state, 'named', 'the reference of the object says as much');
  t.true(some.unlisted.includes('secrets.v1.'));
  await allow(client, namespace, name, ['list'], ['configmaps']);
  const more = await eventually(
    async () => (await alice.get(queryOf(namespace, 'middle'))).json<Graph>(),
    ({unlisted}) => !unlisted.includes('configmaps.v1.'),
  );
  t.deepEqual(links(more), ['middle > open', 'root > middle']);
});

eachStore(
  'dependents of an object without namespace are looked for everywhere, and an owner that is gone is absent',
  async (t, {client, path, namespace}) => {
    const {uid} = (await client.get(`/api/v1/namespaces/${namespace}`)).json<{metadata: {uid: string}}>().metadata;
    await make(client, path('configmaps'), 'inside', [{kind: 'Namespace', name: namespace, uid}]);
    const query = `/inspection/owners?version=v1&resource=namespaces&name=${namespace}`;
    t.deepEqual(links(await wholeGraph(client, query)), [`${namespace} > inside`]);
    const other = await client.get(queryOf(namespace, 'none'));
    t.is(other.status, 404);
  },
);

eachStore('a graph that is too large ends with what it has, and says so', async (t, {client, path, namespace}) => {
  const root = await make(client, path('configmaps'), 'root');
  const count = bounds.graphObjects + 20;
  for (let number = 0; number < count; number += 20)
    await Promise.all(Array.from({length: 20}, (_, index) => make(client, path('configmaps'), `leaf-${number + index}`, [root])));
  const graph = (await client.get(queryOf(namespace, 'root'))).json<Graph>();
  t.is(graph.objects.length, bounds.graphObjects);
  t.regex(graph.incomplete, /more than 500 objects/);
});

eachStore('a graph in which everything owns everything is bounded, too', async (t, {client, path, namespace}) => {
  const made: {name: string; uid: string}[] = [];
  for (let number = 0; number < 200; number += 1) made.push(await make(client, path('configmaps'), `node-${number}`, made.slice()));
  for (const name of ['node-0', 'node-199']) {
    const graph = (await client.get(queryOf(namespace, name))).json<Graph>();
    t.is(graph.ownerships.length, bounds.graphOwnerships);
    t.regex(graph.incomplete, /more than 5000 ownerships/);
  }
  t.is((await client.patch(`${path('configmaps')}/node-0`, {metadata: {labels: {a: 'b'}}})).status, 200);
});
