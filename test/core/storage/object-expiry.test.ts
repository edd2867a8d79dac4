import test from 'ava';
import {setTimeout as delay} from 'node:timers/promises';
import {CooperativeScheduler, StoreError} from '../../../sdk/index.js';
import type {CachedEntry} from '../../../core/storage/cache/cached-entry.js';
import type {TypeCache} from '../../../core/storage/cache/type-cache.js';
import {ObjectExpiry} from '../../../core/storage/write/object-expiry.js';
import {RecordingLogger} from './support.js';

const ttlMillis = 60_000;

// An expiry does not keep a process from its end.
const held = setInterval(() => undefined, 1000);
test.after.always(() => clearInterval(held));

/** An expiry over objects that are there, by name and time of the write; it notes what it deletes. */
function expiryOf(written: ReadonlyMap<string, number>, remove: (key: string) => Promise<unknown> = async () => undefined) {
  let revision = 0;
  const entryOf = (key: string, writtenAt: number) => ({key, writtenAt, revision: ++revision, fault: undefined}) as unknown as CachedEntry;
  const entries = [...written].map(([key, at]) => entryOf(key, at));
  const deleted: string[] = [];
  const expiry = new ObjectExpiry(
    ttlMillis,
    () => cache,
    async (key) => {
      deleted.push(key);
      await remove(key);
    },
    {logger: new RecordingLogger(), scheduler: new CooperativeScheduler()},
  );
  const cache = {tree: {valuesArray: () => entries}} as unknown as TypeCache;
  const change = (key: string, writtenAt?: number) =>
    expiry.onChange({
      key,
      object: writtenAt === undefined ? undefined : entryOf(key, writtenAt),
      revision: 0,
      time: 0,
      previous: undefined,
    });
  return {expiry, deleted, change};
}

const named = (count: number, writtenAt: (index: number) => number): Map<string, number> =>
  new Map(Array.from({length: count}, (_, index) => [`ns/e${index}`, writtenAt(index)]));

test('objects of a full cache are learned over several turns, and what changes meanwhile counts', async (t) => {
  const {expiry, deleted, change} = expiryOf(named(20_000, (index) => 3_000_000 - index * 100));
  const learning = expiry.run(0);
  change('ns/e19999', 4_000_000);
  change('ns/e0');
  change('ns/new', 3_500_000);
  await learning;
  await expiry.run(1_000_999 + ttlMillis);
  t.deepEqual(
    deleted.sort(),
    [1, 2, 3, 4, 5, 6, 7, 8].map((index) => `ns/e1999${index}`),
  );
});

test('what expires together is deleted in batches, without what somebody else has deleted or written by then', async (t) => {
  const {expiry, deleted, change} = expiryOf(named(250, () => 1000));
  const began = performance.now();
  const running = expiry.run(1000 + ttlMillis);
  while (deleted.length < 100) await delay(1);
  t.is(deleted.length, 100);
  const left = Array.from({length: 250}, (_, index) => `ns/e${index}`).filter((key) => !deleted.includes(key));
  for (const key of left.slice(0, 50)) change(key);
  for (const key of left.slice(50, 60)) change(key, 50_000);
  await running;
  t.deepEqual(deleted.slice(100).sort(), left.slice(60).sort());
  t.true(performance.now() - began > 90, 'at most 1,000 a second');
});

test('what a store that is away keeps is not tried one by one, and goes when it is back', async (t) => {
  let away = true;
  const {expiry, deleted, change} = expiryOf(
    named(500, () => 1000),
    async (key) => {
      if (away) throw new StoreError('Unavailable', 'away');
      change(key);
    },
  );
  await expiry.run(1000 + ttlMillis);
  t.true(deleted.length < 20, String(deleted.length));
  away = false;
  deleted.length = 0;
  await expiry.run(1000 + ttlMillis);
  t.is(new Set(deleted).size, 500);
});
