import test, {type ExecutionContext} from 'ava';
import {runWriters} from '../helpers/config-map-writers.js';
import {httpsClient, type HttpsClient} from '../helpers/https-client.js';
import {startOrch} from '../helpers/orch-process.js';
import {startRedis} from '../helpers/redis-server.js';
import {listedState, WatchedState} from '../helpers/watched-state.js';

const path = '/api/v1/namespaces/default/configmaps';
const seed = Number(process.env.ORCH_TEST_SEED ?? 20_260_102);

/** Two servers on one Redis and a client of each. */
async function twoServers(t: ExecutionContext): Promise<[HttpsClient, HttpsClient]> {
  const redis = await startRedis(t, {appendonly: true});
  const first = await startOrch(t, {store: redis.url});
  const second = await startOrch(t, {store: redis.url});
  return [httpsClient(t, first), httpsClient(t, second)];
}

const configMap = (name: string, data: Record<string, string> = {}) => ({apiVersion: 'v1', kind: 'ConfigMap', metadata: {name}, data});

test('a watcher on one server sees the writes of the other, once and in order [B-ADM-32]', async (t) => {
  t.log(`seed ${seed}`);
  const [first, second] = await twoServers(t);
  const watched = new WatchedState(second, path);
  await watched.start();
  await runWriters([first, second], path, {writers: 8, writes: 60, seed});
  t.is((await first.post(path, configMap('last'))).status, 201);
  await watched.until('last');
  await watched.stop();
  t.deepEqual(watched.faults, []);
  t.true(watched.events > 100, `${watched.events} events`);
  t.deepEqual(watched.state(), await listedState(first, path));
  t.deepEqual(watched.state(), await listedState(second, path));
});

test('what one server has answered is read from the other at once [A-RVS-1] [A-RVS-4]', async (t) => {
  const [first, second] = await twoServers(t);
  for (let index = 0; index < 50; index++) {
    const [writer, reader] = index % 2 === 0 ? [first, second] : [second, first];
    const name = `fresh-${index}`;
    const created = (await writer.post(path, configMap(name))).json<{metadata: {resourceVersion: string}}>();
    const read = await reader.get(`${path}/${name}`);
    t.is(read.status, 200, name);
    t.is(read.json<{metadata: {resourceVersion: string}}>().metadata.resourceVersion, created.metadata.resourceVersion);
    t.is((await reader.get(path)).json<{items: unknown[]}>().items.length, index + 1);
  }
});

test('of two updates of one version, made on two servers at once, exactly one succeeds', async (t) => {
  const [first, second] = await twoServers(t);
  for (let round = 0; round < 20; round++) {
    const name = `contested-${round}`;
    const created = (await first.post(path, configMap(name))).json<{metadata: {resourceVersion: string}}>();
    const update = (client: HttpsClient, by: string) =>
      client.put(`${path}/${name}`, {...configMap(name, {by}), metadata: {name, resourceVersion: created.metadata.resourceVersion}});
    const [one, two] = await Promise.all([update(first, 'first'), update(second, 'second')]);
    t.deepEqual(
      [one.status, two.status].sort((a, b) => a - b),
      [200, 409],
    );
    const winner = one.status === 200 ? 'first' : 'second';
    for (const client of [first, second]) {
      t.is((await client.get(`${path}/${name}`)).json<{data: {by: string}}>().data.by, winner);
    }
  }
});

test('a continue token of one server is good on the other and shows the same snapshot [A-CHUNK-2]', async (t) => {
  const [first, second] = await twoServers(t);
  const all = await Promise.all(
    Array.from({length: 30}, (_, index) => first.post(path, configMap(`page-${String(index).padStart(2, '0')}`))),
  );
  t.true(all.every(({status}) => status === 201));
  interface Page {
    metadata: {continue?: string; resourceVersion: string};
    items: {metadata: {name: string}}[];
  }
  const names: string[] = [];
  const versions = new Set<string>();
  let page = (await first.get(`${path}?limit=8`)).json<Page>();
  for (let turn = 0; ; turn++) {
    names.push(...page.items.map((item) => item.metadata.name));
    versions.add(page.metadata.resourceVersion);
    if (!page.metadata.continue) break;
    // Between the pages the collection goes on changing.
    t.is((await first.delete(`${path}/page-${String(29 - turn).padStart(2, '0')}`)).status, 200);
    const client = turn % 2 === 0 ? second : first;
    const response = await client.get(`${path}?limit=8&continue=${encodeURIComponent(page.metadata.continue)}`);
    t.is(response.status, 200, response.text);
    page = response.json<Page>();
  }
  t.is(names.length, 30);
  t.is(versions.size, 1);
});
