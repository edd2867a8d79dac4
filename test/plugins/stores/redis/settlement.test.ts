import test from 'ava';
import {setTimeout as sleep} from 'node:timers/promises';
import {StoreError} from '@orch-api/orch/sdk';
import {startRedis} from '../../../helpers/redis-server.js';
import {until} from '../../../helpers/eventually.js';
import {FollowRecorder} from './follow-recorder.js';
import {drivers, openFor} from './open-store.js';
import {TcpProxy} from './tcp-proxy.js';

const log = 'orch:{orch.0}:log';
const change = {type: 'things', key: 'one', expected: 0, value: Buffer.from('x')};

for (const driver of drivers) {
  test(`${driver}: a commit whose answer is lost is answered with its revision and made once`, async (t) => {
    const server = await startRedis(t);
    const proxy = await TcpProxy.start(t, server.port);
    const admin = server.client();
    const store = await openFor(t, `${proxy.url}?driver=${driver}`);
    await store.commit({...change, key: 'before'});

    proxy.dropReplies = true;
    const commits = Array.from({length: 20}, (_, index) => store.commit({...change, key: `k${index}`}));
    await until('Redis has made the commits', async () => (await admin.xlen(log)) === 21);
    proxy.dropReplies = false;
    proxy.cut();

    t.deepEqual(
      await Promise.all(commits),
      Array.from({length: 20}, (_, index) => index + 2),
    );
    t.is(await admin.xlen(log), 21);
  });

  test(`${driver}: a commit that did not reach Redis is sent again, and the first one is refused when it arrives late`, async (t) => {
    const server = await startRedis(t);
    const proxy = await TcpProxy.start(t, server.port);
    const admin = server.client();
    const store = await openFor(t, `${proxy.url}?driver=${driver}`);
    await store.commit({...change, key: 'before'});

    proxy.holdRequests = true;
    const commit = store.commit(change);
    await until('the commit is on its way', () => proxy.heldBytes > 0);
    proxy.holdRequests = false;
    proxy.cut();
    const revision = await commit;
    t.is(await admin.xlen(log), 2);

    // Deleted, so that the late create would find nothing in its way.
    const deleted = await store.commit({...change, expected: revision, value: null});
    const calls = async (): Promise<number> => Number(/cmdstat_evalsha:calls=(\d+)/.exec(await admin.info('commandstats'))?.[1]);
    const before = await calls();
    proxy.release();
    await until('the late commit has arrived', async () => (await calls()) > before);
    t.is(await store.read('things', 'one'), undefined);
    t.is(await store.revision(0), deleted);
    t.is(await admin.xlen(log), 3);
  });

  test(`${driver}: a commit is reported as indeterminate, within the time limit, when Redis does not come back`, async (t) => {
    const server = await startRedis(t);
    const proxy = await TcpProxy.start(t, server.port);
    const admin = server.client();
    const store = await openFor(t, `${proxy.url}?driver=${driver}`);
    await store.commit({...change, key: 'before'});

    proxy.dropReplies = true;
    proxy.refuse = true;
    const started = performance.now();
    const commit = store.commit(change);
    await until('Redis has made the commit', async () => (await admin.xlen(log)) === 2);
    proxy.cut();
    const error = await t.throwsAsync<StoreError>(commit, {
      instanceOf: StoreError,
      message: /^Redis at 127\.0\.0\.1:\d+ cannot be reached: .*unknown$/,
    });
    t.is(error.code, 'Unavailable');
    t.true(error.indeterminate);
    t.true(performance.now() - started < 4000);

    const refused = await t.throwsAsync<StoreError>(store.commit({...change, key: 'two'}), {instanceOf: StoreError});
    t.false(refused.indeterminate, 'a commit that was never sent is known to have had no effect');

    proxy.dropReplies = false;
    proxy.refuse = false;
    await until('the store recovers', () =>
      store.ping().then(
        () => true,
        () => false,
      ),
    );
    t.is((await store.read('things', 'one'))?.value.toString(), 'x');
  });

  test(`${driver}: a connection that falls silent is replaced, for requests and for followers`, async (t) => {
    const server = await startRedis(t);
    const proxy = await TcpProxy.start(t, server.port);
    const store = await openFor(t, `${proxy.url}?driver=${driver}`, {config: {commandMillis: 3000}});
    const other = await openFor(t, server.url);
    const recorder = new FollowRecorder();
    await store.follow(0, 0, recorder);
    await recorder.reached(await other.commit({...change, key: 'before'}));

    proxy.silence();
    t.is((await store.read('things', 'before'))?.revision, 1);
    await recorder.reached(await other.commit(change));
    t.deepEqual(recorder.revisions, [1, 2]);
    t.deepEqual(recorder.ends, []);
  });

  test(`${driver}: a follower does not wait for its own patience where a request had no answer`, async (t) => {
    const server = await startRedis(t);
    const proxy = await TcpProxy.start(t, server.port);
    const store = await openFor(t, `${proxy.url}?driver=${driver}`);
    const other = await openFor(t, server.url);
    const recorder = new FollowRecorder();
    await store.follow(0, 0, recorder);
    // From now on it waits for entries, for seconds.
    await recorder.reached(await other.commit({...change, key: 'before'}));
    proxy.silence();
    await store.read('things', 'before');
    const began = performance.now();
    await recorder.reached(await other.commit(change));
    const delay = performance.now() - began;
    t.true(delay < 3000, `${delay.toFixed(0)} ms`);
    t.deepEqual(recorder.ends, []);
  });

  test(`${driver}: a Redis with nothing to tell is asked for something once in five seconds`, async (t) => {
    const server = await startRedis(t);
    const store = await openFor(t, `${server.url}?driver=${driver}`);
    await store.follow(0, 0, new FollowRecorder());
    const admin = server.client();
    const calls = async (command: string) =>
      Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(await admin.info('commandstats'))?.[1] ?? 0);
    await until('it waits for entries', async () => (await calls('xread')) > 0);
    const before = [await calls('xread'), await calls('evalsha')];
    await sleep(5500);
    const [reads, scripts] = [await calls('xread'), await calls('evalsha')];
    t.is(reads! - before[0]!, 1);
    // The history is cut four times a minute, which may be just then.
    t.true(scripts! - before[1]! >= 1 && scripts! - before[1]! <= 2, `${scripts! - before[1]!} scripts`);
  });

  // By itself: it makes as many commits as the processor allows, and the others look at times.
  test.serial(`${driver}: commits are made exactly once and answered truly while connections are cut`, async (t) => {
    const server = await startRedis(t);
    const admin = server.client();
    const store = await openFor(t, `${server.url}?driver=${driver}`);
    const revisions = new Map<string, number>();
    let working = true;
    const writers = Promise.all(
      Array.from({length: 16}, async (_, writer) => {
        for (let round = 0; round < 150; round++) {
          const key = `${writer}/${round}`;
          revisions.set(key, await store.commit({...change, key}));
        }
      }),
    ).finally(() => (working = false));
    let cuts = 0;
    while (working) {
      const count = revisions.size;
      await until('commits are answered', () => !working || revisions.size > count + 20);
      await admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
      cuts++;
    }
    await writers;
    t.true(cuts > 3, `${cuts} cuts`);
    // The last cut may still be felt.
    const {entries} = await until('the history can be read', () => store.history('things').catch(() => undefined));
    t.deepEqual(
      entries.map(({key, revision}) => [key, revision]),
      [...revisions].toSorted((a, b) => a[1] - b[1]),
    );
    t.is(entries.length, 16 * 150);
  });
}
