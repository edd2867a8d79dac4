import {testOnEachStore} from '../../../helpers/each-store.js';
import {eventually} from '../../../helpers/eventually.js';
import {complaints, recordingLogger} from '../../../helpers/recording-logger.js';
import {startTwoServers} from '../../../helpers/two-servers.js';
import test from 'ava';
import {infoOf, inMillis, makeToken, putInfo, secretPath, signersOf} from './tokens.js';

const storeTest = testOnEachStore({controllers: ['*', 'tokencleaner']});

storeTest('[B-BOOT-11] tokencleaner deletes the Secrets of tokens when they have expired, and no others', async (t, {start}) => {
  const server = await start();
  const {client} = server;
  await makeToken(client, 'later1', {expiration: inMillis(600_000)});
  await makeToken(client, 'longer', {expiration: inMillis(300_000)});
  t.is((await client.patch(secretPath('longer'), {stringData: {expiration: inMillis(3_600_000)}})).status, 200);
  await makeToken(client, 'keep01');
  await makeToken(client, 'keep02', {expiration: '2999-01-01T00:00:00Z'});
  await makeToken(client, 'keep03', {expiration: inMillis(-5000)}, {type: 'Opaque'});
  await makeToken(client, 'keep04', {expiration: inMillis(-5000)}, {namespace: 'default'});
  await makeToken(client, 'past01', {expiration: inMillis(-5000)});
  await makeToken(client, 'past02', {expiration: 'tomorrow'});
  const status = async (path: string) => (await client.get(path)).status;
  const gone = (id: string) =>
    eventually(
      () => status(secretPath(id)),
      (code) => code === 404,
    );
  for (const id of ['past01', 'past02']) await gone(id);
  for (const id of ['longer', 'later1']) t.is(await status(secretPath(id)), 200, id);
  await server.advance(660_000);
  await gone('later1');
  for (const id of ['longer', 'keep01', 'keep02', 'keep03']) t.is(await status(secretPath(id)), 200, id);
  t.is(await status('/api/v1/namespaces/default/secrets/bootstrap-token-keep04'), 200);
});

storeTest('[B-BOOT-12] tokencleaner and bootstrapsigner run when they are named, and not with * alone', async (t, {start}) => {
  const [named, all] = [await start({controllers: ['*', 'tokencleaner', 'bootstrapsigner']}), await start({controllers: ['*']})];
  for (const {client} of [all, named]) {
    await putInfo(client, {kubeconfig: 'text'});
    await makeToken(client, 'signs1');
    await makeToken(client, 'past01', {expiration: inMillis(-5000)});
  }
  await eventually(
    async () => signersOf(await infoOf(named.client)),
    (ids) => ids.join() === 'signs1',
  );
  await eventually(
    () => named.client.get(secretPath('past01')),
    ({status}) => status === 404,
  );
  t.deepEqual(signersOf(await infoOf(all.client)), []);
  t.is((await all.client.get(secretPath('past01'))).status, 200);
});

test('two servers on one store clean and sign at the same time, quietly', async (t) => {
  const {logger, lines} = recordingLogger();
  const [one, other] = await startTwoServers(t, {logger, controllers: ['*', 'tokencleaner', 'bootstrapsigner']});
  await putInfo(one.client, {kubeconfig: 'text'});
  for (let index = 0; index < 10; index += 1) {
    await makeToken(index % 2 ? one.client : other.client, `tokn0${index}`, index < 5 ? {expiration: inMillis(1000)} : {});
  }
  const left = ['tokn05', 'tokn06', 'tokn07', 'tokn08', 'tokn09'];
  await eventually(
    async () => signersOf(await infoOf(one.client)),
    (ids) => ids.join() === left.join(),
  );
  await eventually(
    async () => (await other.client.get('/api/v1/namespaces/orch-system/secrets')).json<{items: {metadata: {name: string}}[]}>().items,
    (items) => items.map(({metadata}) => metadata.name.slice(-6)).join() === left.join(),
  );
  t.deepEqual(complaints(lines), []);
});
