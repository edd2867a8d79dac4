import test, {type ExecutionContext} from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {eventually} from '../../../helpers/eventually.js';
import type {HttpsClient} from '../../../helpers/https-client.js';
import {isWithin, longestTurn} from '../../../helpers/longest-turn.js';
import {userClient} from '../../../helpers/user-client.js';
import {rolePath, Roles, user, type Rule} from './roles.js';

const apiVersion = 'rbac.authorization.orch/v1';
const local = rolePath('roles', 'default');
/** Milliseconds of processor that one request may keep all others waiting. */
const stallLimit = 100;

let server: TestServer;
test.before(async () => {
  server = await startTestServer();
});
test.after.always(() => server?.stop());

const texts = (letter: string, count: number) => Array.from({length: count}, (_, index) => `${letter}${index}`);
const role = (name: string, ...rules: Rule[]) => ({apiVersion, kind: 'Role', metadata: {name}, rules});
const cube = (edge: number): Rule => ({verbs: texts('v', edge), apiGroups: texts('g', edge), resources: texts('r', edge)});

/** The administrator of the namespace `default`. */
async function namespaceAdmin(t: ExecutionContext, name: string): Promise<HttpsClient> {
  const roles = new Roles(t, server);
  const client = await userClient(t, server, name);
  await roles.clusterRole(`admin-of-${name}`, [], {});
  const {status} = await server.client.post(rolePath('rolebindings', 'default'), {
    apiVersion,
    kind: 'RoleBinding',
    metadata: {name: `admin-of-${name}`},
    roleRef: {apiGroup: 'rbac.authorization.orch', kind: 'ClusterRole', name: 'admin'},
    subjects: [user(name)],
  });
  t.is(status, 201);
  await eventually(
    () => client.get(local),
    (answer) => answer.status === 200,
  );
  return client;
}

for (const edge of [120, 400]) {
  test.serial(`a role of ${edge}³ permissions is refused without holding up the server, also as a dry run`, async (t) => {
    const admin = await namespaceAdmin(t, `edge-${edge}`);
    const bomb = role('bomb', cube(edge));
    for (const path of [local, `${local}?dryRun=All`]) {
      const {result, longestMillis} = await longestTurn(() => admin.post(path, bomb));
      t.true(await isWithin(longestMillis, stallLimit), `${longestMillis} ms`);
      t.is(result.status, 403, result.text.slice(0, 500));
      const {message} = result.json<{message: string}>();
      t.regex(
        message,
        /is attempting to grant RBAC permissions not currently held:\n\{APIGroups:\["g0"\], Resources:\["r0"\], Verbs:\["v0" /,
      );
      t.true(message.endsWith(`\nand ${edge ** 2 - 20} more`), message.slice(-100));
      t.true(message.length < 50_000);
    }
  });
}

test.serial('permissions by the million are granted by whoever holds them, by roles and by bindings', async (t) => {
  const roles = new Roles(t, server);
  const admin = await namespaceAdmin(t, 'holder');
  const edge = 120;
  // Held in four quarters, which only together are the whole.
  const {verbs, apiGroups, resources} = cube(edge) as Required<Rule>;
  const half = edge / 2;
  const quarters = [0, half].flatMap((v) =>
    [0, half].map((r) => ({verbs: verbs.slice(v, v + half), apiGroups, resources: resources.slice(r, r + half)})),
  );
  await roles.clusterRole('quarters', quarters);
  await roles.bind('default', 'ClusterRole', 'quarters', user('holder'));
  await roles.clusterRole('whole', [cube(edge)]);
  await roles.clusterRole('more', [cube(edge), {verbs: ['v0'], apiGroups: ['g0'], resources: ['other']}]);
  const {result, longestMillis} = await longestTurn(() =>
    eventually(
      () => admin.post(local, role('whole', cube(edge))),
      ({status}) => status !== 403,
    ),
  );
  t.is(result.status, 201, result.text.slice(0, 500));
  t.true(await isWithin(longestMillis, stallLimit), `${longestMillis} ms`);
  const binding = (name: string) => ({
    apiVersion,
    kind: 'RoleBinding',
    metadata: {name: `to-${name}`},
    roleRef: {apiGroup: 'rbac.authorization.orch', kind: 'ClusterRole', name},
    subjects: [user('friend')],
  });
  const bound = await longestTurn(async () => [
    await admin.post(rolePath('rolebindings', 'default'), binding('whole')),
    await admin.post(rolePath('rolebindings', 'default'), binding('more')),
  ]);
  t.deepEqual(
    bound.result.map(({status}) => status),
    [201, 403],
  );
  t.true(bound.result[1]!.text.includes('currently held:\\n{APIGroups:[\\"g0\\"], Resources:[\\"other\\"], Verbs:[\\"v0\\"]}"'));
  t.true(await isWithin(bound.longestMillis, stallLimit), `${bound.longestMillis} ms`);
});

test.serial('an aggregated role of many permissions is judged as cheaply', async (t) => {
  const roles = new Roles(t, server);
  await roles.clusterRole('role-writer', [{verbs: ['create'], apiGroups: ['rbac.authorization.orch'], resources: ['clusterroles']}]);
  await roles.bindCluster('role-writer', user('collector'));
  const collector = await userClient(t, server, 'collector');
  const body = {
    apiVersion,
    kind: 'ClusterRole',
    metadata: {name: 'collected'},
    rules: [cube(120)],
    aggregationRule: {clusterRoleSelectors: [{matchLabels: {a: 'b'}}]},
  };
  const {result, longestMillis} = await longestTurn(() =>
    eventually(
      () => collector.post(rolePath('clusterroles'), body),
      ({text}) => text.includes('attempting'),
    ),
  );
  t.is(result.status, 403);
  t.true(await isWithin(longestMillis, stallLimit), `${longestMillis} ms`);
});

test.serial('the parts of a rule are bounded, whoever writes it', async (t) => {
  const rules: Rule[] = [
    {verbs: texts('v', 1001), apiGroups: [''], resources: ['pods']},
    {verbs: ['get'], apiGroups: texts('g', 1001), resources: texts('r', 5001), resourceNames: texts('n', 10_001)},
    {verbs: ['get'], nonResourceURLs: texts('/p', 1001)},
  ];
  const admin = await namespaceAdmin(t, 'plenty');
  for (const client of [server.client, admin]) {
    const answer = await client.post(local, role('plenty', ...rules));
    t.is(answer.status, 422);
    const {details} = answer.json<{details: {causes: {field: string; message: string}[]}}>();
    t.deepEqual(
      details.causes.filter(({message}) => message.startsWith('Too many')).map(({field, message}) => `${field}: ${message}`),
      [
        'rules[0].verbs: Too many: 1001: must have at most 1000 items',
        'rules[1].apiGroups: Too many: 1001: must have at most 1000 items',
        'rules[1].resources: Too many: 5001: must have at most 5000 items',
        'rules[1].resourceNames: Too many: 10001: must have at most 10000 items',
        'rules[2].nonResourceURLs: Too many: 1001: must have at most 1000 items',
      ],
    );
    const many = Array.from({length: 10_001}, () => ({verbs: []}));
    const refused = await client.post(local, role('plenty', ...many));
    t.is(refused.status, 422);
    t.true(refused.json<{message: string}>().message.endsWith('rules: Too many: 10001: must have at most 10000 items'));
  }
});
