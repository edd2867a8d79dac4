import test from 'ava';
import {Redis} from 'ioredis';
import {fork} from 'node:child_process';
import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {parseRedisUrl} from '../../../../plugins/stores/redis/redis-url.js';
import {RedisStoreProvider} from '../../../../plugins/stores/redis/plugin.js';
import {redisSettings} from '../../../../plugins/stores/redis/redis-settings.js';
import {slotOf} from '../../../../plugins/stores/redis/hash-slot.js';
import {Placement} from '../../../../plugins/stores/redis/placement.js';
import {contributionOf, type PluginManifest, type Store, type StoreError} from '../../../../sdk/index.js';
import {startRedis} from '../../../helpers/redis-server.js';
import {until} from '../../../helpers/eventually.js';
import {FollowRecorder} from './follow-recorder.js';
import {drivers, openFor, openStore, RecordingLogger} from './open-store.js';

const value = Buffer.from('x');
const manifest = JSON.parse(
  readFileSync(new URL('../../../../plugins/stores/redis/plugin.json', import.meta.url), 'utf8'),
) as PluginManifest;

test('the manifest promises what the entry module delivers', (t) => {
  t.is(contributionOf(RedisStoreProvider)?.kind, 'store');
  t.is(manifest.contributes?.stores?.[0]?.class, RedisStoreProvider.name);
  for (const scheme of manifest.contributes?.stores?.[0]?.schemes ?? []) {
    t.notThrows(() => parseRedisUrl(`${scheme}://localhost/${scheme.endsWith('sentinel') ? 'main' : ''}`));
  }
});

test('a URL says where Redis is and how to use it', (t) => {
  const plain = {
    topology: 'single',
    tls: false,
    addresses: [{host: 'localhost', port: 6379}],
    primaryName: undefined,
    username: undefined,
    password: undefined,
    database: 0,
    driver: undefined,
    keyPrefix: undefined,
    shards: undefined,
    waitReplicas: undefined,
  };
  t.deepEqual<unknown, unknown>(parseRedisUrl('redis://localhost'), plain);
  t.deepEqual<unknown, unknown>(parseRedisUrl('rediss://u:p%40:x@[::1]:7/3?driver=redis&prefix=a:b&shards=4&wait-replicas=2'), {
    ...plain,
    tls: true,
    addresses: [{host: '::1', port: 7}],
    username: 'u',
    password: 'p@:x',
    database: 3,
    driver: 'redis',
    keyPrefix: 'a:b',
    shards: 4,
    waitReplicas: 2,
  });
  t.is(parseRedisUrl('redis://:secret@h').password, 'secret');
  t.deepEqual<unknown, unknown>(parseRedisUrl('redis+sentinel://a,b:1/main/2'), {
    ...plain,
    topology: 'sentinel',
    addresses: [
      {host: 'a', port: 26379},
      {host: 'b', port: 1},
    ],
    primaryName: 'main',
    database: 2,
  });
  t.deepEqual(parseRedisUrl('redis://a,b:1?cluster=1').addresses, [
    {host: 'a', port: 6379},
    {host: 'b', port: 1},
  ]);
});

test('a URL or a setting that makes no sense is refused with one clear sentence that shows no password', (t) => {
  const wrong: Record<string, string> = {
    'redis://u:secret@h:0': 'the store URL redis://…@h:0 is not valid: "h:0" is no host and port',
    'redis://u:secret@h/x': 'the store URL redis://…@h/x is not valid: the database must be a number',
    'redis://h?drivr=redis':
      'the store URL redis://h?drivr=redis is not valid: there is no parameter "drivr" (there are driver, prefix, shards, cluster, wait-replicas)',
    'redis://h?shards=many': 'the store URL redis://h?shards=many is not valid: "shards" must be a number',
    'redis://a,b': 'the store URL redis://a,b is not valid: several hosts need redis+sentinel:// or ?cluster=1',
    'redis://h/1?cluster=1': 'the store URL redis://h/1?cluster=1 is not valid: a cluster has only database 0',
    'redis+sentinel://h':
      'the store URL redis+sentinel://h is not valid: the name of the primary is missing (redis+sentinel://host:port/NAME)',
    'redis://h?driver=other': 'unknown Redis driver "other": there are "ioredis" and "redis"',
    'redis://h?prefix={x}': 'the Redis key prefix "{x}" must consist of 1 to 100 letters, digits and the characters . _ : / -',
    'redis://h?shards=0': 'the number of Redis shards must be an integer from 1 to 1024',
    redis: 'the store URL redis is not valid: it must look like redis://host:port/database',
  };
  for (const [url, message] of Object.entries(wrong)) t.throws(() => redisSettings(url, {}), {message}, url);
});

