import test from 'ava';
import type {Redis} from 'ioredis';
import type {LogEntry, StoreError} from '../../../../sdk/index.js';
import {startRedis} from '../../../helpers/redis-server.js';
import {FollowRecorder} from './follow-recorder.js';
import {openFor} from './open-store.js';

const things = (key: string, expected: number, value: Buffer | null) => ({type: 'things', key, expected, value});
const tenKilobytes = (round: number) => Buffer.alloc(10_000, round % 251);

/** Bytes that Redis has sent to its clients, and the size of its append-only file. */
async function figures(admin: Redis): Promise<{sent: number; file: number; memory: number}> {
  const info = await admin.info();
  const number = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1]);
  return {sent: number('total_net_output_bytes'), file: number('aof_current_size'), memory: number('used_memory')};
}

test('the history gives way to objects before memory is full, and deletions pass when it is', async (t) => {
  const server = await startRedis(t, {args: ['--maxmemory', '30mb']});
  const store = await openFor(t, server.url);
  let revision = 0;
  for (let round = 0; round < 2500; round++) revision = await store.commit(things('one', revision, tenKilobytes(round)));
  const {floor, entries} = await store.history('things');
  t.true(floor > 0 && entries.length > 100, `${entries.length} entries above ${floor}`);
  t.true(Number(await server.client().hget('orch:{orch.0}:head', 'bytes')) <= (30 * 1024 * 1024) / 4);

  const kept: [string, number][] = [];
  const error = await t.throwsAsync<StoreError>(async () => {
    for (let index = 0; index < 5000; index++) {
      kept.push([`k${index}`, await store.commit(things(`k${index}`, 0, tenKilobytes(index)))]);
    }
  });
  t.is(error?.code, 'Unavailable');
  t.regex(error!.message, /out of memory/);
  t.true(kept.length > 1800, `${kept.length} objects of 10 KB in 30 MB`);
  for (const [key, at] of kept.slice(0, 1000)) await store.commit(things(key, at, null));
  await t.notThrowsAsync(store.commit(things('next', 0, tenKilobytes(1))), 'deletions have made room');
  t.is([...(await store.list('things')).records].length, kept.length - 1000 + 2);
});

test('a value is written once to the file and to the replicas, and not sent back to who wrote it', async (t) => {
  const server = await startRedis(t, {appendonly: true});
  const admin = server.client();
  const store = await openFor(t, server.url);
  const recorder = new FollowRecorder();
  await store.follow(0, 0, recorder);
  let revision = await store.commit(things('one', 0, tenKilobytes(0)));
  await recorder.reached(revision);
  const before = await figures(admin);
  for (let round = 1; round <= 200; round++) revision = await store.commit(things('one', revision, tenKilobytes(round)));
  await recorder.reached(revision);
  const after = await figures(admin);
  const per = (name: 'sent' | 'file' | 'memory') => Math.round((after[name] - before[name]) / 200);
  t.log(`an update of 10,000 bytes: ${per('file')} bytes in the file, ${per('memory')} in memory, ${per('sent')} sent`);
  t.true(per('file') < 15_850, `${per('file')}: it was 31,700`);
  t.true(per('memory') < 14_000, `${per('memory')}: it was 24,600`);
  t.true(per('sent') < 2000, `${per('sent')}: it was 21,000`);
  t.true(recorder.entries.at(-1)?.value?.equals(tenKilobytes(200)));
});

test('a server is sent next to nothing of the types that nobody there asks for', async (t) => {
  const server = await startRedis(t);
  const admin = server.client();
  const [writer, other] = [await openFor(t, server.url), await openFor(t, server.url)];
  const seen: LogEntry[] = [];
  let position = 0;
  let arrived = (): void => undefined;
  await other.follow(0, 0, {
    wants: (type) => type === 'wanted',
    onEntries(entries, upTo) {
      seen.push(...entries);
      position = upTo ?? position;
      arrived();
    },
    // The store is closed at the end of the test.
    onEnd: () => undefined,
  });
  const before = await figures(admin);
  let last = 0;
  for (let index = 0; index < 200; index++) last = await writer.commit(things(`k${index}`, 0, tenKilobytes(index)));
  last = await writer.commit({...things('mine', 0, tenKilobytes(1)), type: 'wanted'});
  while (position < last) await new Promise<void>((resolve) => (arrived = resolve));
  const sent = ((await figures(admin)).sent - before.sent) / 200;
  t.true(sent < 1000, `${sent} bytes for each of them`);
  t.deepEqual(
    seen.map(({type, key}) => `${type} ${key}`),
    ['wanted mine'],
  );
});

test('a backlog of large values is read in parts', async (t) => {
  const server = await startRedis(t);
  const store = await openFor(t, server.url);
  const value = Buffer.alloc(300_000, 1);
  for (let index = 0; index < 60; index++) await store.commit(things(`k${index}`, 0, value));
  const reader = await openFor(t, server.url);
  const calls: number[] = [];
  let last = 0;
  let arrived = (): void => undefined;
  await reader.follow(0, 0, {
    onEntries(entries) {
      calls.push(entries.reduce((sum, entry) => sum + (entry.value?.length ?? 0), 0));
      last = entries.at(-1)!.revision;
      arrived();
    },
    // The store is closed at the end of the test.
    onEnd: () => undefined,
  });
  while (last < 60) await new Promise<void>((resolve) => (arrived = resolve));
  t.is(
    calls.reduce((sum, bytes) => sum + bytes),
    60 * 300_000,
  );
  t.true(Math.max(...calls) < 3_000_000, `${Math.max(...calls)} bytes at once`);
  t.is([...(await reader.list('things')).records].length, 60);
  t.is((await reader.history('things')).entries.length, 60);
});
