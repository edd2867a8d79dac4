import test from 'ava';
import {StoreError} from '@orch-api/orch/sdk';
import {startRedis} from '../../../helpers/redis-server.js';
import {until} from '../../../helpers/eventually.js';
import {FollowRecorder} from './follow-recorder.js';
import {drivers, openFor, openStore, RecordingLogger} from './open-store.js';

const value = Buffer.from('x');

for (const driver of drivers) {
  test.serial(
    `${driver}: no event is lost or repeated, and nothing answered is lost, when Redis is killed and restarted with its append-only file`,
    async (t) => {
      const server = await startRedis(t, {appendonly: true});
      const [one, two] = await Promise.all([openFor(t, `${server.url}?driver=${driver}`), openFor(t, `${server.url}?driver=${driver}`)]);
      const recorders = [new FollowRecorder(), new FollowRecorder()];
      await one.follow(0, 0, recorders[0]!);
      await two.follow(0, 0, recorders[1]!);
      const answered = new Map<number, string>();
      const refused = new Set<string>();
      let working = true;
      const writers = Array.from({length: 8}, async (_, writer) => {
        for (let round = 0; working; round++) {
          const key = `${writer}/${round}`;
          try {
            answered.set(await (writer % 2 === 0 ? one : two).commit({type: 'things', key, expected: 0, value}), key);
          } catch (error) {
            t.true(StoreError.is(error) && error.code === 'Unavailable', String(error));
            if (!(error as StoreError).indeterminate) refused.add(key);
          }
        }
      });
      for (let restarts = 0; restarts < 3; restarts++) {
        const count = answered.size;
        await until('commits are answered', () => answered.size > count + 100);
        await server.restart();
      }
      const count = answered.size;
      await until('commits are answered again', () => answered.size > count + 100);
      working = false;
      await Promise.all(writers);

      const last = await one.revision(0);
      for (const recorder of recorders) {
        await recorder.reached(last);
        t.deepEqual(
          recorder.revisions,
          Array.from({length: last}, (_, index) => index + 1),
        );
        t.deepEqual(recorder.ends, []);
        const keys = new Map(recorder.entries.map(({revision, key}) => [revision, key]));
        t.deepEqual(
          [...answered].filter(([revision, key]) => keys.get(revision) !== key),
          [],
        );
        t.deepEqual(
          [...keys.values()].filter((key) => refused.has(key)),
          [],
        );
      }
      const records = [...(await two.list('things')).records];
      t.is(records.length, last);
    },
  );

  test.serial(`${driver}: opening without Redis fails with one clear sentence`, async (t) => {
    const server = await startRedis(t);
    await server.stop();
    await t.throwsAsync(openStore(`${server.url}?driver=${driver}`), {
      message: `Redis at 127.0.0.1:${server.port} cannot be reached: connect ECONNREFUSED 127.0.0.1:${server.port}`,
    });
    await t.throwsAsync(openStore(`redis://does-not-exist.invalid:1?driver=${driver}`), {
      message: /^Redis at does-not-exist\.invalid:1 cannot be reached: getaddrinfo (ENOTFOUND|EAI_AGAIN) does-not-exist\.invalid$/,
    });
  });

  test.serial(`${driver}: while Redis is away requests are refused soon as Unavailable, and recover by themselves`, async (t) => {
    const server = await startRedis(t, {appendonly: true});
    const logger = new RecordingLogger();
    const store = await openFor(t, `${server.url}?driver=${driver}`, {logger});
    const recorder = new FollowRecorder();
    await store.follow(0, 0, recorder);
    const first = await store.commit({type: 'things', key: 'one', expected: 0, value});
    await recorder.reached(first);
    await server.stop();

    const calls: Record<string, () => unknown> = {
      read: () => store.read('things', 'one'),
      list: () => store.list('things'),
      history: () => store.history('things'),
      revision: () => store.revision(0),
      commit: () => store.commit({type: 'things', key: 'two', expected: 0, value}),
      follow: () => store.follow(0, 0, new FollowRecorder()),
      compact: () => store.compact(0, 0),
      ping: () => store.ping(),
    };
    for (const pass of ['at once', 'later']) {
      const started = performance.now();
      await Promise.all(
        Object.entries(calls).map(async ([name, call]) => {
          const error = await t.throwsAsync<StoreError>(async () => call(), {instanceOf: StoreError}, name);
          t.is(error.code, 'Unavailable', name);
          t.regex(error.message, /^Redis at 127\.0\.0\.1:\d+ cannot be reached: connect ECONNREFUSED/, name);
          // At first the connection may not have been noticed to be broken.
          if (pass === 'later') t.false(error.indeterminate, name);
        }),
      );
      const elapsed = performance.now() - started;
      t.true(elapsed < (pass === 'later' ? 1000 : 4000), `${pass}: ${elapsed} ms`);
    }
    t.is(logger.lines.filter((line) => line.startsWith('warn')).length, 1, 'one warning, not one for each connection or attempt');

    await server.start();
    await until('the store recovers', () =>
      store.ping().then(
        () => true,
        () => false,
      ),
    );
    await until('all connections are there', () => logger.lines.at(-1)?.startsWith('info connected to Redis at ') ?? false);
    t.is(logger.lines.length, 2, 'one sentence when it is back');
    t.is((await store.read('things', 'one'))?.revision, first);
    const second = await store.commit({type: 'things', key: 'two', expected: 0, value});
    await recorder.reached(second);
    t.deepEqual(recorder.revisions, [first, second]);
    t.deepEqual(recorder.ends, []);
  });

  test.serial(`${driver}: while Redis is paused requests are refused as Unavailable; a commit under way is indeterminate`, async (t) => {
    const server = await startRedis(t);
    const store = await openFor(t, `${server.url}?driver=${driver}`);
    await server.kill('SIGSTOP');
    const started = performance.now();
    const [reading, committing] = await Promise.allSettled([
      store.read('things', 'one'),
      store.commit({type: 'things', key: 'one', expected: 0, value}),
    ]);
    t.true(performance.now() - started < 4000, `${performance.now() - started} ms`);
    for (const result of [reading, committing])
      t.true(result.status === 'rejected' && StoreError.is(result.reason) && result.reason.code === 'Unavailable');
    t.true(committing.status === 'rejected' && (committing.reason as StoreError).indeterminate);
    await server.kill('SIGCONT');
    await until('the store recovers', () =>
      store.ping().then(
        () => true,
        () => false,
      ),
    );
    t.is(typeof (await store.commit({type: 'things', key: 'two', expected: 0, value})), 'number');
  });
}
