import test from 'ava';
import {
  definePlugin,
  defineResource,
  defineRoute,
  Tokens,
  type ObjectCache,
  type PluginDefinition,
  type ResourceClient,
} from '@orch-api/orch/sdk';
import {startTestServer, type ServerOptions, type TestServer} from '@orch-api/orch/testing';
import {until} from '../../helpers/eventually.js';
import {recordingLogger} from '../../helpers/recording-logger.js';
import type {Teardown} from '../../helpers/temp-folder.js';

const core = (resource: string) => ({group: '', version: 'v1', resource});
const rooms = {group: 'rooms.example.com', version: 'v1', resource: 'rooms'};
const signal = new AbortController().signal;

/** What a plugin tries, and whether it may. */
async function tryAll(resources: ResourceClient, cache: ObjectCache): Promise<Record<string, string>> {
  const did: Record<string, string> = {};
  const attempt = async (name: string, work: () => unknown) => {
    try {
      await work();
      did[name] = 'done';
    } catch (error) {
      did[name] = String((error as {code: unknown}).code);
    }
  };
  await attempt('own', () => resources.list(rooms, ''));
  await attempt('ownWrite', () => resources.create(rooms, 'default', {metadata: {generateName: 'room-'}}));
  await attempt('write', () => resources.create(core('configmaps'), 'default', {metadata: {generateName: 'made-'}}));
  await attempt('read', () => resources.list(core('secrets'), ''));
  await attempt('watch', async () => {
    for await (const _ of resources.watch(core('namespaces'), '', {signal})) break;
  });
  await attempt('cached', () => cache.find(core('secrets'), 'default', 'x'));
  await attempt('cachedOwn', () => cache.find(rooms, 'default', 'x'));
  return did;
}

/** A plugin that tries when the server starts, and when `/tried` is asked. */
function trying(permissions?: PluginDefinition['manifest']['permissions']): PluginDefinition {
  let atStart: Record<string, string> | undefined;
  return definePlugin({name: 'trying', ...(permissions && {permissions})}, [
    defineResource({
      group: rooms.group,
      names: {plural: 'rooms', singular: 'room', kind: 'Room'},
      scope: 'Namespaced',
      versions: [{name: 'v1', schema: {type: 'object'}}],
    }),
    defineRoute({
      path: '/tried',
      methods: ['GET'],
      create: ({inject}) => {
        const [resources, cache] = [inject(Tokens.Resources), inject(Tokens.ObjectCache)];
        return {
          start: async () => {
            atStart = await tryAll(resources, cache);
          },
          handle: async (_request, response) => void response.end(JSON.stringify({atStart, now: await tryAll(resources, cache)})),
        };
      },
    }),
  ]);
}

async function started(t: Teardown, options: ServerOptions): Promise<TestServer> {
  const server = await startTestServer(options);
  t.teardown(() => server.stop());
  return server;
}

const tried = async ({client}: TestServer) => (await client.get('/tried')).json<Record<'atStart' | 'now', object>>();
const nothing = {own: 'done', ownWrite: '403', write: '403', read: '403', watch: '403', cached: '403', cachedOwn: 'done'};
const rule = {verbs: ['create'], apiGroups: [''], resources: ['configmaps']};

test("without permissions a plugin's client reads its own types and does nothing else, and the log says what is missing", async (t) => {
  const {logger, lines} = recordingLogger();
  const server = await started(t, {plugins: [trying()], logger});
  const both = await tried(server);
  t.deepEqual(both, {atStart: nothing, now: nothing});
  const told = lines.filter(({level, fields}) => level === 'error' && fields['plugin'] === 'trying');
  t.regex(
    told[0]!.message,
    /^the plugin trying may not create rooms\.rooms\.example\.com, which it needs to: declare it among the permissions in its manifest/,
  );
  t.deepEqual(told.length, new Set(told.map(({message}) => message)).size);
});

test('what a plugin declares is a role of its own user, which operators can widen and take away', async (t) => {
  const server = await started(t, {plugins: [trying([rule])]});
  const declared = {...nothing, write: 'done'};
  t.deepEqual(await tried(server), {atStart: declared, now: declared});
  const rbac = '/apis/rbac.authorization.orch/v1';
  const role = (await server.client.get(`${rbac}/clusterroles/system:plugin:trying`)).json<{rules: object[]}>();
  t.deepEqual(role.rules, [rule]);
  const binding = (await server.client.get(`${rbac}/clusterrolebindings/system:plugin:trying`)).json<{subjects: object[]}>();
  t.like(binding.subjects[0], {kind: 'User', name: 'system:plugin:trying'});
  const now = async () => (await tried(server)).now as Record<string, string>;
  await server.client.patch(`${rbac}/clusterroles/system:plugin:trying`, {
    rules: [{verbs: ['list'], apiGroups: [''], resources: ['secrets']}],
  });
  await until('the role counts', async () => (await now())['write'] === '403');
  t.like(await now(), {write: '403', read: 'done', cached: 'done', own: 'done', cachedOwn: 'done'});
});

test('where RBAC takes no part the manifest decides, and a plugin that asks for everything may do it', async (t) => {
  const alone = await started(t, {plugins: [trying([rule])], pluginProfile: 'minimal'});
  t.deepEqual((await tried(alone)).now, {...nothing, write: 'done'});
  const server = await started(t, {plugins: [trying([{verbs: ['*'], apiGroups: ['*'], resources: ['*']}])]});
  const all = Object.fromEntries(Object.keys(nothing).map((name) => [name, 'done']));
  t.deepEqual(await tried(server), {atStart: all, now: all});
});
