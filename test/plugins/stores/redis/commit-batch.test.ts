import test from 'ava';
import {StoreError} from '@orch-api/orch/sdk';
import {startRedis} from '../../../helpers/redis-server.js';
import {drivers, openFor} from './open-store.js';

const value = Buffer.from('x');

for (const driver of drivers) {
  test(`${driver}: changes of one turn to a type are one command, and each is made or refused for itself`, async (t) => {
    const server = await startRedis(t);
    const admin = server.client();
    const store = await openFor(t, `${server.url}?driver=${driver}`);
    const first = await store.commit({type: 'things', key: 'there', expected: 0, value});
    const calls = async (): Promise<number> => Number(/cmdstat_evalsha:calls=(\d+)/.exec(await admin.info('commandstats'))?.[1]);
    const before = await calls();
    const outcomes = await Promise.allSettled([
      store.commit({type: 'things', key: 'one', expected: 0, value}),
      store.commit({type: 'things', key: 'there', expected: 0, value}),
      store.commit({type: 'things', key: 'missing', expected: first, value}),
      store.commit({type: 'things', key: 'one', expected: first, value}),
      store.commit({type: 'things', key: 'there', expected: first, value}),
      store.commit({type: 'things', key: 'there', expected: first + 2, value}),
    ]);
    t.is(await calls(), before + 1);
    const what = outcomes.map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as StoreError).code));
    t.deepEqual(what, [first + 1, 'Exists', 'Missing', 'Mismatch', first + 2, first + 3]);
    t.is((await store.read('things', 'there'))?.revision, first + 3);
    t.is((await store.list('things')).revision, first + 3);
  });

  test(`${driver}: changes of one turn take effect in their order, whatever their types, guards and number`, async (t) => {
    const server = await startRedis(t);
    const store = await openFor(t, `${server.url}?driver=${driver}`);
    const guard = {type: 'leaders', key: 'one', revision: await store.commit({type: 'leaders', key: 'one', expected: 0, value})};
    const gone = await store.commit({type: 'things', key: 'gone', expected: 0, value});
    const commits: Promise<number>[] = [];
    for (let index = 0; index < 40; index += 1) {
      commits.push(store.commit({type: 'things', key: `t${index}`, expected: 0, value}));
      if (index % 3 === 0) commits.push(store.commit({type: 'others', key: `o${index}`, expected: 0, value}));
      if (index % 5 === 0) commits.push(store.commit({type: 'things', key: `g${index}`, expected: 0, value, guard}));
    }
    commits.push(store.commit({type: 'things', key: 'gone', expected: gone, value: null}));
    const revisions = await Promise.all(commits);
    t.deepEqual(
      revisions,
      revisions.map((_, index) => gone + 1 + index),
    );
    const stale = {...guard, revision: guard.revision + 1};
    const error = await t.throwsAsync(store.commit({type: 'things', key: 'late', expected: 0, value, guard: stale}));
    t.true(StoreError.is(error) && error.code === 'Fenced');
  });

  test(`${driver}: a change of one turn is refused when one before it has changed what guards both`, async (t) => {
    const server = await startRedis(t);
    const store = await openFor(t, `${server.url}?driver=${driver}`);
    const revision = await store.commit({type: 'leaders', key: 'one', expected: 0, value});
    const guard = {type: 'leaders', key: 'one', revision};
    const [first, second] = await Promise.allSettled([
      store.commit({type: 'leaders', key: 'one', expected: revision, value, guard}),
      store.commit({type: 'leaders', key: 'two', expected: 0, value, guard}),
    ]);
    t.is(first.status, 'fulfilled');
    t.is(second.status === 'rejected' ? (second.reason as StoreError).code : undefined, 'Fenced');
  });
}