test('what the URL says counts more than the configuration', (t) => {
  const config = {driver: 'redis', keyPrefix: 'a', shards: 2, waitReplicas: 1};
  const {driver, keyPrefix, shards, waitReplicas} = redisSettings('redis://h', config);
  t.deepEqual<object, object>({driver, keyPrefix, shards, waitReplicas}, config);
  const other = redisSettings('redis://h?driver=ioredis&prefix=b&shards=3&wait-replicas=0', config);
  t.deepEqual([other.driver, other.keyPrefix, other.shards, other.waitReplicas], ['ioredis', 'b', 3, 0]);
});

test('types, or namespaces of a type, are spread over the shards evenly and always in the same way', (t) => {
  // Part of the storage format: other numbers would lose what is stored.
  const byType = new Placement('types', 16);
  t.is(byType.keysOf('orch', 2).head, 'orch:{orch.2}:head');
  t.deepEqual(
    ['pods', 'configmaps', 'leases.coordination.k8s.io'].map((type) => byType.shardOf(type, 'any/one')),
    [13, 12, 5],
  );
  const byNamespace = new Placement('namespaces', 16);
  const records = [
    ['pods', 'shop/one'],
    ['pods', 'shop/two'],
    ['configmaps', 'shop/one'],
    ['nodes', 'one'],
    ['nodes', 'two'],
  ] as const;
  t.deepEqual(
    records.map(([type, key]) => byNamespace.shardOf(type, key)),
    [9, 9, 14, 4, 10],
  );
  const slotsOfShards = Array.from({length: 16}, (_, shard) => slotOf(/\{(.*)\}/.exec(byNamespace.keysOf('orch', shard).head)![1]!));
  t.deepEqual(
    slotsOfShards.map((slot) => Math.floor(slot / 1024)),
    Array.from({length: 16}, (_, shard) => shard),
  );
  for (const spread of [
    (index: number) => new Placement('types', 8).shardOf(`type${index}.example.com`, 'one'),
    (index: number) => new Placement('namespaces', 8).shardOf('pods', `space${index}/one`),
    (index: number) => new Placement('namespaces', 8).shardOf('nodes', `node${index}`),
  ]) {
    const counts = Array.from({length: 8}, () => 0);
    for (let index = 0; index < 800; index++) counts[spread(index)]!++;
    t.true(Math.min(...counts) > 60, String(counts));
  }
});

