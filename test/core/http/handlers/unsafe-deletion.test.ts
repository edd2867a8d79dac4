import test, {type ExecutionContext} from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {EncryptionConfigurationFile, plainText, provider} from '../../../helpers/encryption-configuration.js';
import {tempFolder} from '../../../helpers/temp-folder.js';
import {userClient} from '../../../helpers/user-client.js';

const secrets = '/api/v1/namespaces/default/secrets';
const option = 'ignoreStoreReadErrorWithClusterBreakingPotential';
const unsafe = {kind: 'DeleteOptions', apiVersion: 'v1', [option]: true};
const on = {AllowUnsafeMalformedObjectDeletion: true};

interface Answer {
  readonly code?: number;
  readonly reason?: string;
  readonly message: string;
  readonly details?: {readonly causes?: readonly {readonly reason: string; readonly field: string; readonly message: string}[]};
}

/** A server whose store holds a secret that its keys do not read, and one that they do. */
async function start(t: ExecutionContext, featureGates: Readonly<Record<string, boolean>>) {
  const dataDir = tempFolder(t);
  const open = async (key: string, gates: Readonly<Record<string, boolean>>) => {
    const {path} = new EncryptionConfigurationFile(t, ['secrets'], provider('aesgcm', key), plainText);
    const options = {
      platform: 'kubernetes',
      dataDir,
      store: 'embedded',
      controllers: [],
      encryptionProviderConfig: path,
      featureGates: gates,
    };
    return startTestServer(options);
  };
  const before = await open('lost', {});
  for (const name of ['one', 'two'])
    t.is((await before.client.post(secrets, {metadata: {name, finalizers: ['example.com/hold']}})).status, 201);
  await before.stop();
  const server = await open('kept', featureGates);
  t.teardown(() => server.stop());
  t.is((await server.client.post(secrets, {metadata: {name: 'readable'}})).status, 201);
  const call = async (method: string, path: string, body?: object, client = server.client) => {
    const {status, body: bytes} = await client.request(method, secrets + path, body === undefined ? {} : {body});
    return {...(JSON.parse(bytes.toString()) as Answer), code: status};
  };
  return {server, call};
}

test.serial('an administrator takes what cannot be read out of the store, and nothing else', async (t) => {
  const {server, call} = await start(t, on);
  const listed = await call('GET', '');
  t.like(listed, {code: 500, reason: 'StoreReadError', message: 'failed to read one or more secrets from the storage'});
  t.deepEqual(
    listed.details!.causes!.map(({reason, field}) => [reason, field]),
    [
      ['UnexpectedServerResponse', 'secrets/default/one'],
      ['UnexpectedServerResponse', 'secrets/default/two'],
    ],
  );
  t.is((await call('DELETE', '/one')).code, 500);
  for (const name of ['readable', 'missing']) {
    const refused = await call('DELETE', `/${name}`, unsafe);
    t.is(refused.code, 422);
    t.is(
      refused.message,
      `secrets "${name}" is invalid: ${option}: Invalid value: true: is exclusively used to delete corrupt object(s), try again by removing this option`,
    );
  }
  t.like(await call('DELETE', '/one', unsafe), {code: 200, status: 'Success', details: {name: 'one', kind: 'Secret'}});
  t.is((await call('DELETE', `/two?${option}=true`)).code, 200);
  const rest = (await server.client.get(secrets)).json<{items: {metadata: {name: string}}[]}>();
  t.deepEqual(
    rest.items.map(({metadata}) => metadata.name),
    ['readable'],
  );
});

test.serial('it takes a permission of its own, and goes with no other option', async (t) => {
  const {server, call} = await start(t, on);
  const role = {metadata: {name: 'deleter'}, rules: [{apiGroups: [''], resources: ['secrets'], verbs: ['delete', 'get', 'list']}]};
  t.is((await server.client.post('/apis/rbac.authorization.k8s.io/v1/clusterroles', role)).status, 201);
  const binding = {
    metadata: {name: 'deleter'},
    roleRef: {apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'deleter'},
    subjects: [{kind: 'User', name: 'someone', apiGroup: 'rbac.authorization.k8s.io'}],
  };
  t.is((await server.client.post('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', binding)).status, 201);
  const someone = await userClient(t, server, 'someone');
  const refused = await call('DELETE', '/one', unsafe, someone as never);
  t.like(refused, {code: 403, reason: 'Forbidden'});
  t.regex(refused.message, /^secrets "one" is forbidden: not permitted to do "unsafe-delete-ignore-read-errors", reason: /);
  for (const [more, member] of [
    [{dryRun: ['All']}, 'dryRun'],
    [{propagationPolicy: 'Background'}, 'propagationPolicy'],
    [{orphanDependents: false}, 'orphanDependents'],
    [{gracePeriodSeconds: 0}, 'gracePeriodSeconds'],
    [{preconditions: {uid: 'x'}}, 'preconditions'],
  ] as const) {
    const {code, message} = await call('DELETE', '/one', {...unsafe, ...more});
    t.is(code, 422);
    t.is(message, `DeleteOptions.meta.k8s.io "" is invalid: ${option}: Invalid value: true: cannot be set together with .${member}`);
  }
  t.regex((await call('DELETE', '', unsafe)).message, /is not allowed with DELETECOLLECTION, try again after removing the option$/);
  t.is((await call('GET', '')).code, 500);
});

test.serial('without the feature gate the option has no effect', async (t) => {
  const {call} = await start(t, {});
  t.is((await call('DELETE', '/one', unsafe)).code, 500);
  t.like(await call('GET', ''), {code: 500, reason: 'InternalError'});
  t.is((await call('DELETE', '/readable', unsafe)).code, 200);
});
