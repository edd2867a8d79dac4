import process from 'node:process';
import test from 'ava';
import {startTestServer, type TestResponse, type TestServer} from '@orch-api/orch/testing';
import {longestTurn} from '../../../helpers/longest-turn.js';

let server: TestServer;
test.before(async () => {
  server = await startTestServer();
});
test.after.always(() => server?.stop());

const path = '/api/v1/namespaces/default/configmaps';
const apply = 'application/apply-patch+yaml';
const count = 25_000;
const large = (name: string, value: string) =>
  Buffer.from(
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {name},
      data: Object.fromEntries(Array.from({length: count}, (_, index) => [`k${index}`, value])),
    }),
  );

/** Answers the longest turn of the event loop as a part of all processor time that a request took. */
async function longestPart(send: () => Promise<TestResponse>): Promise<number> {
  const before = process.threadCpuUsage();
  const {result, longestMillis} = await longestTurn(send);
  const {user, system} = process.threadCpuUsage(before);
  if (result.status >= 300) throw new Error(`${result.status} ${result.body.toString().slice(0, 300)}`);
  return longestMillis / ((user + system) / 1000);
}

test.serial('a write of a large object gives the event loop back between its parts, whatever its verb', async (t) => {
  const json = {headers: {'content-type': 'application/json'}};
  const {client} = server;
  // What only the first request loads is no part of the work.
  await client.post(path, large('first', ''), json);
  await client.patch(`${path}/first?fieldManager=a&force=true`, large('first', ''), apply);
  const writes: readonly (readonly [string, () => Promise<TestResponse>])[] = [
    ['create', () => client.post(path, large('one', 'a'), json)],
    ['update', () => client.put(`${path}/one`, large('one', 'b'), json)],
    ['merge patch', () => client.patch(`${path}/one`, large('one', 'c'))],
    ['apply', () => client.patch(`${path}/two?fieldManager=a`, large('two', 'a'), apply)],
    ['apply again', () => client.patch(`${path}/two?fieldManager=a`, large('two', 'b'), apply)],
  ];
  for (const [name, send] of writes) {
    const part = await longestPart(send);
    t.log(`${name}: ${(part * 100).toFixed(0)} % of the time in one turn`);
    t.true(part < 0.6, name);
  }
});

test('large writes of one object by many at the same time all come to an end, few of them more than once', async (t) => {
  const {client} = server;
  await client.post(path, large('shared', 'a'), {headers: {'content-type': 'application/json'}});
  const one = async (index: number) => (await client.patch(`${path}/shared`, {data: {[`w${index}`]: 'x'.repeat(20_000)}})).status;
  const before = process.threadCpuUsage();
  const single = await one(0);
  const {user, system} = process.threadCpuUsage(before);
  t.is(single, 200);
  const start = process.threadCpuUsage();
  const statuses = await Promise.all(Array.from({length: 12}, (_, index) => one(index + 1)));
  const all = process.threadCpuUsage(start);
  t.deepEqual([...new Set(statuses)], [200]);
  const attempts = (all.user + all.system) / (user + system);
  t.log(`as much time as ${attempts.toFixed(0)} writes`);
  t.true(attempts < 48);
});
