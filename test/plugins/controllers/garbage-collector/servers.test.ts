import test from 'ava';
import type {ApiObject} from '@orch-api/orch/sdk';
import {startTestServer, type TestClient, type TestServer} from '@orch-api/orch/testing';
import {eventually} from '../../../helpers/eventually.js';
import {startRedis} from '../../../helpers/redis-server.js';
import {tempFolder} from '../../../helpers/temp-folder.js';
import {hold, ownerReference, untilGone} from './owned-objects.js';

const maps = '/api/v1/namespaces/default/configmaps';
const off = {controllers: ['*', '-garbagecollector']};

/** An owner with some dependents, each of which owns one more. A server that starts is told of the dependents first, because of their names. */
async function makeFamily(client: TestClient, name: string, dependents: number, metadata: object = {}): Promise<ApiObject> {
  const owner = (await client.post(maps, {metadata: {name}})).json<ApiObject>();
  for (let index = 0; index < dependents; index++) {
    const ownerReferences = [ownerReference(owner, {blockOwnerDeletion: true})];
    const child = (await client.post(maps, {metadata: {name: `a-${name}-${index}`, ownerReferences, ...metadata}})).json<ApiObject>();
    await client.post(maps, {
      metadata: {name: `a-${name}-${index}-x`, ownerReferences: [ownerReference(child, {blockOwnerDeletion: true})]},
    });
  }
  return owner;
}

async function names(client: TestClient, family: string): Promise<string[]> {
  const {items} = (await client.get(maps)).json<{items: ApiObject[]}>();
  return items.map(({metadata}) => metadata.name!).filter((name) => name.includes(family));
}

for (const kind of ['embedded', 'redis'] as const) {
  test(`what was begun, or missed, before a restart is carried on after it (${kind})`, async (t) => {
    const store = kind === 'redis' ? (await startRedis(t)).url : undefined;
    const dataDir = tempFolder(t);
    const start = (options = {}): Promise<TestServer> => startTestServer({dataDir, ...(store ? {store} : {store: 'embedded'}), ...options});
    let server = await start(off);
    t.teardown(() => server.stop());
    for (const name of ['background', 'foreground', 'orphaned', 'kept']) await makeFamily(server.client, name, 3);
    await server.client.delete(`${maps}/background`);
    await server.client.delete(`${maps}/foreground?propagationPolicy=Foreground`);
    await server.client.delete(`${maps}/orphaned?propagationPolicy=Orphan`);
    await server.stop();
    server = await start();
    await untilGone(server.client, `${maps}/foreground`);
    await untilGone(server.client, `${maps}/orphaned`);
    for (const name of ['background', 'foreground']) {
      await eventually(
        () => names(server.client, name),
        (all) => all.length === 0,
      );
    }
    t.is((await names(server.client, 'kept')).length, 7);
    t.is((await names(server.client, 'orphaned')).length, 6);
    const freed = (await server.client.get(`${maps}/a-orphaned-0`)).json<ApiObject>();
    t.is(freed.metadata.ownerReferences, undefined);
  });
}

test('two servers on one store collect side by side, and one goes on alone', async (t) => {
  const {url: store} = await startRedis(t);
  const servers = [await startTestServer({store}), await startTestServer({store})] as const;
  t.teardown(() => Promise.all(servers.map((server) => server.stop())));
  const [{client: first}, {client: second}] = servers;
  await makeFamily(first, 'one', 20);
  await makeFamily(second, 'two', 20);
  await makeFamily(first, 'held', 2, hold);
  await first.delete(`${maps}/held?propagationPolicy=Foreground`);
  await second.delete(`${maps}/one?propagationPolicy=Foreground`);
  await first.delete(`${maps}/two?propagationPolicy=Orphan`);
  await untilGone(second, `${maps}/one`);
  await untilGone(second, `${maps}/two`);
  t.deepEqual(await names(first, 'one'), []);
  t.is((await names(first, 'two')).length, 40);
  await servers[0].stop();
  for (const index of [0, 1]) await second.patch(`${maps}/a-held-${index}`, {metadata: {finalizers: null}});
  await untilGone(second, `${maps}/held`);
  await eventually(
    () => names(second, 'held'),
    (all) => all.length === 0,
  );
  t.pass();
});
