import test, {type ExecutionContext} from 'ava';
import {spawn} from 'node:child_process';
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {once} from 'node:events';
import type {StoreError} from '../../../../sdk/index.js';
import {startRedis, type RedisServer} from '../../../helpers/redis-server.js';
import {startRedisCluster} from '../../../helpers/redis-cluster.js';
import {until} from '../../../helpers/eventually.js';
import {FollowRecorder} from './follow-recorder.js';
import {statusText} from '../../../../core/cli/store-status.js';
import {Placement} from '../../../../plugins/stores/redis/placement.js';
import {RedisStoreProvider} from '../../../../plugins/stores/redis/plugin.js';
import {tempFolder} from '../../../helpers/temp-folder.js';
import {drivers, openFor, openStore, RecordingLogger} from './open-store.js';

const value = Buffer.from('x');

for (const driver of drivers) {
  test(`${driver}: a cluster holds the shards on several nodes, and a shard is found again when its slot has moved`, async (t) => {
    const cluster = await startRedisCluster(t, 2);
    const url = `redis://127.0.0.1:${cluster.nodes[0]!.port}?cluster=1&driver=${driver}&shards=4`;
    const store = await openFor(t, url);
    t.is(store.places, 4);
    const recorder = new FollowRecorder();
    await store.follow(0, 0, recorder);
    const keys = Array.from({length: 16}, (_, index) => `space${index}/one`);
    const created = await Promise.all(keys.map((key) => store.commit({type: 'things', key, expected: 0, value})));
    const sizes = await Promise.all(cluster.clients.map((client) => client.dbsize()));
    t.true(Math.min(...sizes) > 0, 'both nodes have data');

    const placed = new Placement('namespaces', 4);
    // Where everything is, as "orch store status" shows it.
    const dataDir = tempFolder(t);
    const status = await new RedisStoreProvider({}, new RecordingLogger()).status({url, dataDir, historyMillis: 300_000});
    t.is(
      status.reduce((sum, {records}) => sum + records, 0),
      keys.length,
    );
    for (const {shard, placement} of status) {
      const key = placed.keysOf('orch', shard).head;
      const owner = await cluster.ownerOf(key);
      t.like(placement, {
        node: `127.0.0.1:${cluster.nodes[owner]!.port}`,
        slot: await cluster.clients[0]!.cluster('KEYSLOT', key),
        keys: 4,
      });
      t.true(placement!.bytes! > 200, String(placement!.bytes));
    }
    const lines = statusText(status).split('\n').slice(-6, -1);
    t.regex(lines[0]!, /^SHARD +SLOT +NODE +KEYS +RECORDS +BYTES$/);
    for (const [shard, line] of lines.slice(1).entries()) t.regex(line, new RegExp(`^${shard} +\\d+ +127.0.0.1:\\d+ +4 +\\d+ +\\d+$`));

    const {head} = placed.keysOf('orch', 0);
    const move = await cluster.beginMove(head, 1 - (await cluster.ownerOf(head)));
    await move.moveKeys(0);
    await move.finish();

    const changed = await Promise.all(keys.map((key, index) => store.commit({type: 'things', key, expected: created[index]!, value})));
    const all = [...created, ...changed].toSorted((a, b) => a - b);
    await recorder.reached(all.at(-1)!);
    t.deepEqual(recorder.revisions, all);
    t.deepEqual(recorder.ends, []);
  });

  test(`${driver}: with Sentinel the store follows the primary through a failover`, async (t) => {
    const args = ['--repl-diskless-sync-delay', '0'];
    const [primary, replica] = await Promise.all([startRedis(t, {args}), startRedis(t, {args})]);
    const replicaAdmin = replica.client();
    await replicaAdmin.replicaof('127.0.0.1', String(primary.port));
    await until('the replica is connected', async () => /master_link_status:up/.test(await replicaAdmin.info('replication')));
    const sentinel = await startSentinel(t, primary.port);
    const store = await openFor(t, `redis+sentinel://127.0.0.1:${sentinel.port}/main?driver=${driver}`);
    const recorder = new FollowRecorder();
    await store.follow(0, 0, recorder);
    const first = await store.commit({type: 'things', key: 'one', expected: 0, value});
    await recorder.reached(first);
    // A replica that lacks it is refused as a primary: data is missing there.
    await until('the replica has the write', async () => (await replicaAdmin.hget('orch:{orch.0}:head', 'rev')) === String(first));
    const admin = sentinel.client();
    await until('the sentinel knows the replica', async () => /slaves=1/.test(await admin.info('sentinel')));
    await until('the failover begins', () =>
      admin.call('SENTINEL', 'FAILOVER', 'main').then(
        () => true,
        () => false,
      ),
    );

    let second: number | undefined;
    await until('the store writes to the new primary', async () => {
      second = await store.commit({type: 'things', key: 'two', expected: 0, value}).catch((error: StoreError) => error.current?.revision);
      return second !== undefined && /role:master/.test(await replicaAdmin.info('replication'));
    });
    // Nobody knows what the former primary had shown to others: clients list again.
    t.is(((await recorder.ended()) as StoreError).code, 'EpochChanged');
    t.is(recorder.revisions[0], first);
  });

  test(`${driver}: a primary that stays up after its replacement is left within seconds, by reads, writes and followers`, async (t) => {
    const [former, next] = await Promise.all([startRedis(t), startRedis(t)]);
    const sentinel = await startSentinel(t, former.port);
    const store = await openFor(t, `redis+sentinel://127.0.0.1:${sentinel.port}/main?driver=${driver}`);
    const recorder = new FollowRecorder();
    await store.follow(0, 0, recorder);
    const first = await store.commit({type: 'things', key: 'one', expected: 0, value});
    await recorder.reached(first);
    const nextAdmin = next.client();
    await nextAdmin.replicaof('127.0.0.1', String(former.port));
    await until('the replica has the write', async () => (await nextAdmin.hget('orch:{orch.0}:head', 'rev')) === String(first));
    await nextAdmin.replicaof('NO', 'ONE');
    // The sentinel has another primary now, and does not tell the former one.
    const admin = sentinel.client();
    await admin.call('SENTINEL', 'REMOVE', 'main');
    await admin.call('SENTINEL', 'MONITOR', 'main', '127.0.0.1', String(next.port), '1');

    t.is(((await recorder.ended()) as StoreError).code, 'EpochChanged');
    await until('reads come from the new primary', async () => (await store.revision(0)) > first);
    const second = await store.commit({type: 'things', key: 'two', expected: 0, value});
    t.is(await nextAdmin.hget('orch:{orch.0}:head', 'rev'), String(second));
    t.is(await former.client().hget('orch:{orch.0}:head', 'rev'), String(first));
  });

  test(`${driver}: a write that too few replicas confirm is Unavailable and indeterminate`, async (t) => {
    const [primary, replica] = await Promise.all([startRedis(t, {args: ['--repl-diskless-sync-delay', '0']}), startRedis(t)]);
    const admin = replica.client();
    await admin.replicaof('127.0.0.1', String(primary.port));
    await until('the replica is connected', async () => /master_link_status:up/.test(await admin.info('replication')));
    const url = `${primary.url}?driver=${driver}&wait-replicas=1`;
    // A busy machine may need long for what is meant to succeed; only what is meant to fail should fail soon.
    const patient = await openFor(t, url, {config: {waitMillis: 20_000}});
    const store = await openFor(t, url, {config: {waitMillis: 300}});
    const answered = await Promise.all(
      Array.from({length: 50}, (_, index) => patient.commit({type: 'things', key: `k${index}`, expected: 0, value})),
    );
    t.is(await admin.hget('orch:{orch.0}:head', 'rev'), String(Math.max(...answered)), 'an answered write has reached the replica');
    await replica.kill('SIGSTOP');
    const error = await t.throwsAsync<StoreError>(store.commit({type: 'things', key: 'lonely', expected: 0, value}));
    await replica.kill('SIGCONT');
    t.is(error.code, 'Unavailable');
    t.true(error.indeterminate);
    t.regex(error.message, /wrote the change, but 0 of 1 replicas confirmed it within 300 ms$/);
    t.is((await store.read('things', 'lonely'))?.revision, 51);
  });

  test(`${driver}: with confirmReads nobody is shown what replicas lack, and everybody once they have it`, async (t) => {
    const [primary, replica] = await Promise.all([startRedis(t, {args: ['--repl-diskless-sync-delay', '0']}), startRedis(t)]);
    const admin = replica.client();
    await admin.replicaof('127.0.0.1', String(primary.port));
    await until('the replica is connected', async () => /master_link_status:up/.test(await admin.info('replication')));
    const config = {waitReplicas: 1, waitMillis: 300, confirmReads: true};
    const [writer, reader] = await Promise.all([0, 1].map(() => openFor(t, `${primary.url}?driver=${driver}`, {config})));
    const things = {type: 'things', value, expected: 0};
    const patient = await openFor(t, `${primary.url}?driver=${driver}`, {config: {waitReplicas: 1, waitMillis: 20_000}});
    const first = await patient.commit({...things, key: 'one'});
    const recorder = new FollowRecorder();
    await reader!.follow(0, 0, recorder);
    await recorder.reached(first);
    t.is(await reader!.revision(0), first);

    await replica.kill('SIGSTOP');
    t.true((await t.throwsAsync<StoreError>(writer!.commit({...things, key: 'lonely'}))).indeterminate);
    const refused = {code: 'Unavailable', message: /the latest changes are not confirmed by replicas/};
    await Promise.all(
      [writer!, reader!].flatMap((store) => [
        t.throwsAsync(store.read('things', 'lonely'), refused),
        t.throwsAsync(store.list('things'), refused),
        t.throwsAsync(store.history('things'), refused),
        t.throwsAsync(Promise.resolve(store.revision(0)), refused),
      ]),
    );
    await t.throwsAsync(reader!.commit({...things, key: 'lonely'}), refused);
    const late = new FollowRecorder();
    await reader!.follow(0, 0, late);
    t.deepEqual([recorder.revisions, late.revisions.filter((revision) => revision > first)], [[first], []]);

    await replica.kill('SIGCONT');
    for (const one of [recorder, late]) {
      await one.reached(first + 1);
      t.deepEqual(one.revisions, [first, first + 1]);
    }
    t.is((await reader!.read('things', 'lonely'))?.revision, first + 1);
    t.like(await t.throwsAsync<StoreError>(reader!.commit({...things, key: 'lonely'})), {code: 'Exists'});
    await t.throwsAsync(openStore(primary.url, {config: {confirmReads: true}}), {
      message: /--redis-confirm-reads needs --redis-wait-replicas/,
    });
  });
}

