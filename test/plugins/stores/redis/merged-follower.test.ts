import test from 'ava';
import {MergedFollower} from '../../../../plugins/stores/redis/merged-follower.js';
import {RevisionStride} from '../../../../plugins/stores/redis/revision-stride.js';
import type {LogEntry, StoreError} from '../../../../sdk/index.js';
import {Random} from '../../../helpers/random.js';
import {FollowRecorder} from './follow-recorder.js';

const seed = Number(process.env.ORCH_TEST_SEED ?? Date.now() % 1_000_000);
const entry = (revision: number, value = Buffer.from('x')): LogEntry => ({revision, time: 0, type: 'things', key: String(revision), value});

test('entries of several shards come in one order, each as soon as no shard can give out a lower revision', (t) => {
  t.log(`seed ${seed}`);
  const random = new Random(seed);
  const strides = [0, 1, 2].map((remainder) => new RevisionStride(remainder, 3));
  const recorder = new FollowRecorder();
  const merged = new MergedFollower(recorder, strides, 0, () => undefined);
  const listeners = strides.map((_, index) => merged.listenerOf(index));
  const positions = strides.map(() => 0);
  const written: number[] = [];
  for (let step = 0; step < 2000; step++) {
    const shard = random.below(3);
    const stride = strides[shard]!;
    let last = positions[shard]!;
    if (random.chance(0.3)) {
      // Advanced to where the others are.
      last = Math.max(last, Math.max(...positions) - random.below(3));
      listeners[shard]!.onEntries([], last);
    } else {
      const entries: LogEntry[] = [];
      for (let count = 1 + random.below(3); count > 0; count--) entries.push(entry((last = stride.next(last + random.below(4)))));
      written.push(...entries.map(({revision}) => revision));
      listeners[shard]!.onEntries(entries, last);
    }
    positions[shard] = last;
    const closed = Math.min(...strides.map((one, index) => one.closedAt(positions[index]!)));
    const expected = written.filter((revision) => revision <= closed).toSorted((a, b) => a - b);
    if (step % 50 === 0) t.deepEqual(recorder.revisions, expected);
  }
  t.true(recorder.entries.length > 500, String(recorder.entries.length));
});

test('what waits for a shard that cannot be read is bounded: its follower ends', (t) => {
  const strides = [0, 1].map((remainder) => new RevisionStride(remainder, 2));
  const recorder = new FollowRecorder();
  const merged = new MergedFollower(recorder, strides, 0, () => undefined);
  const listener = merged.listenerOf(0);
  const value = Buffer.alloc(1024 * 1024);
  for (let revision = 2; revision <= 100; revision += 2) listener.onEntries([entry(revision, value)], revision);
  t.deepEqual(recorder.ends, []);
  for (let revision = 102; revision <= 200; revision += 2) listener.onEntries([entry(revision, value)], revision);
  t.deepEqual(
    recorder.ends.map((error) => (error as StoreError).code),
    ['Compacted'],
  );
});
