import test, {type ExecutionContext} from 'ava';
import {until} from '../../helpers/eventually.js';
import {Client, ConnectionError, StatusError, types, type Informer} from '@orch-api/orch/client';
import {startTestServer} from '@orch-api/orch/testing';
import type {ConfigMap} from '@orch-api/orch/types/core/v1';
import {scriptedServer, sendJson} from '../../helpers/scripted-server.js';
import {tcpRelay} from '../../helpers/tcp-relay.js';
import {fileServer, ownMaps, untilForgotten} from './client-server.js';

const server = fileServer();
const quick = {initialMillis: 20, maximumMillis: 100};

/** Notes what an informer tells, and stops it at the end of the test. */
function follow(t: ExecutionContext, informer: Informer<ConfigMap>): string[] {
  const told: string[] = [];
  const text = ({metadata, data}: ConfigMap) => `${metadata.name}${data?.v ? `=${data.v}` : ''}`;
  informer.on({
    add: (object, initial) => told.push(`${initial ? 'initial' : 'add'} ${text(object)}`),
    update: (object, old) => told.push(`update ${text(old)} to ${text(object)}`),
    delete: (object) => told.push(`delete ${text(object)}`),
  });
  t.teardown(() => informer.stop());
  return told;
}

const names = (objects: readonly ConfigMap[]) => objects.map(({metadata}) => metadata.name).sort();

test('an informer tells what is there, then every change with the object before', async (t) => {
  const maps = await ownMaps(server().api);
  for (const name of ['a', 'b', 'c']) await maps.create({metadata: {name}, data: {v: '1'}});
  const informer = maps.informer({pageSize: 2});
  const told = follow(t, informer);
  t.false(informer.hasSynced);
  await informer.start().synced();
  t.true(informer.hasSynced);
  t.deepEqual(told.splice(0).sort(), ['initial a=1', 'initial b=1', 'initial c=1']);
  await maps.patch('a', 'merge', {data: {v: '2'}});
  await maps.delete('b');
  await maps.create({metadata: {name: 'd'}});
  await until('all three changes', () => told.length === 3);
  t.deepEqual(told, ['update a=1 to a=2', 'delete b=1', 'add d']);
  t.deepEqual(names(informer.cache.list()), ['a', 'c', 'd']);
  t.is(informer.cache.get('a', maps.namespace)?.data?.v, '2');
  t.is(informer.cache.get('b', maps.namespace), undefined);
  const late: string[] = [];
  const off = informer.on({add: ({metadata}) => late.push(metadata.name!)});
  t.deepEqual(late.sort(), ['a', 'c', 'd']);
  off();
  await maps.create({metadata: {name: 'e'}});
  await until('the last change', () => told.length === 4);
  t.is(late.length, 3);
});

test('the cache finds objects by namespace, by label and by indexes of its own, and follows their changes', async (t) => {
  const {api} = server();
  const [first, second] = [await ownMaps(api), await ownMaps(api)];
  await first.create({metadata: {name: 'a', labels: {tier: 'x', mark: 'index'}}, data: {owner: 'joe'}});
  await first.create({metadata: {name: 'b', labels: {tier: 'y', mark: 'index'}}, data: {owner: 'joe'}});
  await second.create({metadata: {name: 'c', labels: {tier: 'x', mark: 'index'}}});
  const informer = api.resource(types.core.v1.ConfigMap).informer({
    labelSelector: {mark: 'index'},
    indexes: {owner: ({data}) => (data?.owner ? [data.owner] : [])},
  });
  const told = follow(t, informer);
  await informer.start().synced();
  const {cache} = informer;
  t.deepEqual(names(cache.inNamespace(first.namespace)), ['a', 'b']);
  t.deepEqual(names(cache.withLabel('tier', 'x')), ['a', 'c']);
  t.deepEqual(names(cache.withLabel('tier')), ['a', 'b', 'c']);
  t.deepEqual(names(cache.withLabel('constructor')), []);
  t.deepEqual(names(cache.by('owner', 'joe')), ['a', 'b']);
  t.throws(() => cache.by('nothing', ''), {instanceOf: TypeError, message: /no index "nothing"/});
  await first.patch('a', 'merge', {metadata: {labels: {tier: 'y'}}, data: {owner: 'ann'}});
  await first.patch('b', 'merge', {metadata: {labels: {mark: null}}});
  await until('both changes', () => told.length === 5);
  t.deepEqual(names(cache.withLabel('tier', 'x')), ['c']);
  t.deepEqual(names(cache.withLabel('tier', 'y')), ['a']);
  t.deepEqual([names(cache.by('owner', 'joe')), names(cache.by('owner', 'ann'))], [[], ['a']]);
  t.deepEqual(names(cache.inNamespace(first.namespace)), ['a']);
  t.is(cache.size, 2);
});

