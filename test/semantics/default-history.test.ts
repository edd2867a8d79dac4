import {mock} from 'node:test';
import {setTimeout as sleep} from 'node:timers/promises';
import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {eventually} from '../helpers/eventually.js';
import {answer, assertFailure} from './answers.js';
import {configMap, namesOf, type ReadList} from './fixtures.js';

const collection = '/api/v1/namespaces/default/configmaps';
const minute = 60_000;

test('history and continue tokens last for 5 minutes by default: watches and chunks from then are served, those from earlier and exact lists answered with 410 [B-LIM-1] [A-CHUNK-3]', async (t) => {
  // The clock is the test's; what happens each second still happens each second.
  mock.timers.enable({apis: ['Date'], now: Date.now()});
  t.teardown(() => mock.timers.reset());
  const server = await startTestServer();
  t.teardown(() => server.stop());
  const {client} = server;
  for (const name of ['a', 'b']) answer(t, await client.post(collection, configMap(name)), 201);
  const {resourceVersion, continue: token} = answer<ReadList>(t, await client.get(`${collection}?limit=1`), 200).metadata;
  answer(t, await client.delete(`${collection}/b`), 200);
  const watch = () => client.get(`${collection}?watch=1&timeoutSeconds=1&resourceVersion=${resourceVersion}`);
  const exactly = () => client.get(`${collection}?resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`);
  const chunk = () => client.get(`${collection}?limit=1&continue=${token}`);

  mock.timers.setTime(Date.now() + 4.9 * minute);
  await sleep(1_500);
  const events = (await watch()).body.toString();
  t.regex(events, /^\{"type":"DELETED"/);
  t.deepEqual(namesOf(answer(t, await chunk(), 200)), ['b']);

  mock.timers.setTime(Date.now() + 0.2 * minute);
  // Ages are looked at every few seconds.
  assertFailure(t, await eventually(watch, ({status}) => status === 410), 410, 'Expired', /too old resource version/);
  assertFailure(t, await exactly(), 410, 'Expired', /too old/);
  assertFailure(t, await chunk(), 410, 'Expired', /continue parameter is too old/);
});
