import test from 'ava';
import {runWriters} from '../helpers/config-map-writers.js';
import {httpsClient} from '../helpers/https-client.js';
import {startOrch} from '../helpers/orch-process.js';
import {startRedis} from '../helpers/redis-server.js';
import {listedState, WatchedState} from '../helpers/watched-state.js';

const path = '/api/v1/namespaces/default/configmaps';
const seed = Number(process.env.ORCH_TEST_SEED ?? 20_260_101);

for (const store of ['memory', undefined]) {
  test(`a list followed by a watch misses nothing and repeats nothing under 8 writers, ${store ?? 'embedded'} store [A-WATCH-2] [A-RV-5] [A-RVS-26]`, async (t) => {
    t.log(`seed ${seed}`);
    const orch = await startOrch(t, store === undefined ? {} : {store});
    const client = httpsClient(t, orch);
    await runWriters([client], path, {writers: 8, writes: 10, seed: seed - 1});
    const watched = new WatchedState(client, path);
    const running = runWriters([client], path, {writers: 8, writes: 100, seed});
    await watched.start();
    await running;
    t.is((await client.post(path, {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'last'}})).status, 201);
    await watched.until('last');
    await watched.stop();
    t.deepEqual(watched.faults, []);
    t.deepEqual(watched.state(), await listedState(client, path));
    t.is(watched.streams, 1);
  });
}

test('a list followed by a watch misses nothing and repeats nothing while the connection to Redis is cut 10 times [A-WATCH-2] [B-ADM-32]', async (t) => {
  t.log(`seed ${seed}`);
  const redis = await startRedis(t, {appendonly: true});
  const orch = await startOrch(t, {store: redis.url});
  const client = httpsClient(t, orch);
  const admin = redis.client();
  const watched = new WatchedState(client, path);
  await watched.start();
  const cuts: Promise<unknown>[] = [];
  const {answered} = await runWriters([client], path, {
    writers: 8,
    writes: 110,
    seed,
    progress: (count) => {
      if (count % 80 === 0 && cuts.length < 10) cuts.push(admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'));
    },
  });
  const killed = (await Promise.all(cuts)).map(Number);
  t.is(killed.length, 10);
  t.true(
    killed.every((count) => count > 0),
    `connections cut: ${killed.join(', ')}`,
  );
  t.is(answered, 880);
  let last = await client.post(path, {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'last'}});
  while (last.status === 503) last = await client.post(path, {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'last'}});
  t.true(last.status === 201 || last.status === 409, last.text);
  await watched.until('last');
  await watched.stop();
  t.deepEqual(watched.faults, []);
  t.deepEqual(watched.state(), await listedState(client, path));
});