test('at each resync every object is handed to update again', async (t) => {
  const maps = await ownMaps(server().api);
  for (const name of ['a', 'b']) await maps.create({metadata: {name}});
  const informer = maps.informer({resyncMillis: 30});
  const told = follow(t, informer);
  await informer.start().synced();
  await until('two resyncs', () => told.length >= 6);
  t.deepEqual(told.slice(2, 6), ['update a to a', 'update b to b', 'update a to a', 'update b to b']);
  await informer.stop();
  const count = told.length;
  await new Promise((resolve) => setTimeout(resolve, 100));
  t.is(told.length, count);
});

test('an informer whose connection drops goes on from the last version, without a second list [A-WATCH-6]', async (t) => {
  const relay = await tcpRelay(t, server().url);
  using client = new Client({...server().api.connection, server: relay.url});
  const {namespace} = await ownMaps(server().api);
  const direct = server().api.resource(types.core.v1.ConfigMap, namespace);
  const source = client.resource(types.core.v1.ConfigMap, namespace);
  let lists = 0;
  const errors: unknown[] = [];
  const informer = source.informer({backoff: quick, onError: (error) => errors.push(error)});
  const {listAll} = source;
  source.listAll = (...given) => {
    lists++;
    return listAll.apply(source, given);
  };
  await direct.create({metadata: {name: 'a'}, data: {v: '1'}});
  const told = follow(t, informer);
  await informer.start().synced();
  await direct.create({metadata: {name: 'b'}});
  await until('the watch runs', () => told.length === 2);

  relay.refuse(true);
  relay.drop();
  await direct.patch('a', 'merge', {data: {v: '2'}});
  await direct.delete('b');
  await until('failed attempts are told', () => errors.length >= 3);
  t.true(errors.every((error) => error instanceof ConnectionError));
  t.deepEqual(told, ['initial a=1', 'add b']);
  relay.refuse(false);
  await until('what was missed', () => told.length === 4);
  t.deepEqual(told.slice(2), ['update a=1 to a=2', 'delete b']);
  t.is(lists, 1);
});

test('an informer whose version is forgotten lists again, tells the difference and follows from there [A-WATCH-5]', async (t) => {
  const short = await startTestServer({historyMillis: 500});
  t.teardown(() => short.stop());
  const relay = await tcpRelay(t, short.url);
  using client = new Client({...short.api.connection, server: relay.url});
  const direct = await ownMaps(short.api);
  for (const name of ['gone', 'kept', 'changed', 'replaced']) await direct.create({metadata: {name}, data: {v: '1'}});
  const errors: unknown[] = [];
  const informer = client
    .resource(types.core.v1.ConfigMap, direct.namespace)
    .informer({backoff: quick, onError: (error) => errors.push(error)});
  const told = follow(t, informer);
  await informer.start().synced();
  told.length = 0;
  relay.refuse(true);
  relay.drop();
  await direct.delete('gone');
  await direct.patch('changed', 'merge', {data: {v: '2'}});
  await direct.delete('replaced');
  await direct.create({metadata: {name: 'replaced'}, data: {v: '3'}});
  await untilForgotten(t, direct, (await direct.list()).metadata.resourceVersion!);
  relay.refuse(false);
  await until('the difference', () => told.some((line) => line.startsWith('add forget')));
  const forget = informer.cache.get('forget', direct.namespace)!.data!.round;
  t.truthy(forget);
  t.deepEqual(
    told.filter((line) => !line.includes('forget')),
    ['delete gone=1', 'update changed=1 to changed=2', 'delete replaced=1', 'add replaced=3'],
  );
  t.deepEqual(names(informer.cache.list()), ['changed', 'forget', 'kept', 'replaced']);
  t.true(
    errors.every((error) => error instanceof ConnectionError),
    'that a version grew old is no failure',
  );
  await direct.create({metadata: {name: 'after'}});
  await until('changes after the list', () => told.includes('add after'));
});