for (const driver of drivers) {
  test(`${driver}: with several shards a type is in all of them, with one order of revisions`, async (t) => {
    const server = await startRedis(t);
    const store = await openFor(t, `${server.url}?driver=${driver}&shards=4`);
    t.deepEqual([store.shards, store.places], [1, 4]);
    const recorder = new FollowRecorder();
    await store.follow(0, 0, recorder);
    const keys = Array.from({length: 24}, (_, index) => `space${index}/one`);
    const revisions: number[] = [];
    for (const key of keys) revisions.push(await store.commit({type: 'things', key, expected: 0, value}));
    // What one server writes one after the other is in this order, wherever it is.
    t.deepEqual(
      revisions.toSorted((a, b) => a - b),
      revisions,
    );
    await recorder.reached(revisions.at(-1)!);
    t.deepEqual(
      recorder.entries.map(({key, revision}) => [key, revision]),
      keys.map((key, index) => [key, revisions[index]]),
    );
    const admin = server.client();
    const sizes = await Promise.all(
      [0, 1, 2, 3].map((shard) => admin.hlen(new Placement('namespaces', 4).keysOf('orch', shard).records('things'))),
    );
    t.is(
      sizes.reduce((sum, size) => sum + size, 0),
      keys.length,
    );
    t.true(Math.min(...sizes) > 0, String(sizes));

    // A guard cannot reach into another shard: a mistake in it is not to look like one that does not hold.
    const away = keys.find((key) => store.placeOf!('things', key) !== store.placeOf!('things', keys[0]!))!;
    const guard = {type: 'things', key: away, revision: 1};
    await t.throwsAsync(store.commit({type: 'things', key: keys[0]!, expected: revisions[0]!, value, guard}), {
      message: `things ${away} cannot guard things ${keys[0]}: they are in different places of the store`,
    });

    // The number is remembered, so that it need not be named again, and cannot be changed.
    t.is((await openFor(t, `${server.url}?driver=${driver}`)).places, 4);
    await t.throwsAsync(openStore(`${server.url}?driver=${driver}&shards=2`), {
      message: /^the store under the Redis key "orch:meta" has 4 shards; the number cannot be changed to 2: take a backup/,
    });
  });

  test(`${driver}: a store of several shards that was created with each type in one of them is used as it is`, async (t) => {
    const server = await startRedis(t);
    await server.client().set('orch:meta', JSON.stringify({format: 2, shards: 4}));
    const store = await openFor(t, `${server.url}?driver=${driver}`);
    t.is(store.shards, 4);
    const types = Array.from({length: 12}, (_, index) => `type${index}`);
    const recorders = await Promise.all(
      [0, 1, 2, 3].map(async (shard) => {
        const recorder = new FollowRecorder();
        await store.follow(shard, 0, recorder);
        return recorder;
      }),
    );
    await Promise.all(types.map((type) => store.commit({type, key: 'space/one', expected: 0, value})));
    for (const [shard, recorder] of recorders.entries()) {
      const own = types.filter((type) => store.shardOf(type) === shard);
      t.is(await store.revision(shard), own.length);
      if (own.length > 0) await recorder.reached(own.length);
      t.deepEqual(
        recorder.entries.map((entry) => entry.type),
        own,
      );
    }
  });

  test(`${driver}: it goes on after SCRIPT FLUSH`, async (t) => {
    const server = await startRedis(t);
    const store = await openFor(t, `${server.url}?driver=${driver}`);
    const admin = server.client();
    for (let round = 1; round <= 5; round++) {
      t.is(await store.commit({type: 'things', key: `k${round}`, expected: 0, value}), round);
      await admin.script('FLUSH');
    }
    t.is((await store.history('things')).entries.length, 5);
  });

  test(`${driver}: user and password of the URL are used; wrong or missing ones are named`, async (t) => {
    const server = await startRedis(t, {
      args: ['--requirepass', 'se:cret', '--user', 'app', 'on', '>pass', '~orch:*', '&*', '+@all', '-config', '-info'],
    });
    const at = `127.0.0.1:${server.port}`;
    const parameters = `?driver=${driver}`;
    await t.throwsAsync(openStore(`redis://${at}${parameters}`), {message: `Redis at ${at} cannot be used: it demands a password`});
    await t.throwsAsync(openStore(`redis://:wrong@${at}${parameters}`), {
      message: `Redis at ${at} cannot be used: it refuses the user name or password`,
    });
    t.is(await (await openFor(t, `redis://:se%3Acret@${at}${parameters}`)).revision(0), 0);
    await t.throwsAsync(openStore(`redis://:se%3Acret@${at}/99${parameters}`), {message: /cannot be used: ERR DB index is out of range/});
    await t.throwsAsync(openStore(`redis://app:pass@${at}${parameters}&prefix=other`), {
      message: /cannot be used: the user may not run a command that the store needs: NOPERM/,
    });
    const limited = await openFor(t, `redis://app:pass@${at}${parameters}`);
    t.is(await limited.commit({type: 'things', key: 'one', expected: 0, value}), 1);
    t.is(limited.durability, `Redis of unknown version at ${at}, which does not say how it keeps its data`);
  });

  test(`${driver}: what Redis refuses is Unavailable with the reason, and known to have had no effect`, async (t) => {
    const server = await startRedis(t);
    const admin = server.client();
    const store = await openFor(t, `${server.url}?driver=${driver}`);
    await store.commit({type: 'things', key: 'one', expected: 0, value});
    const refused = async (reason: RegExp): Promise<void> => {
      const error = await t.throwsAsync<StoreError>(store.commit({type: 'things', key: 'two', expected: 0, value}));
      t.is(error.code, 'Unavailable');
      t.regex(error.message, reason);
      t.false(error.indeterminate);
    };
    const readsGoOn = async (): Promise<void> => {
      await admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
      t.is((await store.read('things', 'one'))?.revision, 1);
      t.is(await store.revision(0), 1);
    };
    const recovered = () =>
      until('the store recovers', () =>
        store.ping().then(
          () => true,
          () => false,
        ),
      );
    await admin.config('SET', 'maxmemory', '1mb');
    await refused(/out of memory/);
    await readsGoOn();
    await t.notThrowsAsync(store.compact(0, 0), 'dropping the old log frees memory');
    await admin.config('SET', 'maxmemory', '0');
    await admin.config('SET', 'min-replicas-to-write', '1');
    await refused(/too few replicas/);
    await readsGoOn();
    await admin.config('SET', 'min-replicas-to-write', '0');
    await admin.replicaof('127.0.0.1', '1');
    await refused(/it is a replica and accepts no writes/);
    await t.throwsAsync(openStore(`${server.url}?driver=${driver}`), {
      message: `Redis at 127.0.0.1:${server.port} cannot be used: it is a replica and accepts no writes`,
    });
    await admin.replicaof('NO', 'ONE');
    await recovered();
    t.is(await store.commit({type: 'things', key: 'two', expected: 0, value}), 2);
  });
}