test('a cluster or a Sentinel that is away is named in one clear sentence', async (t) => {
  await t.throwsAsync(openStore('redis://127.0.0.1:1,127.0.0.1:2?cluster=1'), {
    message:
      /^Redis at cluster 127\.0\.0\.1:1, 127\.0\.0\.1:2 cannot be reached: no node of the cluster can tell where the data is \(127\.0\.0\.1:1: connect ECONNREFUSED/,
  });
  await t.throwsAsync(openStore('redis+sentinel://127.0.0.1:1/main'), {
    message:
      /^Redis at "main" \(Sentinel 127\.0\.0\.1:1\) cannot be reached: no sentinel names the primary \(127\.0\.0\.1:1: connect ECONNREFUSED/,
  });
});

async function startSentinel(t: ExecutionContext, primaryPort: number): Promise<RedisServer> {
  const dir = await mkdtemp(join(tmpdir(), 'orch-sentinel-'));
  t.teardown(() => rm(dir, {recursive: true, force: true}));
  const config = join(dir, 'sentinel.conf');
  await writeFile(
    config,
    `sentinel monitor main 127.0.0.1 ${primaryPort} 1\nsentinel down-after-milliseconds main 1000\nsentinel failover-timeout main 5000\n`,
  );
  return startRedis(t, {config, args: ['--sentinel']});
}

test('TLS is used for rediss:// and the certificate is checked', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'orch-redis-tls-'));
  t.teardown(() => rm(dir, {recursive: true, force: true}));
  const [key, certificate] = [join(dir, 'key.pem'), join(dir, 'certificate.pem')];
  const openssl = spawn(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      key,
      '-out',
      certificate,
      '-days',
      '1',
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=DNS:localhost,IP:127.0.0.1',
    ],
    {stdio: 'ignore'},
  );
  t.deepEqual(await once(openssl, 'exit'), [0, null]);
  t.true((await readFile(certificate)).length > 0);
  const server = await startRedis(t, {tls: {key, certificate}});
  for (const driver of drivers) {
    const store = await openFor(t, `rediss://127.0.0.1:${server.tlsPort}?driver=${driver}`, {config: {caFile: certificate}});
    t.is(typeof (await store.commit({type: 'things', key: driver, expected: 0, value})), 'number');
    await t.throwsAsync(openStore(`rediss://127.0.0.1:${server.tlsPort}?driver=${driver}`), {
      message: /cannot be reached: self-signed certificate/,
    });
  }
});