test('an informer outlives watches that end in peace and servers that are away at its start', async (t) => {
  const relay = await tcpRelay(t, server().url);
  relay.refuse(true);
  using client = new Client({...server().api.connection, server: relay.url});
  const direct = await ownMaps(server().api);
  await direct.create({metadata: {name: 'a'}});
  const errors: unknown[] = [];
  const source = client.resource(types.core.v1.ConfigMap, direct.namespace);
  let watches = 0;
  const {watch} = source;
  source.watch = (options) => {
    watches++;
    return watch.call(source, options);
  };
  const informer = source.informer({watchSeconds: 0.5, backoff: quick, onError: (error) => errors.push(error)});
  const told = follow(t, informer);
  informer.start();
  await until('the first failures', () => errors.length >= 2);
  await t.throwsAsync(informer.synced(AbortSignal.timeout(20)), {name: 'TimeoutError'});
  relay.refuse(false);
  await informer.synced(AbortSignal.timeout(10_000));
  errors.length = 0;
  await until('a second watch', () => watches === 2);
  for (const name of ['b', 'c']) await direct.create({metadata: {name}});
  await until('what came in between', () => told.length === 3);
  t.deepEqual(told, ['initial a', 'add b', 'add c']);
  t.deepEqual(errors, []);
});

test('what keeps failing is told and tried again at growing intervals', async (t) => {
  const {url, requests} = await scriptedServer(t, (_request, response) =>
    sendJson(response, 403, {kind: 'Status', code: 403, reason: 'Forbidden', message: 'no'}),
  );
  using client = new Client({server: url});
  const times: number[] = [];
  const informer = client.resource(types.core.v1.ConfigMap).informer({
    backoff: {initialMillis: 10, maximumMillis: 80},
    onError: (error) => {
      t.like(error, {code: 403});
      times.push(performance.now());
    },
  });
  follow(t, informer.start());
  await until('six failures', () => times.length === 6);
  const gaps = times.slice(1).map((time, index) => time - times[index]!);
  for (const [index, least] of [10, 20, 40, 80, 80].entries()) t.true(gaps[index]! >= least - 2, `gap ${index}: ${gaps[index]} ms`);
  t.is(requests.length, 6);
});

test('a server that forgets versions as soon as it has listed them is not asked without pause', async (t) => {
  const {url, requests} = await scriptedServer(t, ({path}, response) => {
    if (path.includes('watch=true')) sendJson(response, 410, {kind: 'Status', code: 410, reason: 'Expired', message: 'too old'});
    else sendJson(response, 200, {kind: 'ConfigMapList', apiVersion: 'v1', metadata: {resourceVersion: '1'}, items: []});
  });
  using client = new Client({server: url});
  const errors: unknown[] = [];
  const informer = client
    .resource(types.core.v1.ConfigMap)
    .informer({backoff: {initialMillis: 50, maximumMillis: 50}, onError: (error) => errors.push(error)});
  follow(t, informer.start());
  await until('three rounds', () => errors.length === 3);
  t.true(errors.every((error) => error instanceof StatusError));
  t.is(requests.length, 6);
});

test('a handler that throws is reported and keeps nobody from hearing the rest', async (t) => {
  const maps = await ownMaps(server().api);
  await maps.create({metadata: {name: 'a'}});
  const errors: unknown[] = [];
  const informer = maps.informer({onError: (error) => errors.push((error as Error).message)});
  informer.on({
    add: () => {
      throw new Error('broken handler');
    },
  });
  const told = follow(t, informer);
  await informer.start().synced();
  await maps.create({metadata: {name: 'b'}});
  await until('both objects', () => told.length === 2);
  t.deepEqual(errors, ['broken handler', 'broken handler']);
});

test('a stopped informer has no connection, tells nothing and cannot be started again', async (t) => {
  const relay = await tcpRelay(t, server().url);
  using client = new Client({...server().api.connection, server: relay.url});
  const maps = await ownMaps(client);
  const informer = maps.informer();
  const told = follow(t, informer);
  await informer.start().synced();
  await maps.create({metadata: {name: 'a'}});
  await until('the watch runs', () => told.length === 1);
  t.is(relay.open, 2);
  await informer.stop();
  await informer.stop();
  await until('the watch has no connection', () => relay.open === 1);
  await maps.create({metadata: {name: 'b'}});
  t.deepEqual(told, ['add a']);
  t.throws(() => informer.start(), {message: 'the informer was stopped'});
  const never = maps.informer();
  await never.stop();
  await t.throwsAsync(never.synced(), {message: 'the informer was stopped'});
});