test('stores with different prefixes, and in different databases, do not see one another', async (t) => {
  const server = await startRedis(t);
  const stores = await Promise.all(
    [`${server.url}?prefix=a`, `${server.url}?prefix=a.b`, `${server.url}/1?prefix=a`].map((url) => openFor(t, url)),
  );
  const recorders = stores.map(() => new FollowRecorder());
  for (const [index, store] of stores.entries()) await store.follow(0, 0, recorders[index]!);
  for (const store of stores) t.is(await store.commit({type: 'things', key: 'one', expected: 0, value}), 1);
  for (const [index, store] of stores.entries()) {
    await recorders[index]!.reached(1);
    t.is([...(await store.list('things')).records].length, 1);
  }
});

test('a store of another format, and a key that is no store, are refused', async (t) => {
  const server = await startRedis(t);
  const admin = server.client();
  await admin.set('new:meta', '{"format":1,"shards":1}');
  await admin.set('odd:meta', 'hello');
  await t.throwsAsync(openStore(`${server.url}?prefix=new`), {
    message: /^the store under the Redis key "new:meta" has format 1, and this version knows the formats 2 and 3 only: save its objects/,
  });
  await t.throwsAsync(openStore(`${server.url}?prefix=odd`), {
    message: 'the Redis key "odd:meta" does not describe a store: it holds "hello"',
  });
});

test('durability is stated from the settings of Redis', async (t) => {
  const [safe, unsafe] = await Promise.all([startRedis(t, {appendonly: true}), startRedis(t)]);
  const admin = safe.client();
  const sentence = async (url: string, config = {}) =>
    (await openFor(t, url, {config})).durability.replace(/Redis [\d.]+ at 127\.0\.0\.1:\d+/, 'Redis');
  t.is(await sentence(safe.url), 'Redis, append-only file synced before each answer: an answered write survives a failure of the machine');
  await admin.config('SET', 'appendfsync', 'everysec');
  t.is(
    await sentence(safe.url),
    'Redis, append-only file synced every second: an answered write may be lost if the machine fails within a second',
  );
  await admin.call('ACL', 'SETUSER', 'plain', 'on', '>p', '~*', '+@all', '-config');
  t.regex(await sentence(safe.url.replace('//', '//plain:p@')), /how often it is synced cannot be read/);
  t.regex(await sentence(unsafe.url), /^Redis, no append-only file: answered writes since the last snapshot are lost/);
  t.regex(await sentence(unsafe.url, {waitReplicas: 2}), /answered once 2 replicas have received it$/);
});

