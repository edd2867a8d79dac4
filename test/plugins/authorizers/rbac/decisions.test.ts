import test from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {eventually} from '../../../helpers/eventually.js';
import type {HttpsClient} from '../../../helpers/https-client.js';
import {strangerClient, userClient} from '../../../helpers/user-client.js';
import {account, members, Roles, user} from './roles.js';

let server: TestServer;
test.before(async () => {
  server = await startTestServer();
});
test.after.always(() => server?.stop());

/** The status of a GET once it is no refusal any more: what was bound counts within moments. */
function allowed(client: HttpsClient, path: string, headers?: Record<string, string>): Promise<number> {
  return eventually(
    async () => (await client.get(path, headers)).status,
    (status) => status !== 403 && status !== 401,
  );
}

test('a cluster role that is bound for the cluster holds in all namespaces and for what is in none, for its verbs, groups and resources only', async (t) => {
  const roles = new Roles(t, server);
  const jane = await userClient(t, server, 'jane');
  await roles.clusterRole('map-reader', [{verbs: ['get', 'list'], apiGroups: [''], resources: ['configmaps', 'namespaces']}]);
  t.is((await jane.get('/api/v1/namespaces')).status, 403);
  await roles.bindCluster('map-reader', user('jane'));
  t.is(await allowed(jane, '/api/v1/namespaces'), 200);
  t.is((await jane.get('/api/v1/configmaps')).status, 200);
  t.is((await jane.get('/api/v1/namespaces/default/configmaps')).status, 200);
  t.is((await jane.get('/api/v1/namespaces/default/configmaps/none')).status, 404);
  t.is((await jane.get('/api/v1/namespaces/default/configmaps?watch=1')).status, 403);
  t.is((await jane.get('/api/v1/namespaces/default/secrets')).status, 403);
  t.is((await jane.get('/apis/apps/v1/deployments')).status, 403);
  t.is((await jane.post('/api/v1/namespaces/default/configmaps', {})).status, 403);
});

test('[A-NAME-10] a role, or a cluster role bound by a role binding, holds in its namespace alone; a service account is bound by its own name', async (t) => {
  const roles = new Roles(t, server);
  await roles.namespace('red');
  await roles.namespace('blue');
  const rule = {verbs: ['*'], apiGroups: ['*'], resources: ['configmaps', 'secrets']};
  await roles.role('red', 'keeper', [rule]);
  await roles.bind('red', 'Role', 'keeper', user('kim'), {kind: 'ServiceAccount', name: 'robot'});
  await roles.clusterRole('any-keeper', [rule]);
  await roles.bind('blue', 'ClusterRole', 'any-keeper', members('blues'), account('red', 'visitor'));
  const kim = await userClient(t, server, 'kim');
  const bob = await userClient(t, server, 'bob', ['blues']);
  const robot = await userClient(t, server, 'system:serviceaccount:red:robot');
  const visitor = await userClient(t, server, 'system:serviceaccount:red:visitor');
  for (const [client, home, other] of [
    [kim, 'red', 'blue'],
    [bob, 'blue', 'red'],
    [robot, 'red', 'blue'],
    [visitor, 'blue', 'red'],
  ] as const) {
    t.is(await allowed(client, `/api/v1/namespaces/${home}/configmaps`), 200);
    t.is((await client.get(`/api/v1/namespaces/${other}/configmaps`)).status, 403);
    t.is((await client.get('/api/v1/configmaps')).status, 403);
  }
});

test('[A-SVC-4] a subresource is a resource of its own: neither its rule nor that of its parent stands for the other, `*/NAME` and `*` do', async (t) => {
  const roles = new Roles(t, server);
  const rule = (...resources: string[]) => [{verbs: ['get', 'update'], apiGroups: ['apps', ''], resources}];
  const wanted = {parent: ['deployments'], status: ['deployments/status'], scales: ['*/scale'], all: ['*']};
  for (const [name, resources] of Object.entries(wanted)) {
    await roles.clusterRole(`sub-${name}`, rule(...resources));
    await roles.bindCluster(`sub-${name}`, user(`sub-${name}`));
  }
  const paths = {parent: '/d', status: '/d/status', scale: '/d/scale'};
  const expected = {parent: ['parent'], status: ['status'], scales: ['scale'], all: ['parent', 'status', 'scale']};
  for (const [name, may] of Object.entries(expected)) {
    const client = await userClient(t, server, `sub-${name}`);
    await allowed(client, `/apis/apps/v1/namespaces/default/deployments${paths[may[0] as 'parent']}`);
    for (const [part, path] of Object.entries(paths)) {
      const {status} = await client.get(`/apis/apps/v1/namespaces/default/deployments${path}`);
      t.is(status, may.includes(part) ? 404 : 403, `${name}: ${path}`);
      const put = await client.put(`/apis/apps/v1/namespaces/default/deployments${path}`, {});
      t.is(put.status === 403, !may.includes(part), `${name}: PUT ${path}`);
    }
  }
});

