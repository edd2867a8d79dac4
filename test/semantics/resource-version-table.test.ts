import type {ExecutionContext} from 'ava';
import type {TestClient} from '@orch-api/orch/testing';
import {testOnEachStore} from '../helpers/each-store.js';
import {answer, assertFailure} from './answers.js';
import {configMap, namesOf, withFixtures, type ReadList, type ReadObject} from './fixtures.js';

const eachStore = testOnEachStore(withFixtures);

interface History {
  readonly collection: string;
  /** Version of the collection with a, b and c at their first state. */
  readonly early: string;
  /** Version of the collection with a (changed), c and d. */
  readonly late: string;
}

/** A collection that has been changed: a version of it in the past, and the present one. */
async function history(t: ExecutionContext, client: TestClient, collection: string): Promise<History> {
  for (const name of ['a', 'b', 'c']) answer(t, await client.post(collection, configMap(name, {state: 'first'})), 201);
  const early = answer<ReadList>(t, await client.get(collection), 200).metadata.resourceVersion;
  answer(t, await client.patch(`${collection}/a`, {data: {state: 'second'}}), 200);
  answer(t, await client.delete(`${collection}/b`), 200);
  answer(t, await client.post(collection, configMap('d', {state: 'first'})), 201);
  const late = answer<ReadList>(t, await client.get(collection), 200).metadata.resourceVersion;
  return {collection, early, late};
}

const version = (list: ReadList) => BigInt(list.metadata.resourceVersion);
const stateOfA = (list: ReadList) => list.items.find(({metadata}) => metadata.name === 'a')?.data?.['state'];

eachStore(
  'get without a version is the most recent state, with a version one that is not older [A-RVS-1] [A-RVS-3]',
  async (t, {client, path}) => {
    const {collection, early, late} = await history(t, client, path('configmaps'));
    for (const query of ['', '?resourceVersion=', `?resourceVersion=${early}`, `?resourceVersion=${late}`]) {
      const read = answer<ReadObject>(t, await client.get(`${collection}/a${query}`), 200);
      t.is(read.data?.['state'], 'second', query);
      assertFailure(t, await client.get(`${collection}/b${query}`), 404, 'NotFound');
    }
  },
);

eachStore('get and list at version 0 answer some version at once [A-RVS-2] [A-RVS-5] [A-RVS-8] [A-RVS-17]', async (t, {client, path}) => {
  const {collection} = await history(t, client, path('configmaps'));
  const read = answer<ReadObject>(t, await client.get(`${collection}/a?resourceVersion=0`), 200);
  t.true(['first', 'second'].includes(read.data!['state']!));
  for (const query of [
    'resourceVersion=0',
    'resourceVersion=0&limit=2',
    'resourceVersion=0&resourceVersionMatch=NotOlderThan',
    'resourceVersion=0&resourceVersionMatch=NotOlderThan&limit=2',
  ]) {
    const list = answer<ReadList>(t, await client.get(`${collection}?${query}`), 200);
    t.regex(list.metadata.resourceVersion, /^\d+$/);
    if (query.includes('limit')) t.true(list.items.length <= 2);
  }
});

eachStore(
  'list without a version is the most recent state, with and without limit [A-RVS-4] [A-RVS-7] [A-RVS-20]',
  async (t, {client, path}) => {
    const {collection, late} = await history(t, client, path('configmaps'));
    const list = answer<ReadList>(t, await client.get(collection), 200);
    t.deepEqual(namesOf(list), ['a', 'c', 'd']);
    t.is(stateOfA(list), 'second');
    const part = answer<ReadList>(t, await client.get(`${collection}?limit=2`), 200);
    t.deepEqual(namesOf(part), ['a', 'c']);
    t.true(version(list) >= BigInt(late) && version(part) >= BigInt(late));
    for (let round = 0; round < 10; round++) {
      answer(t, await client.post(collection, configMap(`e-${round}`)), 201);
      t.is(answer<ReadList>(t, await client.get(collection), 200).items.length, 4 + round);
    }
  },
);

