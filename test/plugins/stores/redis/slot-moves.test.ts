import test from 'ava';
import {Placement} from '../../../../plugins/stores/redis/placement.js';
import {until} from '../../../helpers/eventually.js';
import {startRedisCluster} from '../../../helpers/redis-cluster.js';
import {FollowRecorder} from './follow-recorder.js';
import {drivers, openFor} from './open-store.js';

const value = Buffer.from('x');
const head = 'orch:{orch.0}:head';

for (const driver of drivers) {
  test(`${driver}: reads, writes and followers go on while a slot moves for longer than a request waits for Redis`, async (t) => {
    const cluster = await startRedisCluster(t, 2);
    const url = `redis://${cluster.addresses}?cluster=1&driver=${driver}&shards=1`;
    const store = await openFor(t, url);
    const recorder = new FollowRecorder();
    await store.follow(0, 0, recorder);
    const types = Array.from({length: 12}, (_, index) => `type${index}`);
    const revisions = await Promise.all(types.map((type) => store.commit({type, key: 'one', expected: 0, value})));
    const from = await cluster.ownerOf(head);
    let isMoving = true;
    const answered: number[] = [];
    const took: number[] = [];
    const load = (async () => {
      for (let round = 0; isMoving; round++) {
        const index = round % types.length;
        const begun = performance.now();
        revisions[index] = await store.commit({type: types[index]!, key: 'one', expected: revisions[index]!, value});
        answered.push(revisions[index]);
        t.true((await store.revision(0)) >= revisions[index]);
        t.is((await store.read(types[index]!, 'one'))?.revision, revisions[index]);
        took.push(performance.now() - begun);
      }
    })();
    for (const to of [1 - from, from]) {
      const move = await cluster.beginMove(head, to);
      await move.moveKeys(100);
      // All keys are there, and the cluster still names the node of before: it is the other one that must be asked.
      const before = answered.length;
      await until('writes go on beside the move that is not finished', () => answered.length > before + 10);
      await move.finish();
    }
    const last = answered.length;
    await until('writes go on after it', () => answered.length > last + 10);
    isMoving = false;
    await load;
    await recorder.reached(answered.at(-1)!);
    t.deepEqual(recorder.revisions.slice(types.length), answered);
    t.deepEqual(recorder.ends, []);
    t.true(Math.max(...took) > 2000, 'no request was held up for longer than its patience');
  });
}

test('a type that is spread over the nodes is written, read and followed in one order while its slots move', async (t) => {
  const cluster = await startRedisCluster(t, 3);
  const url = `redis://${cluster.addresses}?cluster=1&shards=6`;
  const [one, two] = await Promise.all([openFor(t, url), openFor(t, url)]);
  const recorders = [new FollowRecorder(), new FollowRecorder()];
  await one.follow(0, 0, recorders[0]!);
  await two.follow(0, 0, recorders[1]!);
  const written: number[] = [];
  const took: number[] = [];
  let isMoving = true;
  const write = async (writer: number): Promise<void> => {
    let last = 0;
    for (let round = 0; isMoving; round++) {
      // Alternately by both servers: what begins after an answer comes after it, wherever it is written.
      const [store, other] = round % 2 === 0 ? [one, two] : [two, one];
      const begun = performance.now();
      const revision = await store.commit({type: 'things', key: `space${writer}-${round}/one`, expected: 0, value});
      t.true(revision > last, `${revision} after ${last}`);
      last = revision;
      written.push(revision);
      t.true((await other.revision(0)) >= revision);
      took.push(performance.now() - begun);
    }
  };
  const writers = Promise.all(Array.from({length: 8}, (_, writer) => write(writer)));
  for (let shard = 0; shard < 6; shard++) {
    const {head} = new Placement('namespaces', 6).keysOf('orch', shard);
    const move = await cluster.beginMove(head, ((await cluster.ownerOf(head)) + 1) % 3);
    await move.moveKeys(5);
    await move.finish();
  }
  isMoving = false;
  await writers;
  written.sort((a, b) => a - b);
  t.is(new Set(written).size, written.length);
  const late = took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.99)]!;
  t.log(`${took.length} writes, each then read elsewhere: 99 of 100 within ${late.toFixed(0)} ms`);
  // A machine that others use takes its time; a write that stood still while slots move would take the command's whole time.
  t.true(late < 5000, `${late} ms`);
  for (const recorder of recorders) {
    await recorder.reached(written.at(-1)!);
    t.deepEqual(recorder.revisions, written);
    t.deepEqual(recorder.ends, []);
  }
  t.is([...(await two.list('things')).records].length, written.length);
});

test('while one primary is away, writes to other shards take effect, the latest state is refused, and followers go on when it is back', async (t) => {
  const cluster = await startRedisCluster(t, 3, ['--cluster-require-full-coverage', 'no']);
  const store = await openFor(t, `redis://${cluster.addresses}?cluster=1&shards=4`, {config: {commandMillis: 1500}});
  const recorder = new FollowRecorder();
  await store.follow(0, 0, recorder);
  const keys = Array.from({length: 8}, (_, index) => `space${index}/one`);
  const created = await Promise.all(keys.map((key) => store.commit({type: 'things', key, expected: 0, value})));
  const placement = new Placement('namespaces', 4);
  const owners = await Promise.all(keys.map((key) => cluster.ownerOf(placement.keysOf('orch', placement.shardOf('things', key)).head)));
  const there = owners.indexOf(0);
  await cluster.nodes[1]!.kill('SIGSTOP');
  const written = await store.commit({type: 'things', key: keys[there]!, expected: created[there]!, value});
  // Twice, so that what the follower waits for has failed as well, and nothing but it would ask again.
  for (let time = 0; time < 2; time++) t.like(await t.throwsAsync(Promise.resolve(store.revision(0))), {code: 'Unavailable'});
  t.is((await store.read('things', keys[there]!))?.revision, written);
  t.is(recorder.revisions.filter((revision) => revision > written - 1).length, 0, 'it is not shown before all shards have come so far');
  await cluster.nodes[1]!.kill('SIGCONT');
  await recorder.reached(written);
  t.deepEqual(
    recorder.revisions,
    [...created, written].toSorted((a, b) => a - b),
  );
  t.deepEqual(recorder.ends, []);
  await until('the latest state is read', () =>
    Promise.resolve(store.revision(0)).then(
      (revision) => revision >= written,
      () => false,
    ),
  );
});
