import test from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {until} from '../../../helpers/eventually.js';
import {startRedis} from '../../../helpers/redis-server.js';

const minute = 60_000;
const core = '/api/v1/namespaces/default/events';
const newer = '/apis/events.orch/v1/namespaces/default/events';
const old = '2020-01-01T00:00:00Z';

async function make(server: TestServer, name: string): Promise<void> {
  const event = {metadata: {name}, involvedObject: {kind: 'Pod', namespace: 'default', name: 'p'}, firstTimestamp: old, lastTimestamp: old};
  const {status, body} = await server.client.post(core, event);
  if (status !== 201) throw new Error(`${name}: ${status} ${body.toString()}`);
}

async function names({client}: TestServer): Promise<string[]> {
  const {items} = (await client.get(core)).json<{items: {metadata: {name: string}}[]}>();
  return items.map(({metadata}) => metadata.name);
}

test('events expire on two servers without any controller: every write in either group starts their time anew, a restart does not', async (t) => {
  const redis = await startRedis(t);
  let ahead = 0;
  const start = async () => {
    const server = await startTestServer({store: redis.url, controllers: ['-*'], flags: {'event-ttl': '10m'}});
    t.teardown(() => server.stop());
    await server.advance(ahead);
    return server;
  };
  const servers = [await start(), await start()];
  const advance = async (milliseconds: number) => {
    ahead += milliseconds;
    await Promise.all(servers.map((server) => server.advance(milliseconds)));
  };
  const [first, second] = servers as [TestServer, TestServer];
  for (const name of ['left', 'replaced', 'counted', 'unchanged']) await make(first, name);
  await advance(6 * minute);
  t.is((await second.client.patch(`${core}/replaced`, {count: 2})).status, 200);
  t.is((await second.client.patch(`${newer}/counted`, {metadata: {labels: {a: 'b'}}})).status, 200);
  t.is((await second.client.patch(`${core}/unchanged`, {message: ''})).status, 200);
  await make(second, 'later');
  t.deepEqual(await names(first), ['counted', 'later', 'left', 'replaced', 'unchanged']);
  await first.stop();
  servers[0] = await start();
  await advance(5 * minute);
  for (const server of servers) {
    const left = await until('two are gone', async () => {
      const found = await names(server);
      return found.length <= 3 && found;
    });
    t.deepEqual(left, ['counted', 'later', 'replaced']);
  }
  await advance(6 * minute);
  for (const server of servers) await until('all are gone', async () => (await names(server)).length === 0);
});

test('events last for an hour by default, and for ever with an --event-ttl of 0', async (t) => {
  for (const flags of [undefined, {'event-ttl': '0'}]) {
    await using server = await startTestServer(flags ? {flags} : {});
    await make(server, 'seen');
    await server.advance(59 * minute);
    t.deepEqual(await names(server), ['seen']);
    await server.advance(2 * minute);
    t.deepEqual(await names(server), flags ? ['seen'] : []);
    await server.advance(100_000 * minute);
    t.deepEqual(await names(server), flags ? ['seen'] : []);
  }
});

test('an --event-ttl that is no duration, negative or shorter than a second stops the start with a sentence, and so does the setting', async (t) => {
  for (const text of ['soon', '', '-1h', '500ms', '1', '1d']) {
    const {message} = (await t.throwsAsync(startTestServer({flags: {'event-ttl': text}})))!;
    t.true(
      message.includes(`--event-ttl must be a duration of a second or more, such as 1h, or 0 for ever, not ${JSON.stringify(text)}`),
      message,
    );
  }
  const plugins = {core: {config: {eventTtl: 'soon'}}};
  const {message} = (await t.throwsAsync(startTestServer({configuration: {plugins}})))!;
  t.true(message.includes('plugins.core.config.eventTtl must be a duration'), message);
});