eachStore('list at a version without a limit is not older than it [A-RVS-6] [A-RVS-18]', async (t, {client, path}) => {
  const {collection, early, late} = await history(t, client, path('configmaps'));
  for (const match of ['', '&resourceVersionMatch=NotOlderThan']) {
    for (const asked of [early, late]) {
      const list = answer<ReadList>(t, await client.get(`${collection}?resourceVersion=${asked}${match}`), 200);
      t.true(version(list) >= BigInt(asked));
    }
    t.deepEqual(namesOf(answer<ReadList>(t, await client.get(`${collection}?resourceVersion=${late}${match}`), 200)), ['a', 'c', 'd']);
  }
});

eachStore('list at a version with a limit is exactly that version [A-RVS-9] [A-RVS-15]', async (t, {client, path}) => {
  const {collection, early} = await history(t, client, path('configmaps'));
  for (const match of ['', '&resourceVersionMatch=Exact']) {
    const first = answer<ReadList>(t, await client.get(`${collection}?resourceVersion=${early}&limit=2${match}`), 200);
    t.is(first.metadata.resourceVersion, early);
    t.deepEqual(namesOf(first), ['a', 'b']);
    t.is(stateOfA(first), 'first');
    const rest = answer<ReadList>(t, await client.get(`${collection}?limit=2&continue=${first.metadata.continue}`), 200);
    t.is(rest.metadata.resourceVersion, early);
    t.deepEqual(namesOf(rest), ['c']);
    t.falsy(rest.metadata.continue);
  }
});

eachStore('list at exactly a version shows the collection as it was then, and says so [A-RVS-14]', async (t, {client, path}) => {
  const {collection, early, late} = await history(t, client, path('configmaps'));
  const exactly = (asked: string) => client.get(`${collection}?resourceVersion=${asked}&resourceVersionMatch=Exact`);
  const then = answer<ReadList>(t, await exactly(early), 200);
  t.is(then.metadata.resourceVersion, early);
  t.deepEqual(namesOf(then), ['a', 'b', 'c']);
  t.is(stateOfA(then), 'first');
  const now = answer<ReadList>(t, await exactly(late), 200);
  t.is(now.metadata.resourceVersion, late);
  t.deepEqual(namesOf(now), ['a', 'c', 'd']);
});

eachStore(
  'a token continues at its version, also beside version 0, and not beside another one [A-RVS-10] [A-RVS-11] [A-RVS-12] [B-ERR-2]',
  async (t, {client, path}) => {
    const {collection, late} = await history(t, client, path('configmaps'));
    const first = answer<ReadList>(t, await client.get(`${collection}?limit=1`), 200);
    answer(t, await client.patch(`${collection}/c`, {data: {state: 'second'}}), 200);
    answer(t, await client.delete(`${collection}/d`), 200);
    const token = first.metadata.continue!;
    for (const query of ['', '&resourceVersion=', '&resourceVersion=0']) {
      const next = answer<ReadList>(t, await client.get(`${collection}?limit=1&continue=${token}${query}`), 200);
      t.deepEqual(namesOf(next), ['c'], query);
      t.is(next.items[0]!.data?.['state'], 'first');
      t.is(next.metadata.resourceVersion, first.metadata.resourceVersion);
      const rest = answer<ReadList>(t, await client.get(`${collection}?limit=5&continue=${next.metadata.continue}`), 200);
      t.deepEqual(namesOf(rest), ['d']);
    }
    for (const asked of [late, '1', first.metadata.resourceVersion]) {
      assertFailure(t, await client.get(`${collection}?limit=1&continue=${token}&resourceVersion=${asked}`), 400, 'BadRequest', /continue/);
      assertFailure(t, await client.get(`${collection}?continue=${token}&resourceVersion=${asked}`), 400, 'BadRequest', /continue/);
    }
  },
);

