import test, {type ExecutionContext} from 'ava';
import {RedisStoreProvider} from '../../../../plugins/stores/redis/plugin.js';
import {StoreError, type Store} from '@orch-api/orch/sdk';
import {startRedis} from '../../../helpers/redis-server.js';
import {until} from '../../../helpers/eventually.js';
import {tempFolder} from '../../../helpers/temp-folder.js';
import {FollowRecorder} from './follow-recorder.js';
import {openFor, openStore, RecordingLogger} from './open-store.js';
import {TcpProxy} from './tcp-proxy.js';

const value = Buffer.from('x');
const create = (key: string) => ({type: 'things', key, expected: 0, value});

/** Repeats a call that is refused once while the store finds out what happened. */
async function settled<T>(call: () => Promise<T>): Promise<T> {
  let result: {value: T} | undefined;
  await until('the store goes on', async () => {
    try {
      result = {value: await call()};
    } catch (error) {
      if (!StoreError.is(error) || (error.code !== 'EpochChanged' && error.code !== 'Unavailable')) throw error;
    }
    return result !== undefined;
  });
  return result!.value;
}

/** A server with a data directory of its own. */
async function serverOn(t: ExecutionContext, url: string, dataDir?: string): Promise<{store: Store; dataDir: string}> {
  const folder = dataDir ?? tempFolder(t);
  return {store: await openFor(t, url, {dataDir: folder}), dataDir: folder};
}

function tools(url: string, dataDir: string) {
  const provider = new RedisStoreProvider({}, new RecordingLogger());
  const options = {url, dataDir, historyMillis: 300_000};
  return {status: () => provider.status(options), acceptLoss: () => provider.acceptLoss(options)};
}

