import {setTimeout as sleep} from 'node:timers/promises';
import type {ExecutionContext} from 'ava';
import type {WatchEvent} from '@orch-api/orch/sdk';
import type {TestClient} from '@orch-api/orch/testing';
import {testOnEachStore} from '../helpers/each-store.js';
import {answer, assertFailure, type Failure} from './answers.js';
import {configMap, namesOf, type ReadList, type ReadObject} from './fixtures.js';

const collection = '/api/v1/namespaces/default/configmaps';
const historyMillis = 1_000;
const eachStore = testOnEachStore();

/** Writes until the server has dropped what is as old as `version`: watches from there are refused then. */
async function untilForgotten(t: ExecutionContext, client: TestClient, version: string): Promise<Failure> {
  for (let round = 0; round < 100; round++) {
    await client.patch(`${collection}/a`, {data: {round: String(round)}});
    await sleep(50);
    const response = await client.get(
      `${collection}?watch=1&timeoutSeconds=1&resourceVersion=${version}&fieldSelector=metadata.name%3Dnone`,
      {
        signal: AbortSignal.timeout(5_000),
      },
    );
    if (response.status !== 200) return assertFailure(t, response, 410, 'Expired', /too old resource version/);
  }
  throw new Error(`${version} is still served after 100 rounds`);
}

eachStore(
  'after the time that history is kept, watches and exact lists from before and continue tokens are answered with 410 [A-WATCH-4] [A-RVS-21] [A-CHUNK-4]',
  async (t, context) => {
    const {client} = await context.start({historyMillis});
    for (const name of ['a', 'b', 'c']) answer(t, await client.post(collection, configMap(name, {state: 'first'})), 201);
    const first = answer<ReadList>(t, await client.get(`${collection}?limit=1`), 200);
    const {resourceVersion, continue: token} = first.metadata;
    answer(t, await client.delete(`${collection}/b`), 200);
    // Within the time all of it is served.
    t.deepEqual(namesOf(answer(t, await client.get(`${collection}?limit=1&continue=${token}`), 200)), ['b']);
    t.deepEqual(namesOf(answer(t, await client.get(`${collection}?resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`), 200)), [
      'a',
      'b',
      'c',
    ]);
    t.is((await client.get(`${collection}?watch=1&timeoutSeconds=1&resourceVersion=${resourceVersion}`)).status, 200);

    await untilForgotten(t, client, resourceVersion);
    // Clients that ask for bookmarks are told by an event, as Kubernetes tells all (client-go's RetryWatcher tries for ever otherwise).
    const told: WatchEvent[] = [];
    for await (const event of client.watch(`${collection}?watch=1&allowWatchBookmarks=true&resourceVersion=${resourceVersion}`))
      told.push(event);
    t.deepEqual(
      told.map(({type, object}) => [type, object['code'], object['reason']]),
      [['ERROR', 410, 'Expired']],
    );
    for (const query of [`resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`, `resourceVersion=${resourceVersion}&limit=1`]) {
      assertFailure(t, await client.get(`${collection}?${query}`), 410, 'Expired', /too old/);
    }
    // Not older than it is still everything that is newer.
    answer(t, await client.get(`${collection}?resourceVersion=${resourceVersion}`), 200);
    answer(t, await client.get(`${collection}/a?resourceVersion=${resourceVersion}`), 200);
    const expired = assertFailure(
      t,
      await client.get(`${collection}?limit=1&continue=${token}`),
      410,
      'Expired',
      /continue parameter is too old/,
    );
    // Whoever prefers an inconsistent rest to beginning anew gets a token for it.
    const onward = (expired.metadata as {continue: string}).continue;
    const rest = answer<ReadList>(t, await client.get(`${collection}?limit=1&continue=${onward}`), 200);
    t.deepEqual(namesOf(rest), ['c']);
    t.not(rest.metadata.resourceVersion, resourceVersion);
    const fresh = answer<ReadList>(t, await client.get(`${collection}?limit=1`), 200);
    t.deepEqual(namesOf(fresh), ['a']);
  },
);

eachStore('versions from the beginning of a test are served at its end: history is kept longer by default', async (t, {client, path}) => {
  const own = path('configmaps');
  answer(t, await client.post(own, configMap('a')), 201);
  const {resourceVersion} = answer<ReadList>(t, await client.get(own), 200).metadata;
  const changed = answer<ReadObject>(t, await client.patch(`${own}/a`, {data: {x: 'y'}}), 200);
  await sleep(2 * historyMillis);
  const events = client.watch(`${own}?watch=1&resourceVersion=${resourceVersion}`);
  t.deepEqual((await events.next()).value, {type: 'MODIFIED', object: changed});
  await events.return(undefined);
  t.is(
    answer<ReadList>(t, await client.get(`${own}?resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`), 200).items[0]!.data,
    undefined,
  );
});
