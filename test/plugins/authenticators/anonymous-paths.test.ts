import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {tempFolder} from '../../helpers/temp-folder.js';
import {until} from '../../helpers/eventually.js';
import {strangerClient} from '../../helpers/user-client.js';

const type = {apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AuthenticationConfiguration'};
const modern = {platform: 'kubernetes', release: '1.36'} as const;

test('where the file names paths, requests without credentials are served for these alone, and a later file cannot change that', async (t) => {
  const file = join(tempFolder(t), 'authentication.yaml');
  const anonymous = {enabled: true, conditions: [{path: '/livez'}, {path: '/version'}]};
  writeFileSync(file, JSON.stringify({...type, anonymous}));
  const server = await startTestServer({...modern, flags: {'authentication-config': file}});
  t.teardown(() => server.stop());
  const stranger = await strangerClient(t, server);
  const statuses = async () =>
    Promise.all(
      ['/livez', '/version', '/healthz', '/readyz', '/livez/ping', '/api'].map(async (path) => (await stranger.get(path)).status),
    );
  t.deepEqual(await statuses(), [200, 200, 401, 401, 401, 401]);
  const reloads = async (status: string) =>
    new RegExp(
      `^apiserver_authentication_config_controller_automatic_reloads_total\\{status="${status}",apiserver_id_hash="sha256:[0-9a-f]{64}"\\} 1$`,
      'm',
    ).test((await server.client.get('/metrics')).body.toString());
  writeFileSync(file, JSON.stringify({...type, anonymous: {enabled: true}}));
  await until('the file is refused', () => reloads('failure'));
  t.deepEqual(await statuses(), [200, 200, 401, 401, 401, 401]);
  writeFileSync(file, JSON.stringify({...type, jwt: [], anonymous}));
  await until('the file is taken', () => reloads('success'));
  t.regex(
    (await server.client.get('/metrics')).body.toString(),
    /^apiserver_authentication_config_controller_last_config_info\{[^}]*hash="sha256:/m,
  );
});

test('the file switches anonymous requests off altogether, and says nothing beside the flag', async (t) => {
  const file = join(tempFolder(t), 'authentication.yaml');
  writeFileSync(file, JSON.stringify({...type, anonymous: {enabled: false}}));
  const server = await startTestServer({...modern, flags: {'authentication-config': file}});
  t.teardown(() => server.stop());
  const stranger = await strangerClient(t, server);
  t.deepEqual([(await stranger.get('/livez')).status, (await stranger.get('/api')).status], [401, 401]);
  await t.throwsAsync(startTestServer({...modern, flags: {'authentication-config': file, 'anonymous-auth': true}}), {
    message:
      /anonymous: Forbidden: --anonymous-auth flag cannot be set when anonymous field is configured in authentication configuration file/,
  });
});
