import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {causesOf, faultyFields, servedGroup, tableRows} from '../served-group.js';

const client = servedGroup(test);
const group = 'rbac.authorization.orch';
const base = `/apis/${group}/v1`;
const local = `${base}/namespaces/default`;

test('a rule names verbs and what they are for', async (t) => {
  const rules = [
    {verbs: [], apiGroups: [''], resources: ['pods']},
    {verbs: ['get']},
    {verbs: ['get'], nonResourceURLs: ['/metrics']},
    {verbs: ['get'], nonResourceURLs: ['/metrics'], resources: ['pods']},
  ];
  t.deepEqual(causesOf(await client().post(`${local}/roles`, {metadata: {name: 'bad'}, rules})), [
    'rules[0].verbs: Required value: verbs must contain at least one value',
    'rules[1].apiGroups: Required value: resource rules must supply at least one api group',
    'rules[1].resources: Required value: resource rules must supply at least one resource',
    'rules[2].nonResourceURLs: Invalid value: ["/metrics"]: namespaced rules cannot apply to non-resource URLs',
    'rules[3].nonResourceURLs: Invalid value: ["/metrics"]: namespaced rules cannot apply to non-resource URLs',
    'rules[3].nonResourceURLs: Invalid value: ["/metrics"]: rules cannot apply to both regular resources and non-resource URLs',
  ]);
  t.deepEqual(faultyFields(await client().post(`${base}/clusterroles`, {metadata: {name: 'bad'}, rules: rules.slice(2)})), [
    'rules[1].nonResourceURLs',
  ]);
  t.is((await client().post(`${base}/clusterroles`, {metadata: {name: 'system:reader'}, rules: rules.slice(2, 3)})).status, 201);
});

test('names may be any segment of a path, and a PUT may create', async (t) => {
  for (const name of ['system:Node_1', 'a b']) {
    t.is((await client().put(`${local}/roles/${encodeURIComponent(name)}`, {metadata: {name}, rules: []})).status, 201, name);
  }
  t.deepEqual(faultyFields(await client().post(`${local}/roles`, {metadata: {name: 'a%b'}})), ['metadata.name']);
});

test('an aggregated cluster role chooses others by label', async (t) => {
  const make = (clusterRoleSelectors?: object[]) =>
    client().post(`${base}/clusterroles`, {metadata: {name: 'sum'}, aggregationRule: {clusterRoleSelectors}});
  const missing = [
    'aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil',
  ];
  t.deepEqual(causesOf(await make()), missing);
  t.deepEqual(faultyFields(await make([{matchLabels: {'a b': 'c'}}])), [
    'aggregationRule.clusterRoleSelectors[0].matchLabels',
    'aggregationRule.clusterRoleSelectors[0]',
  ]);
  t.is((await make([{matchLabels: {a: 'b'}}])).status, 201);
});

test('a binding names a role that there can be, and subjects of known kinds', async (t) => {
  const subjects = [
    {kind: 'User', name: 'jo', apiGroup: 'other'},
    {kind: 'Group', name: ''},
    {kind: 'ServiceAccount', name: 'Bad_Name', apiGroup: group},
    {kind: 'ServiceAccount', name: 'sa'},
    {kind: 'Robot', name: 'r'},
  ];
  const shared = ['subjects[0].apiGroup', 'subjects[1].name', 'subjects[2].name', 'subjects[2].apiGroup'];
  const body = {metadata: {name: 'bad'}, roleRef: {apiGroup: 'other', kind: 'Job', name: 'a/b'}, subjects};
  const roleRef = ['roleRef.apiGroup', 'roleRef.kind', 'roleRef.name'];
  t.deepEqual(faultyFields(await client().post(`${local}/rolebindings`, body)), [...roleRef, ...shared, 'subjects[4].kind']);
  t.deepEqual(faultyFields(await client().post(`${base}/clusterrolebindings`, body)), [
    ...roleRef,
    ...shared,
    'subjects[2].namespace',
    'subjects[3].namespace',
    'subjects[4].kind',
  ]);
  t.deepEqual(causesOf(await client().post(`${base}/clusterrolebindings`, {metadata: {name: 'bad'}, roleRef: {kind: 'Role', name: ''}})), [
    'roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"',
    'roleRef.name: Required value',
  ]);
});

test('groups of subjects and roles are filled in, also under another naming profile', async (t) => {
  const body = (apiGroup?: string) => ({
    metadata: {name: 'team'},
    roleRef: {kind: 'ClusterRole', name: 'view', ...(apiGroup ? {apiGroup} : {})},
    subjects: [
      {kind: 'Group', name: 'team'},
      {kind: 'ServiceAccount', name: 'sa'},
    ],
  });
  t.like((await client().post(`${local}/rolebindings`, body())).json<object>(), {
    roleRef: {apiGroup: group},
    subjects: [
      {kind: 'Group', apiGroup: group},
      {kind: 'ServiceAccount', name: 'sa'},
    ],
  });
  await using server = await startTestServer({platform: 'kubernetes'});
  const bindings = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings';
  t.like((await server.client.post(bindings, body('rbac.authorization.k8s.io'))).json<object>(), {
    subjects: [{apiGroup: 'rbac.authorization.k8s.io'}, {name: 'sa'}],
  });
  t.deepEqual(faultyFields(await server.client.post(bindings, {...body(group), metadata: {name: 'other'}})), ['roleRef.apiGroup']);
});

test('who has a role may change, the role may not', async (t) => {
  const made = (
    await client().post(`${local}/rolebindings`, {metadata: {name: 'fixed'}, roleRef: {kind: 'Role', name: 'a'}})
  ).json<object>();
  const changed = await client().put(`${local}/rolebindings/fixed`, {...made, roleRef: {kind: 'Role', name: 'b'}});
  t.deepEqual(faultyFields(changed), ['roleRef']);
  t.true(causesOf(changed)[0]!.endsWith('cannot change roleRef'));
  const subjects = [
    {kind: 'User', name: 'jo'},
    {kind: 'User', name: 'al'},
    {kind: 'Group', name: 'team'},
    {kind: 'ServiceAccount', namespace: 'ns', name: 'sa'},
  ];
  t.is((await client().patch(`${local}/rolebindings/fixed`, {subjects})).status, 200);
  t.like((await tableRows(client(), `${local}/rolebindings/fixed`))[0], {
    Role: 'Role/a',
    Users: 'jo, al',
    Groups: 'team',
    ServiceAccounts: 'ns/sa',
  });
});