test('a Redis that may lose what the settings demand, or that evicts data, is refused, at the start and on every new connection', async (t) => {
  const server = await startRedis(t, {appendonly: true});
  const admin = server.client();
  const demand = (requireDurability: string) => openFor(t, server.url, {config: {requireDurability}});
  const store = await demand('always');
  await admin.config('SET', 'appendfsync', 'everysec');
  await t.throwsAsync(demand('always'), {
    message: /cannot be used: it syncs its append-only file later \(appendfsync is everysec\).*set appendfsync to always$/,
  });
  await t.notThrowsAsync(demand('everysec'));
  await admin.config('SET', 'appendfsync', 'no');
  await t.throwsAsync(demand('everysec'), {message: /later than every second \(appendfsync is no\)/});
  await admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
  await until('the new connection is refused', () =>
    store.ping().then(
      () => false,
      (error: StoreError) => error.code === 'Unavailable' && /--redis-require-durability=always/.test(error.message),
    ),
  );
  await admin.config('SET', 'appendonly', 'no');
  await t.throwsAsync(demand('everysec'), {message: /it has no append-only file/});
  await t.notThrowsAsync(demand('none'));
  for (const policy of ['allkeys-lru', 'volatile-ttl']) {
    await admin.config('SET', 'maxmemory-policy', policy);
    await t.throwsAsync(demand('none'), {message: /it removes data when its memory is full.*set maxmemory-policy to noeviction$/});
  }
});

test('the log is trimmed by age', async (t) => {
  const server = await startRedis(t);
  const store = await openFor(t, server.url, {historyMillis: 400});
  const recorder = new FollowRecorder();
  await store.follow(0, 0, recorder);
  for (let index = 1; index <= 300; index++) await store.commit({type: 'things', key: `k${index}`, expected: 0, value});
  await recorder.reached(300);
  await until('all entries are dropped', async () => (await store.history('things')).floor === 300);
  t.is(await store.commit({type: 'things', key: 'next', expected: 0, value}), 301);
  await recorder.reached(301);
  t.deepEqual(recorder.ends, []);
  t.true((await server.client().xlen('orch:{orch.0}:log')) <= 101);
  await t.throwsAsync(store.follow(0, 299, new FollowRecorder()), {code: 'Compacted'});
});

test('a Redis that is loading its data is waited for', async (t) => {
  // Between its answers it reads 1,024 commands: about every 100 ms, until nothing delays it any more.
  const server = await startRedis(t, {appendonly: true, args: ['--key-load-delay', '100', '--appendfsync', 'no']});
  await server.client().eval(`for index = 1, 100000 do redis.call('SET', 'filler' .. index, 'x') end`, 0);
  await server.stop();
  const started = server.start();
  const logger = new RecordingLogger();
  let store: Store | undefined;
  const opened = until('the store is opened', async () => {
    // Refused until the port is open.
    store = await openStore(server.url, {logger}).catch(() => undefined);
    return store !== undefined;
  });
  t.teardown(() => store?.close());
  await until('it is waited for', () => logger.lines.length > 0);
  const impatient = new Redis(server.port, {enableReadyCheck: false});
  await impatient.config('SET', 'key-load-delay', '0');
  impatient.disconnect();
  await opened;
  await started;
  t.regex(logger.lines[0] ?? '', /^info waiting for Redis at 127\.0\.0\.1:\d+ to load its data$/);
  t.is(await store!.commit({type: 'things', key: 'one', expected: 0, value}), 1);
});

test('only the client library that was chosen is loaded', async (t) => {
  const server = await startRedis(t);
  const packages = {ioredis: 'ioredis', redis: 'redis'};
  for (const [driver, other] of [drivers, drivers.toReversed()] as const) {
    const child = fork(fileURLToPath(new URL('./loaded-libraries.js', import.meta.url)), [`${server.url}?driver=${driver}`]);
    const [loaded] = (await once(child, 'message')) as [string[]];
    t.true(loaded.includes(packages[driver!]), String(loaded));
    t.false(loaded.includes(packages[other!]), String(loaded));
  }
});

test('an aborted start does not open the store', async (t) => {
  const server = await startRedis(t);
  await t.throwsAsync(openStore(server.url, {signal: AbortSignal.abort(new Error('enough'))}), {message: 'enough'});
  t.is(await server.client().dbsize(), 0);
});