test('resource names narrow a rule to those objects; what names no object is not covered', async (t) => {
  const roles = new Roles(t, server);
  await roles.role('default', 'one-map', [
    {verbs: ['get', 'list', 'create'], apiGroups: [''], resources: ['configmaps'], resourceNames: ['mine']},
  ]);
  await roles.bind('default', 'Role', 'one-map', user('nina'));
  const nina = await userClient(t, server, 'nina');
  const maps = '/api/v1/namespaces/default/configmaps';
  t.is(await allowed(nina, `${maps}/mine`), 404);
  t.is((await nina.get(`${maps}/other`)).status, 403);
  t.is((await nina.get(maps)).status, 403);
  t.is((await nina.get(`${maps}?fieldSelector=metadata.name%3Dmine`)).status, 200);
  t.is((await nina.post(maps, {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'mine'}})).status, 403);
});

test('rules about paths hold for the path itself or, with a star at its end, for all that begin so', async (t) => {
  const roles = new Roles(t, server);
  await roles.clusterRole('docs', [{verbs: ['get'], nonResourceURLs: ['/docs', '/logs/*']}]);
  await roles.bindCluster('docs', user('paula'));
  const paula = await userClient(t, server, 'paula');
  t.is(await allowed(paula, '/docs'), 404);
  t.is((await paula.get('/logs/today')).status, 404);
  for (const path of ['/docs/', '/docsy', '/logs', '/metrics-of-others']) t.is((await paula.get(path)).status, 403, path);
});

test('rights end with the binding, with the subject in it, and with the role; a missing role is named in the refusal', async (t) => {
  const roles = new Roles(t, server);
  const {client} = server;
  await roles.role('default', 'brief', [{verbs: ['list'], apiGroups: [''], resources: ['configmaps']}]);
  await roles.bind('default', 'Role', 'brief', user('fred'), user('gina'));
  const [fred, gina] = await Promise.all([userClient(t, server, 'fred'), userClient(t, server, 'gina')]);
  const path = '/api/v1/namespaces/default/configmaps';
  const group = '/apis/rbac.authorization.orch/v1/namespaces/default';
  await allowed(fred, path);
  t.is((await client.patch(`${group}/rolebindings/brief`, {subjects: [user('gina')]})).status, 200);
  await eventually(
    async () => (await fred.get(path)).status,
    (status) => status === 403,
  );
  t.is((await gina.get(path)).status, 200);
  t.is((await client.delete(`${group}/roles/brief`)).status, 200);
  const refusal = await eventually(
    () => gina.get(path),
    ({status}) => status === 403,
  );
  t.regex(refusal.json<{message: string}>().message, /: RBAC: role\.rbac\.authorization\.orch "brief" not found$/);
  t.is(
    (
      await client.post(`${group}/roles`, {
        apiVersion: 'rbac.authorization.orch/v1',
        kind: 'Role',
        metadata: {name: 'brief'},
        rules: [{verbs: ['*'], apiGroups: [''], resources: ['configmaps']}],
      })
    ).status,
    201,
  );
  await allowed(gina, path);
  t.is((await client.delete(`${group}/rolebindings/brief`)).status, 200);
  await eventually(
    async () => (await gina.get(path)).status,
    (status) => status === 403,
  );
});

test('[B-ANON-4] a grant to a user or group named `*` is one to nobody; anonymous callers are served by an explicit grant alone', async (t) => {
  const roles = new Roles(t, server);
  const stranger = await strangerClient(t, server);
  const path = '/api/v1/namespaces/default/configmaps';
  await roles.clusterRole('wild', [{verbs: ['*'], apiGroups: ['*'], resources: ['*']}]);
  await roles.bindCluster('wild', user('*'), members('*'), members('system:authenticated-not'), user('marker'));
  await allowed(await userClient(t, server, 'marker'), path);
  t.is((await stranger.get(path)).status, 403);
  await roles.role('default', 'open', [{verbs: ['list'], apiGroups: [''], resources: ['configmaps']}]);
  await roles.bind('default', 'Role', 'open', members('system:unauthenticated'));
  t.is(await allowed(stranger, path), 200);
});
