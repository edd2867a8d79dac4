import test, {type ExecutionContext} from 'ava';
import {defineAuthorizer, definePlugin, type PluginDefinition} from '@orch-api/orch/sdk';
import {startTestServer, type ServerOptions} from '@orch-api/orch/testing';
import {strangerClient, userClient} from '../../helpers/user-client.js';

const path = '/api/v1/namespaces/default/configmaps';

/** Status codes of a user without rights, of a caller without credentials, and of the administrator. */
async function statuses(t: ExecutionContext, options: ServerOptions): Promise<number[]> {
  const server = await startTestServer(options);
  t.teardown(() => server.stop());
  const clients = [await userClient(t, server, 'ursula'), await strangerClient(t, server)];
  const answers = await Promise.all(clients.map((client) => client.get(path)));
  return [...answers.map(({status}) => status), (await server.client.get(path)).status];
}

test('[B-ANON-3] anonymous access is on by default, but not where authorization allows everything', async (t) => {
  t.deepEqual(await statuses(t, {}), [403, 403, 200]);
  t.deepEqual(await statuses(t, {authorizationMode: ['AlwaysAllow']}), [200, 401, 200]);
  t.deepEqual(await statuses(t, {authorizationMode: ['AlwaysAllow'], flags: {'anonymous-auth': true}}), [200, 200, 200]);
});

test('--authorization-mode names who decides, in order; the first that allows is enough, and system:masters may do everything', async (t) => {
  t.deepEqual(await statuses(t, {authorizationMode: ['AlwaysDeny']}), [403, 403, 200]);
  t.deepEqual(await statuses(t, {authorizationMode: ['RBAC', 'AlwaysAllow']}), [200, 401, 200]);
  t.deepEqual(await statuses(t, {configuration: {authorizationMode: ['RBAC', 'AlwaysAllow']}}), [200, 401, 200]);
  await t.throwsAsync(startTestServer({authorizationMode: ['Sometimes']}), {
    message: /there is no authorization mode Sometimes; there are ABAC, AlwaysAllow, AlwaysDeny, Node, RBAC, Webhook \(authorizationMode/,
  });
});

test('[B-ANON-2] with --anonymous-auth=false a request without credentials is answered 401', async (t) => {
  t.deepEqual(await statuses(t, {flags: {'anonymous-auth': false}}), [403, 401, 200]);
});

test('where no authorizer takes part, or a plugin is on whose mode is not named, nobody but system:masters may do anything', async (t) => {
  t.deepEqual(await statuses(t, {disablePlugins: ['rbac']}), [403, 403, 200]);
  t.deepEqual(await statuses(t, {enablePlugins: ['authorization-always-allow']}), [403, 403, 200]);
});

test('naming a mode turns on its plugin, but not one that somebody has turned off', async (t) => {
  t.deepEqual(
    await statuses(t, {pluginProfile: 'minimal', onlyPlugins: ['anonymous'], authorizationMode: ['AlwaysAllow']}),
    [200, 401, 200],
  );
  await t.throwsAsync(startTestServer({authorizationMode: ['RBAC', 'AlwaysAllow'], disablePlugins: ['authorization-*']}), {
    message: /the authorization mode AlwaysAllow belongs to the plugin authorization-always-allow, which is disabled/,
  });
  await t.throwsAsync(startTestServer({authorizationMode: ['RBAC'], configuration: {plugins: {rbac: {enabled: false}}}}), {
    message: /the authorization mode RBAC belongs to the plugin rbac, which is disabled/,
  });
});

/** A stranger's authorizer: as the mode `Gate` it allows one group, denies another, and says what it was asked. */
function gate(asked: string[], mode = 'Gate'): PluginDefinition {
  return definePlugin({name: 'gate', version: '1.0.0', kernel: '*'}, [
    defineAuthorizer({
      name: 'gate',
      mode,
      create: () => ({
        authorize({user, name}) {
          asked.push(`${user.username} ${name}`);
          if (user.groups.includes('guests')) return {decision: 'allow'};
          return user.groups.includes('banned') ? {decision: 'deny', reason: 'the gate is shut'} : {decision: 'no-opinion'};
        },
        rulesFor: ({groups}) => ({
          resourceRules: groups.includes('guests') ? [{verbs: ['get'], apiGroups: [''], resources: ['gates']}] : [],
          nonResourceRules: [],
          incomplete: false,
        }),
      }),
    }),
  ]);
}

test("a stranger's authorizer stands between Node and RBAC where --authorization-mode says so, and its rules are among those of all", async (t) => {
  const asked: string[] = [];
  await using server = await startTestServer({
    plugins: [gate(asked)],
    authorizationMode: ['Node', 'Gate', 'RBAC'],
    disableAdmissionPlugins: ['NodeRestriction'],
  });
  const get = async (url: string, user: string, group: string) =>
    (await server.client.get(url, {headers: {'impersonate-user': user, 'impersonate-group': group}})).status;
  // Node allows it: nobody behind it is asked.
  t.is(await get('/api/v1/nodes', 'system:node:one', 'system:nodes'), 200);
  t.false(asked.some((question) => question.startsWith('system:node:one')));
  t.is(await get(`${path}/absent`, 'ada', 'guests'), 404, 'the gate allows what RBAC would not');
  t.is(await get(`${path}/absent`, 'eve', 'others'), 403);
  t.true(asked.includes('eve absent'), 'the gate has no opinion, RBAC decides');
  // RBAC would allow this to all who are known, and the gate comes before it.
  t.is(await get('/version', 'system:serviceaccount:default:x', 'system:authenticated'), 200);
  t.is(await get('/apis/rbac.authorization.orch', 'mallory', 'banned'), 403);
  const {status} = (
    await server.client.post(
      '/apis/authorization.orch/v1/selfsubjectrulesreviews',
      {spec: {namespace: 'default'}},
      {headers: {'impersonate-user': 'ada', 'impersonate-group': 'guests'}},
    )
  ).json<{status: {resourceRules: {resources: string[]}[]; incomplete: boolean}}>();
  t.true(status.resourceRules.some(({resources}) => resources.includes('gates')));
  t.false(status.incomplete);
});

test('without --authorization-mode an authorizer of a further plugin is asked too; with it only where it is named', async (t) => {
  for (const [authorizationMode, code] of [
    [undefined, 404],
    [['RBAC', 'Gate'], 404],
    [['RBAC'], 403],
  ] as const) {
    await using server = await startTestServer({plugins: [gate([])], ...(authorizationMode ? {authorizationMode} : {})});
    const headers = {'impersonate-user': 'ada', 'impersonate-group': 'guests'};
    t.is((await server.client.get(`${path}/absent`, {headers})).status, code, authorizationMode?.join());
  }
});

test('two plugins with one mode are a conflict, unless one of them does not take part', async (t) => {
  await t.throwsAsync(startTestServer({plugins: [gate([], 'RBAC')]}), {
    message: /the authorization mode RBAC is also contributed by plugin (?:rbac|gate)/,
  });
  await using server = await startTestServer({plugins: [gate([], 'RBAC')], disablePlugins: ['rbac'], authorizationMode: ['RBAC']});
  const headers = {'impersonate-user': 'ada', 'impersonate-group': 'guests'};
  t.is((await server.client.get(`${path}/absent`, {headers})).status, 404);
});

test('a list of modes that is empty or names one twice is refused', async (t) => {
  await t.throwsAsync(startTestServer({authorizationMode: []}), {message: /at least one authorization mode must be named/});
  await t.throwsAsync(startTestServer({authorizationMode: ['RBAC', 'RBAC']}), {message: /the authorization mode RBAC is named twice/});
});
