import test, {type ExecutionContext} from 'ava';
import {open} from 'lmdb';
import {existsSync} from 'node:fs';
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {startTestServer} from '@orch-api/orch/testing';
import {httpsClient} from '../../helpers/https-client.js';
import {runOrch} from '../../helpers/orch-process.js';
import {newPlacement} from '../../../plugins/stores/redis/store-meta.js';
import {startRedis} from '../../helpers/redis-server.js';
import {tempFolder} from '../../helpers/temp-folder.js';
import {readKubeconfig} from '../../helpers/kubeconfig.js';

const maps = '/api/v1/namespaces/default/configmaps';
const patience = {timeoutMillis: 120_000};

interface StoreUnderTest {
  readonly url: string;
  readonly dataDir: string;
  /** Changes a byte of the stored ConfigMap `hurt`, while no server runs. */
  damage(): Promise<void>;
}

/** A byte of the last change whose record has a text. */
async function damageLmdb(dataDir: string, text: string): Promise<void> {
  const db = open<Buffer, number | string>({path: join(dataDir, 'store'), noSubdir: false, encoding: 'binary'});
  let found: {key: number; bytes: Buffer} | undefined;
  for (const {key, value} of db.getRange({start: 1, end: Number.MAX_SAFE_INTEGER})) {
    if (typeof key === 'number' && value.includes(text)) found = {key, bytes: Buffer.from(value)};
  }
  found!.bytes[found!.bytes.length - 3]! ^= 1;
  await db.put(found!.key, found!.bytes);
  await db.close();
}

async function embedded(t: ExecutionContext): Promise<StoreUnderTest> {
  const dataDir = tempFolder(t);
  return {url: 'embedded', dataDir, damage: () => damageLmdb(dataDir, 'default/hurt')};
}

const redis =
  (shards: number) =>
  async (t: ExecutionContext): Promise<StoreUnderTest> => {
    const server = await startRedis(t, {appendonly: true});
    const client = server.client();
    const placement = newPlacement(shards);
    const keys = placement.keysOf('orch', placement.shardOf('configmaps', 'default/hurt'));
    const damage = async () => {
      const revision = await client.hget(keys.records('configmaps'), 'default/hurt');
      await client.hset(keys.values('configmaps'), revision!, 'x');
    };
    return {url: `${server.url}?shards=${shards}`, dataDir: tempFolder(t), damage};
  };

for (const [name, make] of Object.entries({embedded, redis: redis(1), 'redis of 3 shards': redis(3)})) {
  test(`${name}: a damaged record is left out, counted and named, the rest is served, and tools find and remove it`, async (t) => {
    const {url, dataDir, damage} = await make(t);
    const withServer = async (work: (client: ReturnType<typeof httpsClient>) => Promise<void>) => {
      const server = await startTestServer({store: url, dataDir});
      const client = httpsClient(t, {...readKubeconfig(server.kubeconfig), url: server.url});
      try {
        await work(client);
      } finally {
        client.close();
        await server.stop();
      }
    };
    const tool = async (...argv: string[]) => {
      const [command, ...rest] = argv;
      return runOrch(['store', command!, '--store', url, '--data-dir', dataDir, ...rest], patience);
    };
    await withServer(async (client) => {
      for (const name of ['one', 'hurt', 'two']) t.is((await client.post(maps, {metadata: {name}, data: {name}})).status, 201);
    });
    const whole = await tool('check');
    t.is(whole.code, 0, whole.stderr);
    t.regex(whole.stdout, /^\d+ records, 0 damaged$/m);
    await damage();

    await withServer(async (client) => {
      const list = await client.get(maps);
      t.is(list.status, 200, list.text);
      t.deepEqual(
        list.json<{items: {metadata: {name: string}}[]}>().items.map(({metadata}) => metadata.name),
        ['one', 'two'],
      );
      t.is((await client.get(`${maps}/one`)).status, 200);
      t.is((await client.get(`${maps}/hurt`)).status, 500);
      t.is((await client.delete(`${maps}/two`)).status, 200);
      t.regex((await client.get('/metrics')).text, /orch_store_damaged_records\{resource="configmaps"\} 1/);
    });
    const check = await tool('check');
    t.is(check.code, 2, check.stderr);
    t.regex(check.stdout, /^damaged: --type configmaps --key default\/hurt, revision \d+: /m);
    const file = join(tempFolder(t), 'export.jsonl');
    t.is((await tool('export', '--file', file)).code, 2);
    const drop = await tool('drop-record', '--type', 'configmaps', '--key', 'default/hurt');
    t.is(drop.code, 0, drop.stderr);
    t.is((await tool('drop-record', '--type', 'configmaps', '--key', 'default/hurt')).code, 2);
    t.is((await tool('compact')).code, 0);

    await withServer(async (client) => {
      t.is((await client.get(`${maps}/hurt`)).status, 404);
      t.is((await client.post(maps, {metadata: {name: 'hurt'}})).status, 201);
      t.is((await client.get(`${maps}/one`)).status, 200);
    });

    // The export fills another store: the embedded one, whatever it came from.
    const other = tempFolder(t);
    const copy = await runOrch(['store', 'import', '--data-dir', other, '--file', file], patience);
    t.is(copy.code, 0, copy.stderr);
    const again = await runOrch(['store', 'import', '--data-dir', other, '--file', file], patience);
    t.is(again.code, 1);
    t.regex(again.stderr, /the store is not empty/);
    const cut = join(tempFolder(t), 'cut.jsonl');
    await writeFile(cut, (await readFile(file, 'utf8')).split('\n').slice(0, -2).join('\n'));
    const third = tempFolder(t);
    const refused = await runOrch(['store', 'import', '--data-dir', third, '--file', cut], patience);
    t.is(refused.code, 1);
    t.regex(refused.stderr, /is not whole/);
    t.false(existsSync(join(third, 'store')), 'nothing is written');
    const server = await startTestServer({store: 'embedded', dataDir: other});
    t.teardown(() => server.stop());
    const client = httpsClient(t, {...readKubeconfig(server.kubeconfig), url: server.url});
    t.is((await client.get(`${maps}/one`)).json<{data: {name: string}}>().data.name, 'one');
  });
}
