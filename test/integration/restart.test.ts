import test from 'ava';
import {httpsClient, type HttpsClient} from '../helpers/https-client.js';
import {spawnOrch, startOrch} from '../helpers/orch-process.js';
import {startRedis} from '../helpers/redis-server.js';
import {tempFolder} from '../helpers/temp-folder.js';

const path = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string) => ({apiVersion: 'v1', kind: 'ConfigMap', metadata: {name}, data: {text: name}});

interface Stored {
  metadata: {name: string; uid: string; resourceVersion: string};
}

async function create(client: HttpsClient, name: string): Promise<Stored> {
  const response = await client.post(path, configMap(name));
  if (response.status !== 201) throw new Error(`${response.status} ${response.text}`);
  return response.json<Stored & Record<string, unknown>>();
}

for (const kind of ['embedded', 'redis'] as const) {
  test(`objects and watches outlive a restart, ${kind} store [A-SVC-1] [A-WATCH-3] [B-ADM-32]`, async (t) => {
    const dataDir = tempFolder(t, 'orch-restart-');
    const store = kind === 'redis' ? {store: (await startRedis(t, {appendonly: true})).url} : {};
    const before = await spawnOrch({dataDir, ...store});
    const first = httpsClient(t, before);
    const version = (await first.get(path)).json<{metadata: {resourceVersion: string}}>().metadata.resourceVersion;
    const made = [await create(first, 'a'), await create(first, 'b')];
    t.is((await first.delete(`${path}/a`)).status, 200);
    first.close();
    t.is(await before.stop(), 0);

    const after = await startOrch(t, {dataDir, ...store});
    const second = httpsClient(t, after);
    t.deepEqual((await second.get(`${path}/b`)).json<Stored>(), made[1]);
    t.is((await second.get(`${path}/a`)).status, 404);
    t.is(after.ca, before.ca);
    const watch = await second.watch(`${path}?watch=1&resourceVersion=${version}`);
    const events: string[] = [];
    while (events.length < 3) events.push(await watch.next().then((event) => `${event!.type} ${event!.object.metadata.name}`));
    watch.close();
    t.deepEqual(events, ['ADDED a', 'ADDED b', 'DELETED a']);
  });
}

test('a crash loses nothing that was answered', async (t) => {
  const dataDir = tempFolder(t, 'orch-crash-');
  const before = await spawnOrch({dataDir});
  const first = httpsClient(t, before);
  const answered: string[] = [];
  let stop = false;
  const writers = Array.from({length: 16}, async (_, writer) => {
    for (let index = 0; !stop; index++) {
      const name = `w${writer}-${index}`;
      try {
        await create(first, name);
      } catch {
        // The server is gone: whether this one was stored is not known.
        return;
      }
      answered.push(name);
    }
  });
  while (answered.length < 400) await new Promise((resolve) => setImmediate(resolve));
  await before.kill9();
  stop = true;
  await Promise.all(writers);
  t.true(answered.length >= 400);

  const second = httpsClient(t, await startOrch(t, {dataDir}));
  const names = new Set((await second.get(path)).json<{items: Stored[]}>().items.map((item) => item.metadata.name));
  t.deepEqual(
    answered.filter((name) => !names.has(name)),
    [],
  );
});

test('a second server on the same data directory is refused in one sentence', async (t) => {
  const dataDir = tempFolder(t, 'orch-owned-');
  await startOrch(t, {dataDir});
  const refused = await t.throwsAsync(spawnOrch({dataDir}));
  t.regex(refused.message, /ended \(exit code 1\)/);
  t.regex(refused.message, /data directory|data dir|in use|another/i);
});

test('SIGTERM ends open watches cleanly and the process with exit code 0', async (t) => {
  const orch = await spawnOrch({store: 'memory'});
  const client = httpsClient(t, orch);
  const watch = await client.watch(`${path}?watch=1`);
  t.is(await orch.stop(), 0);
  t.is(await watch.next(), undefined);
});
