import test from 'ava';
import {StoreError} from '../../../../sdk/index.js';
import {startRedis} from '../../../helpers/redis-server.js';
import {until} from '../../../helpers/eventually.js';
import {FollowRecorder} from './follow-recorder.js';
import {openFor} from './open-store.js';
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

test('after FLUSHALL followers of all servers end with EpochChanged and no revision is used again', async (t) => {
  const server = await startRedis(t);
  const stores = await Promise.all([openFor(t, server.url), openFor(t, server.url)]);
  const recorders = stores.map(() => new FollowRecorder());
  for (const [index, store] of stores.entries()) await store.follow(0, 0, recorders[index]!);
  let last = 0;
  for (let index = 0; index < 10; index++) last = await stores[index % 2]!.commit(create(`k${index}`));
  for (const recorder of recorders) await recorder.reached(last);

  await server.client().flushall();
  for (const recorder of recorders) {
    t.is(((await recorder.ended()) as StoreError).code, 'EpochChanged');
    t.is(recorder.ends.length, 1);
  }
  const next = await settled(() => stores[0]!.commit(create('k0')));
  t.true(next > last, `${next} > ${last}`);
  t.true((await settled(() => stores[1]!.commit(create('k1')))) > next);
  t.deepEqual((await settled(() => stores[1]!.list('things'))).records.map((record) => record.key).toSorted(), ['k0', 'k1']);
  await t.throwsAsync(stores[0]!.follow(0, last, new FollowRecorder()), {code: 'Compacted'});
  const again = await openFor(t, server.url);
  t.is((await again.read('things', 'k0'))?.revision, next);
});

test('a server without followers notices the loss of the history at its next request', async (t) => {
  const server = await startRedis(t);
  const store = await openFor(t, server.url);
  const first = await store.commit(create('one'));
  const admin = server.client();
  await admin.flushall();
  await t.throwsAsync(store.commit({type: 'things', key: 'one', expected: first, value}), {code: 'EpochChanged'});
  const second = await settled(() => store.commit(create('one')));
  t.true(second > first);
  await admin.flushall();
  await t.throwsAsync(async () => store.revision(0), {code: 'EpochChanged'});
  t.true((await settled(async () => store.revision(0))) > second);
  await admin.flushall();
  await t.throwsAsync(store.history('things'), {code: 'EpochChanged'});
  await settled(() => store.history('things'));
  await admin.flushall();
  await t.throwsAsync(store.list('things'), {code: 'EpochChanged'});
});

test('after a restart with lost data followers end with EpochChanged and no revision is used again', async (t) => {
  const server = await startRedis(t);
  const store = await openFor(t, server.url);
  const recorder = new FollowRecorder();
  await store.follow(0, 0, recorder);
  let last = 0;
  for (let index = 0; index < 5; index++) last = await store.commit(create(`k${index}`));
  await server.restart();
  t.is(((await recorder.ended()) as StoreError).code, 'EpochChanged');
  t.true((await settled(() => store.commit(create('k0')))) > last);
});

test('a failover that lost writes is noticed, also when the new primary has meanwhile used the same revisions for others', async (t) => {
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
  // Another server has not seen the lost writes, and drives the counter past them before the first one looks.
  const other = await openFor(t, replica.url);
  const reused = [await other.commit(create('a')), await other.commit(create('b')), await other.commit(create('c'))];
  t.deepEqual(reused.slice(0, 2), lost, 'Redis alone goes on as if nothing had happened');
  const otherRecorder = new FollowRecorder();
  await other.follow(0, 0, otherRecorder);
  await otherRecorder.reached(reused[2]!);
  proxy.switchTo(replica.port);

  for (const each of [recorder, otherRecorder]) t.is(((await each.ended()) as StoreError).code, 'EpochChanged');
  t.deepEqual(recorder.revisions, [kept, ...lost]);
  const next = await settled(() => store.commit(create('d')));
  t.true(next > reused[2]!);
  t.is((await settled(() => other.read('things', 'a')))?.revision, reused[0]);
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
  t.deepEqual((await store.list('things')).records.map((record) => record.key).toSorted(), ['kept', 'next']);
});
