import test from 'ava';
import {Client, StatusError, types} from '@orch-api/orch/client';
import {startTestServer} from '@orch-api/orch/testing';
import {scriptedServer, sendJson} from '../../helpers/scripted-server.js';
import {fileServer, ownMaps, untilForgotten} from './client-server.js';

const server = fileServer();
const names = (items: readonly {metadata: {name?: string}}[]) => items.map(({metadata}) => metadata.name);

test('pages show one state, in order and without gaps', async (t) => {
  const maps = await ownMaps(server().api);
  for (const name of ['a', 'b', 'c', 'd', 'e']) await maps.create({metadata: {name}});
  const seen: (string | undefined)[] = [];
  const versions = new Set<string | undefined>();
  for await (const page of maps.pages({limit: 2})) {
    if (seen.length === 0) await maps.delete('e');
    seen.push(...names(page.items));
    versions.add(page.metadata.resourceVersion);
    t.is(page.restarted, undefined);
  }
  t.deepEqual(seen, ['a', 'b', 'c', 'd', 'e']);
  t.is(versions.size, 1);
  const whole = await maps.listAll({limit: 3});
  t.deepEqual(names(whole.items), ['a', 'b', 'c', 'd']);
  t.deepEqual(Object.keys(whole.metadata), ['resourceVersion']);
});

test('a pager whose token has expired throws, or begins again with a newer state [A-CHUNK-5]', async (t) => {
  const short = await startTestServer({historyMillis: 1000});
  t.teardown(() => short.stop());
  const maps = await ownMaps(short.api);
  for (const name of ['a', 'b', 'c']) await maps.create({metadata: {name}});
  const strict = maps.pages({limit: 2});
  const lenient = maps.pages({limit: 2, onExpired: 'restart'});
  const {value: first} = await strict.next();
  t.deepEqual(names((await lenient.next()).value!.items), ['a', 'b']);
  await maps.delete('a');
  await untilForgotten(t, maps, first!.metadata.resourceVersion!);
  t.like(await t.throwsAsync(strict.next(), {instanceOf: StatusError}), {code: 410});
  const again = (await lenient.next()).value!;
  t.deepEqual([again.restarted, names(again.items)], [true, ['b', 'c']]);
  const rest = (await lenient.next()).value!;
  t.deepEqual([rest.restarted, names(rest.items)], [undefined, ['forget']]);
  t.true((await lenient.next()).done);
});

test('a list whose tokens keep expiring is fetched in one piece in the end, and nothing of what came before stays [A-CHUNK-5]', async (t) => {
  const {url, requests} = await scriptedServer(t, ({path}, response) => {
    const query = new URL(path, 'http://x').searchParams;
    if (query.has('continue')) return sendJson(response, 410, {kind: 'Status', code: 410, reason: 'Expired', message: 'too old'});
    const paged = query.has('limit');
    const items = (paged ? ['a'] : ['b', 'c']).map((name) => ({metadata: {name}}));
    return sendJson(response, 200, {
      kind: 'ConfigMapList',
      apiVersion: 'v1',
      metadata: {resourceVersion: '5', ...(paged ? {continue: 'next', remainingItemCount: 1} : {})},
      items,
    });
  });
  using client = new Client({server: url});
  const list = await client.resource(types.core.v1.ConfigMap, 'default').listAll({limit: 1, labelSelector: {app: 'x'}});
  t.deepEqual(names(list.items), ['b', 'c']);
  t.deepEqual([list.items[0]?.kind, list.items[0]?.apiVersion], ['ConfigMap', 'v1']);
  t.deepEqual(list.metadata, {resourceVersion: '5'});
  const last = new URL(requests.at(-1)!.path, url).searchParams;
  t.deepEqual([last.get('labelSelector'), last.has('limit'), last.has('continue')], ['app=x', false, false]);
  t.is(requests.length, 7);
});

test('a list not older than a version that is answered with 410 is made again without it [A-RVS-22]', async (t) => {
  const {url, requests} = await scriptedServer(t, ({path}, response) => {
    const query = new URL(path, 'http://x').searchParams;
    if (query.has('resourceVersion')) return sendJson(response, 410, {kind: 'Status', code: 410, reason: 'Expired', message: 'too old'});
    return sendJson(response, 200, {kind: 'ConfigMapList', apiVersion: 'v1', metadata: {resourceVersion: '9'}, items: []});
  });
  using client = new Client({server: url});
  const maps = client.resource(types.core.v1.ConfigMap, 'default');
  const options = {resourceVersion: '3', resourceVersionMatch: 'NotOlderThan', limit: 10} as const;
  t.is((await maps.listAll(options)).metadata.resourceVersion, '9');
  const queries = requests.map(({path}) => Object.fromEntries(new URL(path, url).searchParams));
  t.deepEqual(queries, [{resourceVersion: '3', resourceVersionMatch: 'NotOlderThan', limit: '10'}, {limit: '10'}]);
  t.like(await t.throwsAsync(maps.listAll({...options, resourceVersionMatch: 'Exact'})), {code: 410});
});

test('a list of exactly one version is refused by the client when the server answers another one [A-RVS-23]', async (t) => {
  const maps = await ownMaps(server().api);
  await maps.create({metadata: {name: 'a'}});
  const {resourceVersion} = (await maps.list()).metadata;
  await maps.create({metadata: {name: 'b'}});
  const exact = {resourceVersion: resourceVersion!, resourceVersionMatch: 'Exact'} as const;
  t.deepEqual(names((await maps.list(exact)).items), ['a']);
  const {url} = await scriptedServer(t, (_request, response) =>
    sendJson(response, 200, {kind: 'ConfigMapList', apiVersion: 'v1', metadata: {resourceVersion: '12'}, items: []}),
  );
  using unaware = new Client({server: url});
  await t.throwsAsync(unaware.resource(types.core.v1.ConfigMap, 'default').list(exact), {
    instanceOf: StatusError,
    message: /returned version 12 of the collection instead of exactly/,
  });
});
