import type {ApiObject} from '@orch-api/orch/sdk';
import * as bounds from '../../../../plugins/routes/inspection/bounds.js';
import {testOnEachStore} from '../../../helpers/each-store.js';
import {eventually} from '../../../helpers/eventually.js';
import {strangerClient, userClient} from '../../../helpers/user-client.js';
import {allow} from './allow.js';

const eachStore = testOnEachStore({enablePlugins: ['inspection']});

interface History {
  readonly after: string;
  readonly leftOut: number;
  readonly versions: readonly {
    readonly type: string;
    readonly resourceVersion: string;
    readonly time?: string;
    readonly object?: ApiObject;
  }[];
}

const queryOf = (namespace: string, name: string, resource = 'configmaps') =>
  `/inspection/history?version=v1&resource=${resource}&namespace=${namespace}&name=${name}`;
const colours = ({versions}: History) =>
  versions.map(({type, object}) => `${type} ${String((object as {data?: {colour?: string}}).data?.colour)}`);

eachStore(
  'the versions that an object had in the last minutes are shown in order, also once it is gone',
  async (t, {client, path, namespace}) => {
    await client.post(path('configmaps'), {metadata: {name: 'other'}, data: {colour: 'grey'}});
    await client.post(path('configmaps'), {metadata: {name: 'one'}, data: {colour: 'red'}});
    for (const colour of ['green', 'blue']) await client.patch(`${path('configmaps')}/one`, {data: {colour}});
    const answer = await client.get(queryOf(namespace, 'one'));
    t.is(answer.status, 200, answer.body.toString());
    t.is(answer.headers['cache-control'], 'no-store');
    t.deepEqual(colours(answer.json<History>()), ['ADDED red', 'MODIFIED green', 'MODIFIED blue']);
    const [first] = answer.json<History>().versions;
    t.is(first!.resourceVersion, first!.object!.metadata.resourceVersion ?? '');
    t.true(Math.abs(Date.now() - Date.parse(first!.time!)) < 60_000);
    await client.delete(`${path('configmaps')}/one`);
    const after = (await client.get(queryOf(namespace, 'one'))).json<History>();
    t.deepEqual(colours(after).slice(-1), ['DELETED blue']);
    t.is(after.leftOut, 0);
  },
);

eachStore('of very many versions the newest are shown, with the state before them', async (t, {client, path, namespace}) => {
  await client.post(path('configmaps'), {metadata: {name: 'one'}, data: {colour: '0'}});
  for (let number = 1; number <= bounds.versions + 10; number += 1)
    await client.patch(`${path('configmaps')}/one`, {data: {colour: String(number)}});
  const history = (await client.get(queryOf(namespace, 'one'))).json<History>();
  t.is(history.versions.length, bounds.versions + 1);
  t.is(history.leftOut, 11);
  t.deepEqual(colours(history).slice(0, 2), ['EXISTING 10', 'MODIFIED 11']);
  t.deepEqual(colours(history).slice(-1), [`MODIFIED ${bounds.versions + 10}`]);
});

eachStore('who may watch an object sees its history, and nobody else', async (t, {server, client, path, namespace}) => {
  await client.post(path('configmaps'), {metadata: {name: 'one'}, data: {colour: 'red'}});
  const alice = await userClient(t, server, `alice-${namespace}`);
  const refused = await alice.get(queryOf(namespace, 'one'));
  t.is(refused.status, 403);
  t.regex(refused.text, /cannot watch resource \\"configmaps\\" in API group \\"\\" in the namespace/);
  t.is((await alice.get(queryOf(namespace, 'none'))).status, 403, 'nor whether it is there');
  t.is((await (await strangerClient(t, server)).get(queryOf(namespace, 'one'))).status, 403);
  await allow(client, namespace, `alice-${namespace}`, ['watch'], ['configmaps']);
  await eventually(
    () => alice.get(queryOf(namespace, 'one')),
    ({status}) => status === 200,
  );
  t.is((await alice.get(queryOf(namespace, 'one', 'secrets'))).status, 403);
});

eachStore('a query that names no object is refused', async (t, {client, namespace}) => {
  const asked = async (query: string) => (await client.get(`/inspection/history?${query}`)).status;
  t.is(await asked('version=v1&resource=configmaps'), 400);
  t.is(await asked('version=v1&resource=configmaps&name=x'), 400);
  t.is(await asked(`version=v1&resource=configmaps&namespace=${namespace}&name=x&name=y`), 400);
  t.is(await asked(`version=v1&resource=configmaps&namespace=${namespace}&name=${'x'.repeat(300)}`), 400);
  t.is(await asked(`version=v1&resource=nothings&namespace=${namespace}&name=x`), 404);
  t.is(await asked(`version=v1&resource=bindings&namespace=${namespace}&name=x`), 404);
  const none = await client.get(queryOf(namespace, 'none'));
  t.deepEqual([none.status, none.json<History>().versions], [200, []]);
});
