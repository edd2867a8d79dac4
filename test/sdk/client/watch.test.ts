import test from 'ava';
import {until} from '../../helpers/eventually.js';
import {Client, ConnectionError, StatusError, types, type ResourceEvent} from '@orch-api/orch/client';
import {startTestServer} from '@orch-api/orch/testing';
import type {ConfigMap} from '@orch-api/orch/types/core/v1';
import {scriptedServer} from '../../helpers/scripted-server.js';
import {tcpRelay} from '../../helpers/tcp-relay.js';
import {fileServer, ownMaps, untilForgotten} from './client-server.js';

const server = fileServer();
const brief = (event: ResourceEvent<ConfigMap> | void) => (event ? `${event.type} ${event.object.metadata?.name}` : 'end');

test('a watch delivers what is there and what changes', async (t) => {
  const maps = await ownMaps(server().api);
  await maps.create({metadata: {name: 'one'}, data: {text: 'ä'.repeat(200_000)}});
  const events = maps.watch();
  const first = (await events.next()).value;
  t.is(brief(first), 'ADDED one');
  t.is(first?.type === 'ADDED' && first.object.data?.text?.length, 200_000);
  const changed = await maps.patch('one', 'merge', {data: {text: null}});
  t.deepEqual((await events.next()).value, {type: 'MODIFIED', object: changed});
  await maps.delete('one');
  t.is(brief((await events.next()).value), 'DELETED one');
  await events.return();
});

test('a watch begins after the version of a list and can be narrowed', async (t) => {
  const maps = await ownMaps(server().api);
  await maps.create({metadata: {name: 'old', labels: {app: 'a'}}});
  const {resourceVersion} = (await maps.list()).metadata;
  const events = maps.watch({resourceVersion: resourceVersion!, labelSelector: {app: 'a'}});
  await maps.create({metadata: {name: 'other', labels: {app: 'b'}}});
  await maps.create({metadata: {name: 'new', labels: {app: 'a'}}});
  t.is(brief((await events.next()).value), 'ADDED new');
  await events.return();
});

test('a watch ends when the server ends it, with a bookmark of the last version before', async (t) => {
  const maps = await ownMaps(server().api);
  const {resourceVersion} = (await maps.create({metadata: {name: 'one'}})).metadata;
  const events: ResourceEvent<ConfigMap>[] = [];
  for await (const event of maps.watch({resourceVersion: resourceVersion!, timeoutSeconds: 1})) events.push(event);
  for (const event of events) t.is(event.type, 'BOOKMARK');
  const plain: ResourceEvent<ConfigMap>[] = [];
  for await (const event of maps.watch({resourceVersion: resourceVersion!, timeoutSeconds: 1, allowWatchBookmarks: false}))
    plain.push(event);
  t.deepEqual(plain, []);
});

test('a watch ends without an error when its signal fires, before, while and after it is opened', async (t) => {
  const maps = await ownMaps(server().api);
  t.true((await maps.watch({signal: AbortSignal.abort()}).next()).done);
  const opening = new AbortController();
  const first = maps.watch({signal: opening.signal}).next();
  opening.abort();
  t.true((await first).done);
  const waiting = new AbortController();
  await maps.create({metadata: {name: 'one'}});
  const events = maps.watch({signal: waiting.signal});
  t.is(brief((await events.next()).value), 'ADDED one');
  const next = events.next();
  waiting.abort();
  t.true((await next).done);
});

test('leaving the loop closes the connection of the watch', async (t) => {
  const relay = await tcpRelay(t, server().url);
  using client = new Client({...server().api.connection, server: relay.url});
  const maps = await ownMaps(client);
  await maps.create({metadata: {name: 'one'}});
  for await (const event of maps.watch()) {
    t.is(brief(event), 'ADDED one');
    t.is(relay.open, 1);
    break;
  }
  await until('the watch has no connection', () => relay.open === 0);
});

test('a watch whose connection is cut off fails with a ConnectionError after what came before', async (t) => {
  const relay = await tcpRelay(t, server().url);
  using client = new Client({...server().api.connection, server: relay.url});
  const maps = await ownMaps(client);
  await maps.create({metadata: {name: 'one'}});
  const events = maps.watch();
  t.is(brief((await events.next()).value), 'ADDED one');
  const next = events.next();
  relay.drop();
  await t.throwsAsync(next, {instanceOf: ConnectionError});
});

test('a watch from a version that is forgotten, and an error event, are StatusErrors', async (t) => {
  const short = await startTestServer({historyMillis: 500});
  t.teardown(() => short.stop());
  const maps = await ownMaps(short.api);
  const {resourceVersion} = (await maps.create({metadata: {name: 'one'}})).metadata;
  await untilForgotten(t, maps, resourceVersion!);
  t.like(await t.throwsAsync(maps.watch({resourceVersion: resourceVersion!}).next(), {instanceOf: StatusError}), {
    code: 410,
    reason: 'Expired',
  });

  const {url} = await scriptedServer(t, (_request, response) => {
    response.end(
      '{"type":"ADDED","object":{"metadata":{"name":"one"}}}\n{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired","message":"slow"}}\n',
    );
  });
  using client = new Client({server: url});
  const events = client.resource(types.core.v1.ConfigMap, 'default').watch();
  t.is(brief((await events.next()).value), 'ADDED one');
  t.like(await t.throwsAsync(events.next(), {instanceOf: StatusError}), {code: 410, message: 'slow'});
});

test('events are put together from pieces of any size', async (t) => {
  const lines = ['one', 'zwei ä', 'three'].map((name) => `${JSON.stringify({type: 'ADDED', object: {metadata: {name}}})}\n`).join('\n');
  const bytes = Buffer.from(lines);
  const {url} = await scriptedServer(t, ({path}, response) => {
    const size = Number(new URL(path, 'http://x').searchParams.get('timeoutSeconds'));
    response.socket?.setNoDelay(true);
    const send = (start: number) => {
      if (start >= bytes.length) response.end('{"type":"ADDED","obj');
      else response.write(bytes.subarray(start, start + size), () => setImmediate(send, start + size));
    };
    send(0);
  });
  using client = new Client({server: url});
  for (const size of [1, 7, 64, 10_000]) {
    const found: string[] = [];
    for await (const event of client.resource(types.core.v1.ConfigMap, 'default').watch({timeoutSeconds: size})) found.push(brief(event));
    t.deepEqual(found, ['ADDED one', 'ADDED zwei ä', 'ADDED three'], `pieces of ${size} bytes`);
  }
});
