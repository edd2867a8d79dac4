import test from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {eventually} from '../../../helpers/eventually.js';
import {tempFolder} from '../../../helpers/temp-folder.js';
import {strangerClient, userClient} from '../../../helpers/user-client.js';
import {rolePath, Roles, user, type Rule} from './roles.js';

interface RoleBody {
  metadata: {name: string; labels?: Record<string, string>; annotations?: Record<string, string>; resourceVersion: string};
  rules: Rule[];
}

let server: TestServer;
test.before(async () => {
  server = await startTestServer();
});
test.after.always(() => server?.stop());

test('everybody who is known may look around and ask about himself; anonymous callers see no more than version and health', async (t) => {
  const somebody = await userClient(t, server, 'somebody');
  for (const path of ['/api', '/apis', '/apis/apps/v1', '/openapi/v2', '/openapi/v3', '/version'])
    t.is((await somebody.get(path)).status, 200, path);
  const review = {
    apiVersion: 'authorization.orch/v1',
    kind: 'SelfSubjectAccessReview',
    spec: {resourceAttributes: {verb: 'get', resource: 'secrets'}},
  };
  const answer = await somebody.post('/apis/authorization.orch/v1/selfsubjectaccessreviews', review);
  t.is(answer.status, 201, answer.text);
  t.false(answer.json<{status: {allowed: boolean}}>().status.allowed);
  const stranger = await strangerClient(t, server);
  for (const path of ['/version', '/livez', '/readyz', '/healthz']) t.is((await stranger.get(path)).status, 200, path);
  for (const path of ['/api', '/apis/apps/v1', '/openapi/v2', '/', '/api/v1/namespaces'])
    t.is((await stranger.get(path)).status, 403, path);
});

test('view, edit and admin in a namespace allow reading all but secrets, writing too, and giving rights to others', async (t) => {
  const roles = new Roles(t, server);
  await roles.namespace('team');
  for (const role of ['view', 'edit', 'admin']) await roles.bind('team', 'ClusterRole', role, user(`the-${role}`));
  const may: Record<string, number[]> = {view: [200, 403, 403, 403], edit: [200, 200, 201, 403], admin: [200, 200, 201, 200]};
  for (const [role, expected] of Object.entries(may)) {
    const client = await userClient(t, server, `the-${role}`);
    await eventually(
      async () => (await client.get('/api/v1/namespaces/team/configmaps')).status,
      (status) => status === 200,
    );
    const answers = [
      await client.get('/apis/apps/v1/namespaces/team/deployments'),
      await client.get('/api/v1/namespaces/team/secrets'),
      await client.post('/api/v1/namespaces/team/configmaps', {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: `by-${role}`}}),
      await client.get(rolePath('roles', 'team')),
    ];
    t.deepEqual(
      answers.map(({status}) => status),
      expected,
      role,
    );
    t.is((await client.get('/api/v1/namespaces/default/configmaps')).status, 403);
  }
});

test('a role with the right label becomes part of an aggregated role, and ends to be when it goes', async (t) => {
  const roles = new Roles(t, server);
  const label = {'rbac.authorization.orch/aggregate-to-view': 'true'};
  const rule = {verbs: ['get'], apiGroups: ['example.com'], resources: ['gadgets']};
  await roles.clusterRole('gadget-viewer', [rule], {labels: label});
  const read = async (name: string) => (await server.client.get(`${rolePath('clusterroles')}/${name}`)).json<RoleBody>().rules ?? [];
  const has = (rules: Rule[]) => rules.some(({apiGroups, resources}) => apiGroups?.[0] === 'example.com' && resources?.[0] === 'gadgets');
  for (const name of ['view', 'edit', 'admin']) await eventually(() => read(name), has);
  t.false(has(await read('system:aggregate-to-view')));
  await server.client.delete(`${rolePath('clusterroles')}/gadget-viewer`);
  for (const name of ['view', 'edit', 'admin'])
    await eventually(
      () => read(name),
      (rules) => !has(rules),
    );
});

