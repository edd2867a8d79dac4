import process from 'node:process';
import {setImmediate as nextTurn} from 'node:timers/promises';
import test from 'ava';
import {Pace} from '../../../../core/registry/pace.js';
import {startTestServer, type TestResponse, type TestServer} from '../../../../sdk/testing/index.js';
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

test.serial('[SEC-9] a write of a large object gives the event loop back between its parts, whatever its verb', async (t) => {
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

test('small work goes on without a pause, long work waits for a turn', async (t) => {
  let turns = 0;
  const pace = new Pace(async () => {
    turns += 1;
    await nextTurn();
  });
  t.is(pace.pause(), undefined);
  const until = performance.now() + 10;
  while (performance.now() < until);
  await pace.pause();
  t.is(turns, 1);
  t.is(pace.pause(), undefined);
  await pace.next();
  t.is(turns, 2);
});

test('of parts that wait at the same time each gets a turn of the event loop of its own', async (t) => {
  const order: string[] = [];
  let turn = 0;
  let done = false;
  const count = () => {
    turn += 1;
    if (!done) setImmediate(count);
  };
  setImmediate(count);
  await Promise.all(Array.from({length: 5}, () => new Pace().next().then(() => order.push(`turn ${turn}`))));
  done = true;
  t.is(new Set(order).size, 5, order.join());
});
