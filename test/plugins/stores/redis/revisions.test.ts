import test from 'ava';
import type {Redis} from 'ioredis';
import {until} from '../../../helpers/eventually.js';
import {startRedis} from '../../../helpers/redis-server.js';
import {drivers, openFor} from './open-store.js';

/** How often Redis was asked for a revision so far. */
async function questions(client: Redis): Promise<number> {
  return Number(/cmdstat_hmget:calls=(\d+)/.exec(await client.info('commandstats'))?.[1] ?? 0);
}

for (const driver of drivers) {
  test(`${driver}: calls for the revision that come in one turn share a question; none gets the answer to one that was asked before`, async (t) => {
    const server = await startRedis(t);
    const url = `${server.url}?driver=${driver}`;
    const [store, other] = [await openFor(t, url), await openFor(t, url)];
    const client = server.client();
    await store.revision(0);
    const before = await questions(client);
    const together = await Promise.all(Array.from({length: 50}, async () => store.revision(0)));
    t.is(new Set(together).size, 1);
    t.is((await questions(client)) - before, 1);

    // Each is called in a turn of its own, behind an answered commit of somebody else, while the ones before are under way.
    const late: Promise<unknown>[] = [];
    for (let index = 0; index < 50; index++) {
      const committed = await other.commit({type: 'things', key: `k${index}`, expected: 0, value: Buffer.from('x')});
      late.push(
        Promise.resolve(store.revision(0)).then((revision) => t.true(revision >= committed, `${revision} is older than ${committed}`)),
      );
      if (index % 3 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(late);
  });

  test(`${driver}: reads do not wait behind commits that Redis has not answered`, async (t) => {
    const server = await startRedis(t);
    const store = await openFor(t, `${server.url}?driver=${driver}`, {config: {commandMillis: 60_000}});
    const first = await store.commit({type: 'things', key: 'one', expected: 0, value: Buffer.from('x')});
    const admin = server.client();
    // Redis holds back what writes, and each connection with it that has sent such a thing; for less than the 30 s after which that counts as dead.
    await admin.call('CLIENT', 'PAUSE', '20000', 'WRITE');
    let answered = false;
    const commit = Promise.resolve(store.commit({type: 'things', key: 'two', expected: 0, value: Buffer.from('x')})).then((revision) => {
      answered = true;
      return revision;
    });
    await until('the commit is held back', async () => /blocked_clients:[1-9]/.test(await admin.info('clients')));
    t.is(await store.revision(0), first);
    t.false(answered);
    await admin.call('CLIENT', 'UNPAUSE');
    t.is(await commit, first + 1);
    t.is(await store.revision(0), first + 1);
  });
}
