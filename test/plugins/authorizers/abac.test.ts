import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {resolveNaming} from '../../../core/options/resolve-naming.js';
import {AbacAuthorizer} from '../../../plugins/authorizers/abac/plugin.js';
import type {AuthorizationAttributes, UserInfo} from '@orch-api/orch/sdk';
import {startTestServer} from '@orch-api/orch/testing';
import {tempFolder} from '../../helpers/temp-folder.js';
import {strangerClient, userClient} from '../../helpers/user-client.js';

const naming = resolveNaming('kubernetes', undefined);
const versioned = (spec: object) => ({apiVersion: 'abac.authorization.kubernetes.io/v1beta1', kind: 'Policy', spec});

function policyFile(t: ExecutionContext, ...lines: readonly (object | string)[]): string {
  const file = join(tempFolder(t), 'policy.jsonl');
  writeFileSync(file, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'));
  return file;
}

const known = (username: string, ...groups: string[]): UserInfo => ({username, groups: [...groups, 'system:authenticated']});
const anonymous: UserInfo = {username: 'system:anonymous', groups: ['system:unauthenticated']};

function resource(user: UserInfo, verb: string, group: string, name: string, namespace = ''): AuthorizationAttributes {
  return {user, verb, isResourceRequest: true, path: '', group, version: 'v1', resource: name, subresource: '', namespace, name: ''};
}

function path(user: UserInfo, verb: string, where: string): AuthorizationAttributes {
  return {...resource(user, verb, '', ''), isResourceRequest: false, path: where};
}

const all = {apiGroup: '*', resource: '*', namespace: '*', nonResourcePath: '*'};
const pods = {resource: 'pods', namespace: 'a'};

/** Policy, question, whether it allows. */
const table: readonly [string, object, AuthorizationAttributes, boolean][] = [
  ['[B-ANON-5] user * is not the anonymous one', versioned({user: '*', ...all}), resource(anonymous, 'get', '', 'pods'), false],
  ['[B-ANON-5] group * is not that of the anonymous', versioned({group: '*', ...all}), resource(anonymous, 'get', '', 'pods'), false],
  ['[B-ANON-5] * of an unversioned policy is not the anonymous one', {user: '*'}, resource(anonymous, 'get', '', 'pods'), false],
  ['[B-ANON-5] an unversioned policy for nobody in particular is not for the anonymous', {}, path(anonymous, 'get', '/version'), false],
  ['[B-ANON-5] the anonymous user by name', versioned({user: 'system:anonymous', ...all}), resource(anonymous, 'get', '', 'pods'), true],
  [
    '[B-ANON-5] the group of the anonymous by name',
    versioned({group: 'system:unauthenticated', ...all}),
    path(anonymous, 'get', '/x'),
    true,
  ],
  ['user * is everybody known', versioned({user: '*', ...all}), resource(known('u'), 'delete', 'apps', 'deployments', 'n'), true],
  ['group * is everybody known', versioned({group: '*', ...all}), resource(known('u'), 'delete', '', 'nodes'), true],
  [
    'an unversioned policy without users is for everybody known',
    {readonly: true},
    resource(known('u'), 'list', 'apps', 'deployments'),
    true,
  ],
  ['readonly allows no writes', {readonly: true}, resource(known('u'), 'create', '', 'pods'), false],
  [
    'an unversioned policy allows paths only without resource and namespace',
    {user: 'u', resource: 'pods'},
    path(known('u'), 'get', '/x'),
    false,
  ],
  [
    'an unversioned policy is for all groups',
    {user: 'u', resource: 'deployments'},
    resource(known('u'), 'get', 'apps', 'deployments'),
    true,
  ],
  ['the core group is the empty one', versioned({user: 'u', ...pods}), resource(known('u'), 'create', '', 'pods', 'a'), true],
  ['another group', versioned({user: 'u', ...pods}), resource(known('u'), 'create', 'metrics', 'pods', 'a'), false],
  ['another namespace', versioned({user: 'u', ...pods}), resource(known('u'), 'create', '', 'pods', 'b'), false],
  ['another user', versioned({user: 'u', ...pods}), resource(known('v'), 'create', '', 'pods', 'a'), false],
  ['user and group must both fit', versioned({user: 'u', group: 'g', ...pods}), resource(known('u'), 'get', '', 'pods', 'a'), false],
  ['user and group both fit', versioned({user: 'u', group: 'g', ...pods}), resource(known('u', 'g'), 'get', '', 'pods', 'a'), true],
  [
    'user * and a group: everybody known counts',
    versioned({user: '*', group: 'g', ...pods}),
    resource(known('u'), 'get', '', 'pods', 'a'),
    true,
  ],
  ['a policy for nobody', versioned(all), resource(known('u'), 'get', '', 'pods'), false],
  ['a path', versioned({user: 'u', nonResourcePath: '/logs'}), path(known('u'), 'get', '/logs'), true],
  ['a path is exact', versioned({user: 'u', nonResourcePath: '/logs'}), path(known('u'), 'get', '/logs/a'), false],
  ['a path with * for the rest', versioned({user: 'u', nonResourcePath: '/logs/*'}), path(known('u'), 'post', '/logs/a/b'), true],
  ['readonly of a path', versioned({user: 'u', readonly: true, nonResourcePath: '*'}), path(known('u'), 'post', '/x'), false],
  ['a path gives no resources', versioned({user: 'u', nonResourcePath: '*'}), resource(known('u'), 'get', '', 'pods'), false],
];

for (const [title, policy, question, allowed] of table) {
  test(`ABAC: ${title}`, (t) => {
    const authorizer = new AbacAuthorizer({policyFile: policyFile(t, '# a comment', '', policy)}, naming);
    const {decision, reason} = authorizer.authorize(question);
    t.deepEqual([decision, reason], allowed ? ['allow', undefined] : ['no-opinion', 'No policy matched.']);
  });
}

const wrong: readonly [object | string, RegExp][] = [
  ['{', /^--authorization-policy-file: .*policy.jsonl, line 2: /],
  [[1], /line 2: the policy must be an object$/],
  [
    {apiVersion: 'v1', kind: 'Policy'},
    /line 2: a policy is of the kind Policy in abac.authorization.kubernetes.io\/v1beta1, or has neither kind nor apiVersion$/,
  ],
  [{user: 'u', readOnly: true}, /line 2: readOnly is not known; there are user, group, resource, namespace, readonly$/],
  [versioned({user: 'u', verbs: ['get']}), /line 2: spec.verbs is not known/],
  [versioned({user: 1}), /line 2: user must be a string$/],
  [versioned({readonly: 'true'}), /line 2: readonly must be true or false$/],
];
for (const [line, message] of wrong) {
  test(`ABAC: ${JSON.stringify(line)} is refused with its line`, (t) => {
    t.throws(() => new AbacAuthorizer({policyFile: policyFile(t, {user: 'somebody'}, line)}, naming), {message});
  });
}

test('[B-ANON-5] a server with ABAC and RBAC asks one after the other; reviews and rules tell the same', async (t) => {
  const file = policyFile(
    t,
    {user: '*', readonly: true, resource: 'configmaps'},
    versioned({user: 'system:anonymous', nonResourcePath: '/metrics*'}),
  );
  const server = await startTestServer({
    platform: 'kubernetes',
    authorizationMode: ['ABAC', 'RBAC'],
    flags: {'authorization-policy-file': file},
  });
  t.teardown(() => server.stop());
  const [ursula, stranger] = [await userClient(t, server, 'ursula'), await strangerClient(t, server)];
  const maps = '/api/v1/namespaces/default/configmaps';
  t.is((await ursula.get(maps)).status, 200);
  const refused = await ursula.post(maps, {metadata: {name: 'a'}});
  t.is(refused.status, 403);
  t.regex(refused.text, /No policy matched\./);
  t.is((await stranger.get(maps)).status, 403);
  t.is((await stranger.get('/metrics')).status === 403, false);
  t.is((await ursula.get('/version')).status, 200, 'RBAC');
  const ask = async (verb: string) => {
    const review = {
      spec: {user: 'someone', groups: ['system:authenticated'], resourceAttributes: {verb, resource: 'configmaps', namespace: 'x'}},
    };
    return (await server.client.post('/apis/authorization.k8s.io/v1/subjectaccessreviews', review)).json<{status: {allowed: boolean}}>()
      .status.allowed;
  };
  t.deepEqual([await ask('list'), await ask('create')], [true, false]);
  const rules = await ursula.post('/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', {spec: {namespace: 'default'}});
  const {status} = rules.json<{status: {incomplete: boolean; resourceRules: {resources: string[]; verbs: string[]}[]}}>();
  t.deepEqual(status.resourceRules.find(({resources}) => resources.includes('configmaps'))?.verbs, ['get', 'list', 'watch']);
});

test('a policy file without ABAC, and a mode without its file, keep the server from starting', async (t) => {
  const file = policyFile(t, {});
  const flags = {'authorization-policy-file': file};
  await t.throwsAsync(startTestServer({flags}), {
    message: /--authorization-policy-file has no effect without the authorization mode ABAC/,
  });
  await t.throwsAsync(startTestServer({authorizationMode: ['ABAC']}), {
    message: /the authorization mode ABAC needs --authorization-policy-file/,
  });
  await t.throwsAsync(startTestServer({authorizationMode: ['RBAC', 'Webhook']}), {
    message: /mode Webhook needs --authorization-webhook-config-file/,
  });
  await t.throwsAsync(startTestServer({authorizationMode: ['ABAC'], flags: {'authorization-policy-file': `${file}.absent`}}), {
    message: /cannot be read: ENOENT/,
  });
});
