import test, {type ExecutionContext} from 'ava';
import {readdirSync} from 'node:fs';
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {run} from '#bundle/core/cli/run.js';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {eventually} from '../../helpers/eventually.js';
import {runOrch} from '../../helpers/orch-process.js';
import {Random} from '../../helpers/random.js';
import {startRedis} from '../../helpers/redis-server.js';
import {tempFolder} from '../../helpers/temp-folder.js';

const maps = '/api/v1/namespaces/default/configmaps';

interface Stored {
  readonly metadata: {readonly name: string; readonly uid: string; readonly resourceVersion: string};
  readonly data?: {readonly text: string};
}

/** A command of `orch` in a process of its own, as beside a server. */
const beside = (command: string, ...argv: string[]) => runOrch(['store', command, ...argv], {timeoutMillis: 120_000});

/** The same in this process, which is faster. */
async function tool(command: string, ...argv: string[]): Promise<{code: number; stdout: string; stderr: string}> {
  let stdout = '';
  let stderr = '';
  const out = {write: (text: string) => (stdout += text)};
  const err = {write: (text: string) => (stderr += text)};
  return {code: await run(['store', command, ...argv], {out, err, cwd: process.cwd()}), stdout, stderr};
}

/** What is kept of each ConfigMap. */
function stateOf(objects: Iterable<Stored>): string[] {
  return [...objects].map(({metadata: {name, uid}, data}) => `${name} ${uid} ${data?.text}`).sort();
}

/** Random writes by several clients until they are stopped. */
function writing(t: ExecutionContext, {client}: TestServer): () => Promise<void> {
  const seed = Date.now() % 1_000_000;
  t.log(`seed ${seed}`);
  const random = new Random(seed);
  let stopped = false;
  const work = async () => {
    while (!stopped) {
      const path = `${maps}/map-${random.below(300)}`;
      const body = {metadata: {name: path.slice(maps.length + 1)}, data: {text: 'x'.repeat(random.below(2000))}};
      const {status} = random.chance(0.3)
        ? await client.delete(path)
        : await client.put(path, body).then(async (answer) => (answer.status === 404 ? client.post(maps, body) : answer));
      if (![200, 201, 404, 409].includes(status)) throw new Error(`status ${status}`);
    }
  };
  const all = Promise.all(Array.from({length: 4}, work));
  return async () => {
    stopped = true;
    await all;
  };
}

for (const kind of ['embedded', 'redis'] as const) {
  test(`${kind}: a backup taken under writes restores the state at its revision elsewhere, where versions begin anew above all others`, async (t) => {
    const place = async () => (kind === 'redis' ? (await startRedis(t)).url : 'embedded');
    const store = await place();
    const dataDir = tempFolder(t);
    const flags = ['--store', store, '--data-dir', dataDir];
    const file = join(tempFolder(t), 'orch.backup');
    const server = await startTestServer({store, dataDir});
    let running: TestServer | undefined = server;
    t.teardown(() => running?.stop());
    for (let count = 0; count < 200; count++) await server.client.post(maps, {metadata: {name: `map-${count}`}, data: {text: 'first'}});
    const {items, metadata} = (await server.client.get(maps)).json<{items: Stored[]; metadata: {resourceVersion: string}}>();
    const changes: {type: string; object: Stored}[] = [];
    const following = (async () => {
      for await (const event of server.client.watch(`${maps}?watch=1&resourceVersion=${metadata.resourceVersion}`))
        changes.push(event as never);
    })().catch(() => 'the server has ended');
    const stop = writing(t, server);
    const taken = await beside('backup', ...flags, '--file', file);
    t.is(taken.code, 0, taken.stderr);
    const revision = Number(/revision (\d+)$/m.exec(taken.stdout)?.[1]);
    await eventually(
      () => Promise.resolve(Number(changes.at(-1)?.object.metadata.resourceVersion)),
      (version) => version > revision + 100,
    );
    await stop();
    const expected = new Map(items.map((item) => [item.metadata.name, item]));
    for (const {type, object} of changes) {
      if (Number(object.metadata.resourceVersion) > revision) break;
      if (type === 'DELETED') expected.delete(object.metadata.name);
      else expected.set(object.metadata.name, object);
    }
    t.true(revision > Number(metadata.resourceVersion), 'there were writes before its moment');

    // Elsewhere (in Redis with another number of shards): as it was, with versions above those that clients of the first store know.
    const elsewhere = await place();
    const other = {store: kind === 'redis' ? `${elsewhere}?shards=3` : elsewhere, dataDir: tempFolder(t)};
    const restored = await tool('restore', '--store', other.store, '--data-dir', other.dataDir, '--file', file);
    t.is(restored.code, 0, restored.stderr);
    const second = await startTestServer(other);
    const list = (await second.client.get(maps)).json<{items: Stored[]; metadata: {resourceVersion: string}}>();
    t.deepEqual(stateOf(list.items), stateOf(expected.values()));
    t.true(list.items.every((item) => Number(item.metadata.resourceVersion) > 1_700_000_000_000));
    t.is((await second.client.get(`${maps}?watch=1&resourceVersion=${metadata.resourceVersion}`)).status, 410);
    const {
      metadata: {name},
    } = list.items[0]!;
    const stale = await second.client.put(`${maps}/${name}`, {
      metadata: {name, resourceVersion: expected.get(name)!.metadata.resourceVersion},
    });
    t.is(stale.status, 409, 'who read it before the restore reads it again');
    await second.stop();

    // Into the store itself: only where it is told to replace what is there, and all watchers are told.
    if (kind === 'embedded') {
      const inUse = await beside('restore', ...flags, '--file', file, '--replace');
      t.is(inUse.code, 1);
      t.regex(inUse.stderr, /is in use by process/);
      running = undefined;
      await server.stop();
    }
    const refused = await tool('restore', ...flags, '--file', file);
    t.is(refused.code, 2, refused.stderr);
    t.regex(refused.stderr, /is not empty: it holds \d+ records; nothing was changed/);
    const damagedFile = `${file}.damaged`;
    await writeFile(damagedFile, (await readFile(file, 'utf8')).replace('"key":"default/map-1', '"key":"default/map-2'));
    const damaged = await tool('restore', ...flags, '--file', damagedFile, '--replace');
    t.is(damaged.code, 1);
    t.regex(damaged.stderr, /is damaged: it is not what "orch store backup" has written/);
    await writeFile(damagedFile, (await readFile(file, 'utf8')).split('\n').slice(0, -2).join('\n'));
    t.regex((await tool('restore', ...flags, '--file', damagedFile, '--replace')).stderr, /is not whole: its end is missing/);

    const replaced = await tool('restore', ...flags, '--file', file, '--replace');
    t.is(replaced.code, 0, replaced.stderr);
    running ??= await startTestServer({store, dataDir});
    const {client} = running;
    const now = await eventually(
      () => client.get(maps),
      ({status}) => status === 200,
    );
    t.deepEqual(stateOf(now.json<{items: Stored[]}>().items), stateOf(expected.values()));
    await following;
    if (kind === 'redis') t.is((changes.at(-1)!.object as {code?: number}).code, 410, 'the watcher was told');
    else t.is(readdirSync(dataDir).filter((entry) => entry.startsWith('store.replaced-')).length, 1, 'the former store is kept');
    const again = await tool('backup', ...flags, '--file', file);
    t.is(again.code, 1);
    t.regex(again.stderr, /is there already/);
  });
}