test('an aggregated role has the rules of every role that one of its selectors chooses, each once, whatever is written into it', async (t) => {
  const roles = new Roles(t, server);
  const rule = (resource: string) => ({verbs: ['get'], apiGroups: ['example.com'], resources: [resource]});
  const aggregationRule = {
    clusterRoleSelectors: [{matchLabels: {part: 'one'}}, {matchExpressions: [{key: 'part', operator: 'In', values: ['two']}]}],
  };
  await roles.clusterRole('part-b', [rule('cups'), rule('plates')], {labels: {part: 'two'}});
  await roles.clusterRole('part-a', [rule('plates'), rule('forks')], {labels: {part: 'one'}});
  await roles.clusterRole('part-c', [rule('knives')], {labels: {part: 'three'}});
  const path = rolePath('clusterroles');
  const body = {
    apiVersion: 'rbac.authorization.orch/v1',
    kind: 'ClusterRole',
    metadata: {name: 'tableware'},
    rules: [rule('pans')],
    aggregationRule,
  };
  t.is((await server.client.post(path, body)).status, 201);
  const names = async () =>
    (await server.client.get(`${path}/tableware`)).json<RoleBody>().rules?.map(({resources}) => resources![0]) ?? [];
  const expected = ['plates', 'forks', 'cups'];
  const isExpected = (found: (string | undefined)[]) => JSON.stringify(found) === JSON.stringify(expected);
  await eventually(names, isExpected);
  t.is((await server.client.patch(`${path}/tableware`, {rules: [rule('pans')]})).status, 200);
  t.deepEqual(await eventually(names, isExpected), expected);
});

test('a start changes nothing that is as it should be, puts back what is missing, and leaves alone what is not to be updated', async (t) => {
  const dataDir = tempFolder(t);
  const open = () => startTestServer({store: 'embedded', dataDir});
  const all = async (from: TestServer) => {
    const lists = await Promise.all(
      ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'].map(
        async (type) => (await from.client.get(rolePath(type))).json<{items: RoleBody[]}>().items,
      ),
    );
    return new Map(lists.flat().map((item) => [`${item.metadata.name}`, item]));
  };
  const first = await open();
  const before = await all(first);
  t.true(before.size > 25);
  await first.client.delete(`${rolePath('clusterroles')}/system:basic-user`);
  await first.client.patch(`${rolePath('clusterroles')}/system:discovery`, {rules: []});
  const own = {metadata: {annotations: {'rbac.authorization.orch/autoupdate': 'false'}}, rules: []};
  await first.client.patch(`${rolePath('clusterroles')}/system:kube-dns`, own);
  await first.client.patch(`${rolePath('clusterrolebindings')}/system:basic-user`, {
    subjects: [{kind: 'User', apiGroup: 'rbac.authorization.orch', name: 'extra'}],
  });
  await first.stop();
  const second = await open();
  t.teardown(() => second.stop());
  const after = await all(second);
  t.deepEqual([...after.keys()].sort(), [...before.keys()].sort());
  t.deepEqual(after.get('system:basic-user')!.rules, before.get('system:basic-user')!.rules);
  t.deepEqual(after.get('system:discovery')!.rules, before.get('system:discovery')!.rules);
  t.deepEqual(after.get('system:kube-dns')!.rules ?? [], []);
  t.is(after.get('cluster-admin')!.metadata.resourceVersion, before.get('cluster-admin')!.metadata.resourceVersion);
  t.is(after.get('admin')!.metadata.resourceVersion, before.get('admin')!.metadata.resourceVersion);
  const subjects = (await second.client.get(`${rolePath('clusterrolebindings')}/system:basic-user`)).json<{subjects: {name: string}[]}>()
    .subjects;
  t.deepEqual(
    subjects.map(({name}) => name),
    ['extra', 'system:authenticated'],
  );
});

test('under the platform kubernetes names, groups, labels and annotations are those of Kubernetes', async (t) => {
  await using other = await startTestServer({platform: 'kubernetes'});
  const base = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
  const edit = (await other.client.get(`${base}/system:aggregate-to-edit`)).json<RoleBody>();
  t.is(edit.metadata.labels!['rbac.authorization.k8s.io/aggregate-to-edit'], 'true');
  t.is(edit.metadata.labels!['kubernetes.io/bootstrapping'], 'rbac-defaults');
  t.is(edit.metadata.annotations!['rbac.authorization.kubernetes.io/autoupdate'], 'true');
  t.true(edit.rules.some(({apiGroups}) => apiGroups?.[0] === 'networking.k8s.io'));
  const approver = (await other.client.get(`${base}/system:certificates.k8s.io:kube-apiserver-client-kubelet-approver`)).json<RoleBody>();
  t.deepEqual(approver.rules[0]!.resourceNames, ['kubernetes.io/kube-apiserver-client-kubelet']);
});