test('an emptied Redis is used by no server that knows the store, until an operator accepts the loss', async (t) => {
  const server = await startRedis(t);
  const [one, two] = await Promise.all([serverOn(t, server.url), serverOn(t, server.url)]);
  const recorders = [new FollowRecorder(), new FollowRecorder()];
  await one.store.follow(0, 0, recorders[0]!);
  await two.store.follow(0, 0, recorders[1]!);
  let last = 0;
  for (let index = 0; index < 10; index++) last = await (index % 2 === 0 ? one : two).store.commit(create(`k${index}`));
  for (const recorder of recorders) await recorder.reached(last);

  await server.client().flushall();
  const calls: Record<string, () => unknown> = {
    read: () => one.store.read('things', 'k0'),
    list: () => one.store.list('things'),
    history: () => one.store.history('things'),
    revision: () => one.store.revision(0),
    create: () => one.store.commit(create('k0')),
    update: () => one.store.commit({...create('k0'), expected: 1}),
    follow: () => one.store.follow(0, last, new FollowRecorder()),
    ping: () => one.store.ping(),
    'ping of the other': () => two.store.ping(),
  };
  for (const [name, call] of Object.entries(calls)) {
    const error = await t.throwsAsync<StoreError>(async () => call(), {instanceOf: StoreError}, name);
    t.is(error.code, 'Unavailable', name);
    t.regex(error.message, /has lost data of this store \(it is empty.*orch store accept-loss/, name);
  }
  const again = await t.throwsAsync(openStore(server.url, {dataDir: one.dataDir}));
  t.regex(again!.message, /has lost data of this store/, 'its data directory remembers');
  for (const recorder of recorders) t.deepEqual(recorder.ends, [], 'nobody is told that the objects are gone');

  const [before] = await tools(server.url, one.dataDir).acceptLoss();
  t.regex(before!.missing!, /it is empty/);
  for (const recorder of recorders) t.is(((await recorder.ended()) as StoreError).code, 'EpochChanged');
  const next = await settled(() => one.store.commit(create('k0')));
  t.true(next > last && next > 1_700_000_000_000, `${next}: above the milliseconds since 1970`);
  t.true((await settled(() => two.store.commit(create('k1')))) > next);
  t.deepEqual([...(await two.store.list('things')).records].map((record) => record.key).toSorted(), ['k0', 'k1']);
  await t.throwsAsync(one.store.follow(0, last, new FollowRecorder()), {code: 'Compacted'});
  t.is((await tools(server.url, one.dataDir).status())[0]?.missing, undefined);
});

test('a store that a server without memory began in an emptied Redis is not taken for the old one', async (t) => {
  const server = await startRedis(t);
  const known = await serverOn(t, server.url);
  await known.store.commit(create('one'));
  await server.client().flushall();
  const fresh = await serverOn(t, server.url);
  await fresh.store.commit(create('two'));
  await t.throwsAsync(known.store.list('things'), {code: 'Unavailable', message: /it holds another store/});
  await tools(server.url, known.dataDir).acceptLoss();
  t.deepEqual(
    [...(await settled(() => known.store.list('things'))).records].map(({key}) => key),
    ['two'],
  );
  // Whoever saw the old store last before the acceptance goes over by himself.
  t.deepEqual(
    [...(await settled(() => fresh.store.list('things'))).records].map(({key}) => key),
    ['two'],
  );
});

test('a type whose records, or values, are gone is noticed, before anybody is given a part of it', async (t) => {
  const server = await startRedis(t);
  const {store, dataDir} = await serverOn(t, server.url);
  const admin = server.client();
  let last = 0;
  for (const type of ['others', 'things']) for (const key of ['a', 'b']) last = await store.commit({...create(key), type});
  const saved = await admin.dumpBuffer('orch:{orch.0}:t:things');
  await admin.del('orch:{orch.0}:t:things');
  const missing = {code: 'Unavailable', message: /it has 0 records of things and should have 2/};
  await t.throwsAsync(store.list('things'), missing);
  await t.throwsAsync(store.commit(create('c')), missing);
  await t.throwsAsync(store.commit({...create('b'), expected: last}), missing);
  await t.throwsAsync(store.commit({...create('b'), expected: last, value: null}), missing);
  await t.throwsAsync(openStore(server.url), {message: /it has 0 records of things and should have 2/}, 'a server without memory as well');
  await admin.restore('orch:{orch.0}:t:things', 0, saved!);
  t.is([...(await store.list('things')).records].length, 2, 'what was brought back is used at once');

  await admin.hdel('orch:{orch.0}:v:things', String(last - 1));
  await t.throwsAsync(store.ping(), {code: 'Unavailable', message: /it has 1 values for 2 records of things/});
  await tools(server.url, dataDir).acceptLoss();
  t.deepEqual(
    [...(await settled(() => store.list('things'))).records].map(({key}) => key),
    ['b'],
  );
  t.is([...(await store.list('others')).records].length, 2);
});

test('revisions are not used again when Redis and all servers come back to an earlier state', async (t) => {
  const folder = tempFolder(t);
  const server = await startRedis(t, {args: ['--dbfilename', 'old.rdb']});
  const admin = server.client();
  const {store, dataDir} = await serverOn(t, server.url, folder);
  const kept = await store.commit(create('kept'));
  await admin.save();
  const lost = [await store.commit(create('lost-1')), await store.commit(create('lost-2'))];
  await store.close();
  await server.restart();
  t.is(await admin.hget('orch:{orch.0}:head', 'rev'), String(kept), 'Redis is where the snapshot was');

  for (const [what, options] of Object.entries({'who remembers': {dataDir}, 'who remembers nothing': {}})) {
    const again = await openFor(t, server.url, options);
    const next = await again.commit({...create(what)});
    t.true(next > lost[1]! && next > 1_700_000_000_000, `${what}: ${next}`);
    t.is((await again.read('things', 'kept'))?.revision, kept);
    await t.throwsAsync(again.follow(0, lost[1]!, new FollowRecorder()), {code: 'Compacted'});
    await again.close();
    await server.client().save();
    await server.restart();
  }
});

test('a Redis that syncs every write goes on after a restart as if nothing had happened', async (t) => {
  const server = await startRedis(t, {appendonly: true});
  const {store} = await serverOn(t, server.url);
  const recorder = new FollowRecorder();
  await store.follow(0, 0, recorder);
  const first = await store.commit(create('one'));
  await server.restart();
  t.is(await settled(() => store.commit(create('two'))), first + 1);
  await recorder.reached(first + 1);
  t.deepEqual(recorder.ends, []);
});

test('a log that was cut while nobody read it ends those who are behind it, without a further write', async (t) => {
  const server = await startRedis(t);
  const proxy = await TcpProxy.start(t, server.port);
  const sleeping = await openFor(t, proxy.url);
  const awake = await openFor(t, server.url);
  const recorder = new FollowRecorder();
  await sleeping.follow(0, 0, recorder);
  await recorder.reached(await awake.commit(create('one')));
  proxy.refuse = true;
  proxy.cut();
  const last = await awake.commit(create('two'));
  await awake.compact(0, last);
  proxy.refuse = false;
  t.is(((await recorder.ended()) as StoreError).code, 'Compacted');
  const again = new FollowRecorder();
  await sleeping.follow(0, await sleeping.revision(0), again);
  t.is(await sleeping.revision(0), last);
});

test('a failover that lost writes is noticed, also by a server that has not seen them', async (t) => {
  const primary = await startRedis(t);
  const replica = await startRedis(t, {args: ['--replicaof', '127.0.0.1', String(primary.port), '--repl-diskless-sync-delay', '0']});
  const proxy = await TcpProxy.start(t, primary.port);
  const store = await openFor(t, proxy.url);
  const recorder = new FollowRecorder();
  await store.follow(0, 0, recorder);
  const kept = await store.commit(create('kept'));
  const admin = replica.client();
  await until('the replica has the write', async () => (await admin.hget('orch:{orch.0}:head', 'rev')) === String(kept));

  await admin.replicaof('NO', 'ONE');
  const lost = [await store.commit(create('lost-1')), await store.commit(create('lost-2'))];
  await recorder.reached(lost[1]!);
  // Another server has not seen the lost writes, and comes to the new primary before the first one does.
  const other = await openFor(t, replica.url);
  const first = await other.commit(create('a'));
  t.true(first > lost[1]!, 'it cannot know what others have seen, and uses none of those revisions');
  const otherRecorder = new FollowRecorder();
  await other.follow(0, first, otherRecorder);
  proxy.switchTo(replica.port);

  t.is(((await recorder.ended()) as StoreError).code, 'EpochChanged');
  t.deepEqual(recorder.revisions, [kept, ...lost]);
  const next = await settled(() => store.commit(create('d')));
  t.is(next, first + 1);
  await otherRecorder.reached(next);
  t.deepEqual(otherRecorder.ends, [], 'who knows the new history goes on');
  t.is((await settled(() => other.read('things', 'a')))?.revision, first);
  t.is(await settled(() => other.read('things', 'lost-1')), undefined);
});

test('a failover that lost writes is noticed by the counter', async (t) => {
  const primary = await startRedis(t);
  const replica = await startRedis(t, {args: ['--replicaof', '127.0.0.1', String(primary.port), '--repl-diskless-sync-delay', '0']});
  const proxy = await TcpProxy.start(t, primary.port);
  const store = await openFor(t, proxy.url);
  const kept = await store.commit(create('kept'));
  const admin = replica.client();
  await until('the replica has the write', async () => (await admin.hget('orch:{orch.0}:head', 'rev')) === String(kept));
  await admin.replicaof('NO', 'ONE');
  const lost = await store.commit(create('lost'));
  proxy.switchTo(replica.port);
  await settled(() => store.ping());
  t.true((await settled(() => store.commit(create('next')))) > lost);
  t.deepEqual([...(await store.list('things')).records].map((record) => record.key).toSorted(), ['kept', 'next']);
});

test('an answer from before a new history, which comes late over another connection, does not bring the former one back', async (t) => {
  const server = await startRedis(t);
  const proxy = await TcpProxy.start(t, server.port);
  const logger = new RecordingLogger();
  // The held connection must not count as dead.
  const store = await openFor(t, proxy.url, {logger, config: {commandMillis: 20_000}});
  const first = new FollowRecorder();
  await store.follow(0, 0, first);
  await first.reached(await store.commit(create('one')));
  const former = String(await server.client().hget('orch:{orch.0}:head', 'epoch'));

  // The check of the connection that follows the log.
  proxy.holdsReply = (reply, requests) => requests.includes('XREAD') && reply.includes(former);
  await until('Redis has answered the check', () => proxy.heldReplies.includes(former));
  // As if another process had written last: nobody knows what it had told others.
  await server.client().hset('orch:{orch.0}:head', 'run', 'another');
  await settled(() => store.ping());
  t.is(((await first.ended()) as StoreError).code, 'EpochChanged');
  const epoch = await server.client().hget('orch:{orch.0}:head', 'epoch');
  t.not(epoch, former);

  proxy.releaseReplies();
  const second = new FollowRecorder();
  await store.follow(0, await store.revision(0), second);
  await second.reached(await store.commit(create('two')));
  t.deepEqual(second.ends, []);
  t.is(logger.lines.filter((line) => line.includes('does not go on')).length, 1, logger.lines.join('\n'));
  t.is(await server.client().hget('orch:{orch.0}:head', 'epoch'), epoch);
});
