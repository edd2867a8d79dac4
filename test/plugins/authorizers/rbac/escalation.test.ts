import test from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {eventually} from '../../../helpers/eventually.js';
import {userClient} from '../../../helpers/user-client.js';
import {members, rolePath, Roles, user} from './roles.js';

const group = 'rbac.authorization.orch';
const apiVersion = `${group}/v1`;
const anyWrite = ['get', 'create', 'update', 'patch'];

let server: TestServer;
test.before(async () => {
  server = await startTestServer();
  const roles = ['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings'];
  const create = (resource: string, body: object) => server.client.post(rolePath(resource), {apiVersion, ...body});
  await create('clusterroles', {
    kind: 'ClusterRole',
    metadata: {name: 'role-writer'},
    rules: [{verbs: anyWrite, apiGroups: [group], resources: roles}],
  });
  await create('clusterrolebindings', {
    kind: 'ClusterRoleBinding',
    metadata: {name: 'role-writer'},
    roleRef: {apiGroup: group, kind: 'ClusterRole', name: 'role-writer'},
    subjects: [members('writers')],
  });
});
test.after.always(() => server?.stop());

const mapReader = {verbs: ['get', 'list'], apiGroups: [''], resources: ['configmaps']};
const role = (name: string, ...rules: object[]) => ({apiVersion, kind: 'Role', metadata: {name}, rules});

test('who writes a role must hold all that it gives, in its namespace, and is told what is lacking', async (t) => {
  const roles = new Roles(t, server);
  const writer = await userClient(t, server, 'walter', ['writers']);
  const path = rolePath('roles', 'default');
  const refused = await eventually(
    () => writer.post(path, role('by-walter', mapReader)),
    ({text}) => text.includes('attempting'),
  );
  t.is(refused.status, 403);
  const {message} = refused.json<{message: string}>();
  t.regex(
    message,
    /user "walter" \(groups=\["writers","system:authenticated"\]\) is attempting to grant RBAC permissions not currently held:\n/,
  );
  t.true(message.endsWith(':\n{APIGroups:[""], Resources:["configmaps"], Verbs:["get" "list"]}'));
  await roles.clusterRole('holds-maps', [mapReader]);
  await roles.bind('default', 'ClusterRole', 'holds-maps', user('walter'));
  const made = await eventually(
    () => writer.post(path, role('by-walter', mapReader)),
    ({status}) => status !== 403,
  );
  t.is(made.status, 201, made.text);
  t.is((await writer.put(`${path}/by-walter`, role('by-walter', mapReader, {...mapReader, resources: ['secrets']}))).status, 403);
  t.is((await writer.put(`${path}/by-walter`, role('by-walter', {...mapReader, resourceNames: ['one']}))).status, 200);
  t.is((await writer.put(`${path}/by-walter`, role('by-walter', {...mapReader, verbs: ['*']}))).status, 403);
  t.is((await writer.post(rolePath('roles', 'orch-system'), role('elsewhere', mapReader))).status, 403);
});

test('the verb `escalate` on roles lets a writer give what it does not have', async (t) => {
  const roles = new Roles(t, server);
  await roles.clusterRole('escalator', [{verbs: ['escalate'], apiGroups: [group], resources: ['clusterroles']}]);
  await roles.bindCluster('escalator', user('esther'));
  const esther = await userClient(t, server, 'esther', ['writers']);
  const body = {
    apiVersion,
    kind: 'ClusterRole',
    metadata: {name: 'by-esther'},
    rules: [{verbs: ['*'], apiGroups: ['*'], resources: ['*']}],
  };
  const made = await eventually(
    () => esther.post(rolePath('clusterroles'), body),
    ({status}) => status !== 403,
  );
  t.is(made.status, 201, made.text);
  t.is((await esther.post(rolePath('roles', 'default'), role('plain', mapReader))).status, 403);
});

test('an aggregated role can come to hold anything, so only who holds everything may write one', async (t) => {
  const roles = new Roles(t, server);
  await roles.clusterRole('maps-of-alice', [mapReader]);
  await roles.bindCluster('maps-of-alice', user('alice'));
  const alice = await userClient(t, server, 'alice', ['writers']);
  const plain = {apiVersion, kind: 'ClusterRole', metadata: {name: 'plain-of-alice'}, rules: [mapReader]};
  await eventually(
    () => alice.post(rolePath('clusterroles'), plain),
    ({status}) => status === 201,
  );
  const aggregated = {
    ...plain,
    metadata: {name: 'collects'},
    rules: [],
    aggregationRule: {clusterRoleSelectors: [{matchLabels: {a: 'b'}}]},
  };
  t.is((await alice.post(rolePath('clusterroles'), aggregated)).status, 403);
  t.is((await server.client.post(rolePath('clusterroles'), aggregated)).status, 201);
  t.is((await alice.patch(`${rolePath('clusterroles')}/collects`, {aggregationRule: null})).status, 403);
});

test('who binds a role must hold all that it gives or have the verb `bind` on it', async (t) => {
  const roles = new Roles(t, server);
  await roles.clusterRole('treasure', [{verbs: ['get'], apiGroups: [''], resources: ['secrets']}]);
  const binding = (kind: string, name: string, roleName: string) => ({
    apiVersion,
    kind,
    metadata: {name},
    roleRef: {apiGroup: group, kind: 'ClusterRole', name: roleName},
    subjects: [user('binder')],
  });
  const binder = await userClient(t, server, 'binder', ['writers']);
  const local = rolePath('rolebindings', 'default');
  await eventually(
    () => binder.post(local, binding('RoleBinding', 'try', 'treasure')),
    ({text}) => text.includes('attempting'),
  );
  const missing = await binder.post(local, binding('RoleBinding', 'try', 'not-there'));
  t.is(missing.status, 404, missing.text);
  await roles.clusterRole('treasure-binder', [
    {verbs: ['bind'], apiGroups: [group], resources: ['clusterroles'], resourceNames: ['treasure']},
  ]);
  await roles.bind('default', 'ClusterRole', 'treasure-binder', user('binder'));
  const made = await eventually(
    () => binder.post(local, binding('RoleBinding', 'try', 'treasure')),
    ({status}) => status !== 403,
  );
  t.is(made.status, 201, made.text);
  t.is((await binder.post(rolePath('clusterrolebindings'), binding('ClusterRoleBinding', 'try', 'treasure'))).status, 403);
  t.is((await binder.post(local, binding('RoleBinding', 'more', 'cluster-admin'))).status, 403);
});
