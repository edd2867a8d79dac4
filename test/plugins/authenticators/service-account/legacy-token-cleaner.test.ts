import test, {type ExecutionContext} from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {eventually} from '../../../helpers/eventually.js';

const dayMillis = 86_400_000;
const secrets = '/api/v1/namespaces/default/secrets';
const accounts = '/api/v1/namespaces/default/serviceaccounts';
const invalidSince = 'kubernetes.io/legacy-token-invalid-since';
const lastUsed = 'kubernetes.io/legacy-token-last-used';

interface Secret {
  readonly metadata: {readonly labels?: Readonly<Record<string, string>>};
}

/** A server on which uses of tokens are noted, with an account that lists tokens. */
async function start(t: ExecutionContext, release: string, tokens: readonly string[]) {
  const server = await startTestServer({
    platform: 'kubernetes',
    release,
    controllers: ['*', 'legacy-token-tracking'],
    flags: {'legacy-service-account-token-clean-up-period': '240h'},
  });
  t.teardown(() => server.stop());
  const {client} = server;
  await eventually(
    () => client.get('/api/v1/namespaces/kube-system/configmaps/kube-apiserver-legacy-service-account-token-tracking'),
    ({status}) => status === 200,
  );
  await client.post(accounts, {metadata: {name: 'robot'}, secrets: tokens.map((name) => ({name}))});
  const make = async (name: string, labels: object = {}) => {
    const metadata = {name, labels, annotations: {'kubernetes.io/service-account.name': 'robot'}};
    const made = await client.post(secrets, {metadata, type: 'kubernetes.io/service-account-token'});
    t.is(made.status, 201, made.body.toString());
  };
  const labels = async (name: string) => (await client.get(`${secrets}/${name}`)).json<Secret>().metadata.labels ?? {};
  return {server, client, make, labels};
}

test('from 1.29 on a token that an account lists and nobody uses is marked as invalid, and deleted when it has been for as long', async (t) => {
  const {server, client, make, labels} = await start(t, '1.36', ['unused', 'mounted', 'used']);
  for (const name of ['unused', 'mounted', 'used', 'by-hand']) await make(name);
  const volumes = [{name: 'v', secret: {secretName: 'mounted'}}];
  const containers = [{name: 'c', image: 'i'}];
  const pod = {metadata: {name: 'p'}, spec: {volumes, containers, serviceAccountName: 'robot', automountServiceAccountToken: false}};
  const made = await client.post('/api/v1/namespaces/default/pods', pod);
  t.is(made.status, 201, made.body.toString());

  const from = Date.now();
  let passed = 0;
  const day = (after: number) => new Date(from + after * dayMillis).toISOString().slice(0, 10);
  const daysUntil = async (isSo: () => Promise<boolean>) => {
    await eventually(async () => {
      const is = await isSo();
      if (!is) {
        await server.advance(dayMillis);
        passed += 1;
      }
      return is;
    }, Boolean);
    return passed;
  };
  await client.patch(`${secrets}/used`, {metadata: {labels: {[lastUsed]: day(1000)}}});
  const marked = await daysUntil(async () => (await labels('unused'))[invalidSince] !== undefined);
  const since = (await labels('unused'))[invalidSince]!;
  t.true(since >= day(11) && since <= day(marked), 'a day is not over when the noting begins, and then ten pass');
  const others = async () => {
    for (const name of ['mounted', 'by-hand']) t.deepEqual(await labels(name), {}, name);
    t.deepEqual(await labels('used'), {[lastUsed]: day(1000)});
  };
  await others();

  const deleted = await daysUntil(async () => (await client.get(`${secrets}/unused`)).status === 404);
  t.true(day(deleted - 10) > since);
  await others();
  await client.patch(`${secrets}/used`, {metadata: {labels: {[lastUsed]: day(1)}}});
  await daysUntil(async () => (await labels('used'))[invalidSince] !== undefined);
});

test('a period that is none keeps a server from starting', async (t) => {
  const flags = {'legacy-service-account-token-clean-up-period': '0'};
  await t.throwsAsync(startTestServer({platform: 'kubernetes', release: '1.36', controllers: ['*'], flags}), {
    message: /--legacy-service-account-token-clean-up-period: "0" is not a duration above zero, such as 8760h/,
  });
});
