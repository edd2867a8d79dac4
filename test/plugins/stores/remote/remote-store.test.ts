import {createServer, type Socket} from 'node:net';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {HeadFile} from '../../../../plugins/stores/remote/head-file.js';
import {encodeFrame, FrameReader, type Frame} from '../../../../plugins/stores/remote/frames.js';
import {RemoteStore} from '../../../../plugins/stores/remote/remote-store.js';
import {StoreServer} from '../../../../plugins/stores/remote/store-server.js';
import {StoreError, type StoreErrorCode} from '../../../../sdk/index.js';
import {LogRecorder} from '../../../../testing/conformance/store/log-recorder.js';
import {bytes, create, whenAvailable} from '../../../../testing/conformance/store/sure-commit.js';
import {openEmbedded, openMemory, strictLogger, temporaryDirectory} from '../../../helpers/store-embedded.js';
import {remoteHarness, type RemoteHarness} from './remote-harness.js';

async function embedded(t: ExecutionContext): Promise<RemoteHarness> {
  const dataDir = await temporaryDirectory(t);
  const harness = await remoteHarness(t, () => openEmbedded(dataDir));
  t.teardown(() => harness.close());
  return harness;
}

async function rejects(t: ExecutionContext, work: unknown, code: StoreErrorCode): Promise<StoreError> {
  const error = await t.throwsAsync(async () => work);
  t.true(StoreError.is(error) && error.code === code, String(error));
  return error as StoreError;
}

test('while the process that has the store is gone every call says Unavailable; when it is back followers go on without a gap', async (t) => {
  const harness = await embedded(t);
  const store = await harness.open();
  const recorder = new LogRecorder();
  await store.follow(0, 0, recorder);
  const first = await create(store, 'things', 'one', 'x');
  await harness.crash();
  for (const call of [
    () => store.read('things', 'one'),
    () => store.list('things'),
    () => store.revision(),
    () => store.ping(),
    () => store.follow(0, 0, new LogRecorder()),
  ]) {
    await rejects(t, call(), 'Unavailable');
  }
  const refused = await rejects(t, create(store, 'things', 'two', 'x'), 'Unavailable');
  t.false(refused.indeterminate, 'nothing was sent');
  await harness.restart();
  const second = await whenAvailable(() => create(store, 'things', 'three', 'x'));
  await recorder.reached(second);
  t.deepEqual(recorder.revisions, [first, second]);
  t.is(recorder.end, undefined);
});

test('a commit whose process dies before it answers has an unknown outcome', async (t) => {
  const path = join(await temporaryDirectory(t), 'store.sock');
  const own = await openMemory();
  // The commit arrives and is never answered, as if the process were killed then.
  const arrived = Promise.withResolvers<void>();
  const server = await StoreServer.listen(
    Object.assign(Object.create(own), {
      exclusive: true,
      shards: 1,
      revision: () => 0,
      commit: () => new Promise(() => arrived.resolve()),
    }),
    path,
  );
  const store = await RemoteStore.open({path, logger: {...strictLogger(), warn() {}}});
  const commit = create(store, 'things', 'one', 'x');
  await arrived.promise;
  await server.close();
  t.true((await rejects(t, commit, 'Unavailable')).indeterminate);
  await Promise.all([store.close(), own.close()]);
});

test('a store that has lost everything, as one in memory, ends its followers with EpochChanged, and is used again', async (t) => {
  const harness = await remoteHarness(t, () => openMemory());
  t.teardown(() => harness.close());
  const store = await harness.open();
  for (let index = 0; index < 5; index++) await create(store, 'things', `k${index}`, 'x');
  const recorder = new LogRecorder();
  await store.follow(0, 0, recorder);
  await harness.crash();
  await harness.restart();
  const end = await recorder.ended();
  t.true(StoreError.is(end) && end.code === 'EpochChanged', String(end));
  t.deepEqual([...(await store.list('things')).records], []);
  t.is(await store.revision(), 0);
});

test('a follower that is behind the retained log when the store comes back is told so', async (t) => {
  const harness = await embedded(t);
  const [store, other] = await Promise.all([harness.open(), harness.open()]);
  const recorder = new LogRecorder();
  await store.follow(0, 0, recorder);
  await recorder.reached(await create(store, 'things', 'one', 'x'));
  await harness.crash();
  await harness.restart();
  // The first to come back is `other`, or both: what counts is that the log is cut while `store` is away.
  const last = await whenAvailable(() => create(other, 'things', 'two', 'x'));
  await whenAvailable(() => other.compact(0, last));
  const behind = new LogRecorder();
  await rejects(
    t,
    whenAvailable(() => store.follow(0, 0, behind)),
    'Compacted',
  );
});

test('a process that has the store and says nothing is given up, and reached again', async (t) => {
  const path = join(await temporaryDirectory(t), 'store.sock');
  const own = await openMemory();
  const silent = Object.assign(Object.create(own), {
    exclusive: true,
    shards: 1,
    revision: () => 0,
    ping: () => new Promise(() => undefined),
  });
  const server = await StoreServer.listen(silent, path);
  const store = await RemoteStore.open({path, logger: {...strictLogger(), warn() {}}, silenceMillis: 100});
  await rejects(t, store.ping(), 'Unavailable');
  await t.notThrowsAsync(whenAvailable(() => Promise.resolve(store.revision())));
  await store.close();
  await server.close();
  await own.close();
});

test('a process that serves another store at the same path is not trusted before it is connected to', async (t) => {
  const path = join(await temporaryDirectory(t), 'head');
  const first = HeadFile.write(path, 7, 41);
  const reader = HeadFile.read(path);
  t.is(reader.revision(7), 41);
  first.raise(42);
  first.raise(40);
  t.is(reader.revision(7), 42);
  const second = HeadFile.write(path, 8, 100);
  await rejects(
    t,
    Promise.resolve().then(() => reader.revision(7)),
    'Unavailable',
  );
  t.is(reader.revision(8), 100);
  second.close();
  await rejects(
    t,
    Promise.resolve().then(() => reader.revision(8)),
    'Unavailable',
  );
  reader.close();
});

test('values of any size arrive whole, however the bytes are cut', (t) => {
  const values = [bytes(''), null, bytes('x'), Buffer.alloc(70_000, 'ü'), bytes('last')];
  const sent = Buffer.concat([encodeFrame({a: 1}, values), encodeFrame({b: 'é\ud800'}), encodeFrame({c: []}, [bytes('y')])]);
  for (const size of [1, 3, 7, 8, 9, 1000, sent.length]) {
    const frames: Frame[] = [];
    const reader = new FrameReader((frame) => frames.push(frame));
    for (let at = 0; at < sent.length; at += size) reader.push(sent.subarray(at, at + size));
    t.deepEqual(frames, [
      {head: {a: 1}, values},
      {head: {b: 'é\ud800'}, values: []},
      {head: {c: []}, values: [bytes('y')]},
    ]);
  }
});

test('what answers at the socket and is no store is refused in words', async (t) => {
  const path = join(await temporaryDirectory(t), 'store.sock');
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const error = await t.throwsAsync(RemoteStore.open({path, logger: strictLogger()}));
  t.regex(error.message, /is not the store of an orch server/);
  for (const socket of sockets) socket.destroy();
  server.close();
  await t.throwsAsync(RemoteStore.open({path: `${path}.none`, logger: strictLogger()}), {message: /cannot be reached: .*ENOENT/});
});
