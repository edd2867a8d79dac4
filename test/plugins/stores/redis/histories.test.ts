import test from 'ava';
import {startRedis} from '../../../helpers/redis-server.js';
import {openFor} from './open-store.js';

const types = Array.from({length: 30}, (_, index) => `type${index}`);
const writes = 1200;

test('histories that are asked for together are read in few passes over the log, and each has the entries of its type', async (t) => {
  const server = await startRedis(t);
  const store = await openFor(t, server.url);
  const revisions = new Map<string, number[]>(types.map((type) => [type, []]));
  for (let write = 0; write < writes; write += types.length) {
    await Promise.all(
      types.map(async (type) => {
        const revision = await store.commit({type, key: `k${write}`, expected: 0, value: Buffer.from(type)});
        revisions.get(type)!.push(revision);
      }),
    );
  }
  const admin = server.client();
  const scriptsRun = async () => Number(/cmdstat_evalsha:calls=(\d+)/.exec(await admin.info('commandstats'))?.[1] ?? 0);
  const before = await scriptsRun();
  const histories = await Promise.all([...types, 'none'].map((type) => store.history(type)));
  // Three pages for each of two passes, and the values of each type; now and then the store looks whether Redis is still the same.
  const run = (await scriptsRun()) - before;
  t.true(run < 2 * 3 + types.length + 20, `${run} scripts`);
  for (const [index, type] of types.entries()) {
    const {entries} = histories[index]!;
    t.deepEqual(
      entries.map(({revision}) => revision),
      revisions.get(type)!.toSorted((a, b) => a - b),
    );
    t.true(entries.every((entry) => entry.type === type && String(entry.value) === type));
  }
  t.deepEqual(histories.at(-1)!.entries, []);
});

test('a history has all that was written before it was asked for, also while others are being read', async (t) => {
  const server = await startRedis(t);
  const store = await openFor(t, server.url);
  const histories: Promise<void>[] = [];
  for (let write = 0; write < 200; write++) {
    const revision = await store.commit({type: 'things', key: `k${write}`, expected: 0, value: Buffer.from('x')});
    histories.push(
      store.history('things').then((history) => {
        t.true(history.revision >= revision);
        t.true(history.entries.some((entry) => entry.revision === revision));
      }),
      store.history(`other${write}`).then(({entries}) => void t.deepEqual(entries, [])),
    );
  }
  await Promise.all(histories);
});