eachStore(
  'resourceVersionMatch is refused where it means nothing, and with a value that is none [A-RVS-13] [A-RVS-16] [A-QP-12]',
  async (t, {client, path}) => {
    const {collection, early} = await history(t, client, path('configmaps'));
    const token = answer<ReadList>(t, await client.get(`${collection}?limit=1`), 200).metadata.continue!;
    for (const limit of ['', '&limit=1']) {
      for (const query of [
        'resourceVersionMatch=Exact',
        'resourceVersionMatch=Exact&resourceVersion=',
        'resourceVersionMatch=Exact&resourceVersion=0',
        'resourceVersionMatch=NotOlderThan',
        `resourceVersionMatch=Newest&resourceVersion=${early}`,
        `resourceVersionMatch=exact&resourceVersion=${early}`,
        `watch=1&resourceVersionMatch=Exact&resourceVersion=${early}`,
        `resourceVersionMatch=Exact&resourceVersion=${early}&continue=${token}`,
      ]) {
        const status = assertFailure(t, await client.get(`${collection}?${query}${limit}`), 422, 'Invalid', /resourceVersionMatch/);
        t.true(
          status.details?.causes?.some(({field}) => field === 'resourceVersionMatch'),
          query,
        );
      }
    }
    answer(t, await client.get(`${collection}?resourceVersionMatch=&resourceVersion=${early}`), 200);
  },
);

eachStore(
  'with NotOlderThan and a limit the collection is not older than asked for, and its token continues it [A-RVS-19]',
  async (t, {client, path}) => {
    const {collection, early, late} = await history(t, client, path('configmaps'));
    for (const asked of [early, late]) {
      const first = answer<ReadList>(
        t,
        await client.get(`${collection}?resourceVersion=${asked}&resourceVersionMatch=NotOlderThan&limit=1`),
        200,
      );
      t.true(version(first) >= BigInt(asked));
      t.is(first.items.length, 1);
      const rest = answer<ReadList>(t, await client.get(`${collection}?continue=${first.metadata.continue}`), 200);
      t.is(rest.metadata.resourceVersion, first.metadata.resourceVersion);
    }
  },
);

eachStore(
  'a version that the server does not know yet is waited for a little, then answered with 504, Retry-After and what is wrong [A-RVS-27] [A-RVS-28] [B-ERR-6]',
  async (t, {client, path}) => {
    const {collection, late} = await history(t, client, path('configmaps'));
    const far = BigInt(late) + 1_000_000n;
    const started = performance.now();
    const queries = [
      `/a?resourceVersion=${far}`,
      `?resourceVersion=${far}`,
      `?resourceVersion=${far}&limit=1`,
      `?resourceVersion=${far}&resourceVersionMatch=Exact`,
      `?resourceVersion=${far}&resourceVersionMatch=NotOlderThan`,
    ];
    await Promise.all(
      queries.map(async (query) => {
        const response = await client.get(collection + query);
        const status = assertFailure(t, response, 504, 'Timeout', /^Timeout: Too large resource version: \d+, current: \d+$/);
        t.deepEqual(status.details?.causes, [{reason: 'ResourceVersionTooLarge', message: 'Too large resource version'}]);
        t.is(status.details?.retryAfterSeconds, 1);
        t.is(response.headers['retry-after'], '1');
      }),
    );
    t.true(performance.now() - started < 30_000);
  },
);

eachStore('a version that is reached while a read waits for it is answered at once', async (t, {start}) => {
  const {client} = await start();
  const {collection, late} = await history(t, client, '/api/v1/namespaces/default/configmaps');
  const soon = BigInt(late) + 8n;
  const waiting = client.get(`${collection}?resourceVersion=${soon}`);
  for (let last = 0n; last < soon;)
    last = BigInt(answer<ReadObject>(t, await client.patch(`${collection}/a`, {data: {last: String(last)}}), 200).metadata.resourceVersion);
  t.true(version(answer<ReadList>(t, await waiting, 200)) >= soon);
});

eachStore('a version that is no number is refused', async (t, {client, path}) => {
  const collection = path('configmaps');
  for (const bad of ['abc', '-1', '1.5', '1e3', '0x10', '99999999999999999999', '1 ']) {
    for (const target of [`${collection}/a`, collection]) {
      assertFailure(t, await client.get(`${target}?resourceVersion=${encodeURIComponent(bad)}`), 400, 'BadRequest', /resourceVersion/);
    }
    assertFailure(
      t,
      await client.get(`${collection}?watch=1&resourceVersion=${encodeURIComponent(bad)}`),
      400,
      'BadRequest',
      /resourceVersion/,
    );
  }
});
