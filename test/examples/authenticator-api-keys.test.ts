import {readFileSync} from 'node:fs';
import {configuredPlugins} from '../../core/kernel/selection/plugins-configuration.js';
import {join} from 'node:path';
import test from 'ava';
import {load} from 'js-yaml';
import type {ServerOptions} from '@orch-api/orch/testing';
import {strangerClient} from '../helpers/user-client.js';
import {exampleFolder, startWithExample} from './example-server.js';

const example = 'authenticator-api-keys';
const path = '/api/v1/namespaces/default/configmaps';

test("callers are known by their key, and a key that is nobody's is 401", async (t) => {
  const configuration = load(readFileSync(join(exampleFolder(example), 'orch.yaml'), 'utf8')) as Required<ServerOptions>['configuration'];
  const plugin = configuredPlugins(configuration.plugins).get('example-api-keys')!;
  const server = await startWithExample(t, example, {
    configuration: {...configuration, plugins: {'example-api-keys': {config: plugin.config!}}},
  });
  const client = await strangerClient(t, server);
  const statusOf = async (key: string) => (await client.get(path, {'x-api-key': key})).status;
  t.is(await statusOf('open-sesame'), 403, 'known, without rights');
  t.is(await statusOf('guess'), 401);
  t.is(await statusOf('x'.repeat(5000)), 401);
  const binding = {
    metadata: {name: 'staff'},
    roleRef: {apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view'},
    subjects: [{apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'staff'}],
  };
  t.is((await server.client.post('/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings', binding)).status, 201);
  t.is(await statusOf('open-sesame'), 200);
});

test('a key that is no hash does not start the server', async (t) => {
  const configuration = {plugins: {'example-api-keys': {config: {keys: [{sha256: 'open-sesame', username: 'ada'}]}}}};
  await t.throwsAsync(startWithExample(t, example, {configuration}), {message: /sha256/});
});
