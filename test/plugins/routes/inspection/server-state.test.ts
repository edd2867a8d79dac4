import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {definePlugin, defineRoute} from '@orch-api/orch/sdk';
import {testOnEachStore} from '../../../helpers/each-store.js';
import {strangerClient, userClient} from '../../../helpers/user-client.js';

const eachStore = testOnEachStore({enablePlugins: ['inspection']});
const paths = ['/inspection/server', '/inspection/plugins', '/inspection/flags', '/inspection/audit'];

interface State {
  readonly platform: string;
  readonly release: string;
  readonly process: {readonly pid: number; readonly startTime: string};
  readonly store: {
    readonly store: string;
    readonly durability: string;
    readonly epoch?: string;
    readonly shards: readonly {readonly following: boolean; readonly revision: number}[];
    readonly lineages: readonly {readonly store: string; readonly epoch: string; readonly revision: number}[];
  };
}

interface Plugin {
  readonly name: string;
  readonly enabled: boolean;
  readonly why: string;
  readonly origin: string;
  readonly contributes: readonly string[];
  readonly settings: Readonly<Record<string, unknown>>;
}

interface Flag {
  readonly name: string;
  readonly value: string;
  readonly source: string;
  readonly plugin?: string;
}

const itemsOf = async <T>(client: {get(path: string): Promise<{json<U>(): U}>}, path: string) =>
  (await client.get(path)).json<{items: T[]}>().items;

eachStore('the server says what it is and how far its store has come', async (t, {client, path, store}) => {
  const before = (await client.get('/inspection/server')).json<State>();
  await client.post(path('configmaps'), {metadata: {name: 'one'}});
  const {platform, release, process: own, store: found} = (await client.get('/inspection/server')).json<State>();
  t.deepEqual([platform, release, own.pid], ['orch', '1.26', process.pid]);
  t.true(Date.parse(own.startTime) < Date.now());
  t.is(found.store.split(':')[0], store);
  t.true(found.shards.every(({following}) => following));
  const sum = ({store: {shards}}: State) => shards.reduce((total, {revision}) => total + revision, 0);
  t.true(sum({...before, store: found}) > sum(before), 'a write has been followed');
  t.is(found.lineages.length > 0, store === 'redis', 'what begins anew each time has none');
  t.true(found.lineages.every((one) => one.store !== '' && one.epoch !== ''));
});

test('the embedded store has one history, which goes on', async (t) => {
  await using server = await startTestServer({store: 'embedded', enablePlugins: ['inspection']});
  const state = async () => (await server.client.get('/inspection/server')).json<State>().store;
  const before = await state();
  await server.client.post('/api/v1/namespaces/default/configmaps', {metadata: {name: 'one'}});
  const after = await state();
  t.is(after.lineages.length, 1);
  t.deepEqual(
    after.lineages.map(({epoch}) => epoch),
    [after.epoch!],
  );
  t.true(after.lineages[0]!.revision > before.lineages[0]!.revision);
});

test('plugins are shown with what they contribute, who decided that they take part, and their settings', async (t) => {
  await using server = await startTestServer({
    enablePlugins: ['inspection'],
    disablePlugins: ['oidc'],
    configuration: {plugins: {'garbage-collector': {config: {concurrency: 3}}}},
  });
  const plugins = new Map((await itemsOf<Plugin>(server.client, '/inspection/plugins')).map((plugin) => [plugin.name, plugin]));
  t.like(plugins.get('garbage-collector'), {enabled: true, origin: 'built in', settings: {concurrency: 3}});
  t.true(plugins.get('garbage-collector')!.contributes.includes('controller garbagecollector'));
  t.like(plugins.get('inspection'), {enabled: true, why: 'enablePlugins'});
  t.like(plugins.get('oidc'), {enabled: false, settings: {}});
});

test('no secret is among flags and settings, by whatever name and in whatever depth', async (t) => {
  const secret = 'hunter2-hunter2';
  const plugin = definePlugin(
    {
      name: 'with-secrets',
      config: {
        type: 'object',
        properties: {
          password: {type: 'string', flag: 'with-secrets-password'},
          phrase: {type: 'string', writeOnly: true, flag: 'with-secrets-phrase'},
          apiKeys: {type: 'array', items: {type: 'string'}},
          address: {type: 'string', flag: 'with-secrets-address'},
          nested: {type: 'object', properties: {list: {type: 'array', items: {type: 'object'}}}},
          passwordFile: {type: 'string', format: 'path'},
          colour: {type: 'string'},
        },
      },
    },
    [defineRoute({path: '/with-secrets', methods: ['GET'], create: () => ({handle: (_request, response) => void response.end()})})],
  );
  await using server = await startTestServer({
    enablePlugins: ['inspection'],
    plugins: [plugin],
    platform: 'kubernetes',
    release: '1.36',
    flags: {'with-secrets-password': secret, 'with-secrets-phrase': secret, 'with-secrets-address': `https://joe:${secret}@one.example`},
    configuration: {
      plugins: {
        'with-secrets': {
          config: {
            apiKeys: [secret],
            nested: {list: [{token: secret}, {clientSecret: {value: secret}}]},
            passwordFile: '/etc/secret',
            colour: 'red',
          },
        },
      },
    },
  });
  for (const path of [...paths, '/flagz']) {
    const {status, body} = await server.client.get(path);
    t.is(status, 200, path);
    t.false(body.toString().includes(secret), path);
  }
  const found = (await itemsOf<Plugin>(server.client, '/inspection/plugins')).find(({name}) => name === 'with-secrets')!;
  t.deepEqual(found.settings, {
    password: 'CLASSIFIED',
    phrase: 'CLASSIFIED',
    apiKeys: 'CLASSIFIED',
    address: 'CLASSIFIED',
    nested: {list: [{token: 'CLASSIFIED'}, {clientSecret: 'CLASSIFIED'}]},
    passwordFile: '/etc/secret',
    colour: 'red',
  });
});

test('flags say whether they were given, configured or left alone', async (t) => {
  await using server = await startTestServer({
    enablePlugins: ['inspection'],
    limits: {maxConnections: 77},
    configuration: {log: {slowRequestThreshold: '3s'}, plugins: {core: {config: {eventTtl: '2h'}}}},
  });
  const flags = new Map((await itemsOf<Flag>(server.client, '/inspection/flags')).map((flag) => [flag.name, flag]));
  t.like(flags.get('max-connections'), {value: '77', source: 'given'});
  t.like(flags.get('slow-request-threshold'), {value: '3s', source: 'configuration'});
  t.like(flags.get('event-ttl'), {value: '2h', source: 'configuration', plugin: 'core'});
  t.like(flags.get('authorization-mode'), {source: 'default'});
});

eachStore('who may not get the paths gets nothing, who may get them need not be an administrator', async (t, {client, server}) => {
  const tenant = await userClient(t, server, 'tenant');
  const stranger = await strangerClient(t, server);
  for (const path of paths) {
    t.is((await tenant.request('GET', path)).status, 403, path);
    t.is((await stranger.request('GET', path)).status, 403, path);
    t.is((await client.post(path, {})).status, 404, path);
  }
  const rbac = '/apis/rbac.authorization.orch/v1';
  await client.post(`${rbac}/clusterroles`, {
    metadata: {name: 'observers'},
    rules: [{nonResourceURLs: ['/inspection/server'], verbs: ['get']}],
  });
  await client.post(`${rbac}/clusterrolebindings`, {
    metadata: {name: 'observers'},
    roleRef: {apiGroup: 'rbac.authorization.orch', kind: 'ClusterRole', name: 'observers'},
    subjects: [{apiGroup: 'rbac.authorization.orch', kind: 'User', name: 'observer'}],
  });
  const observer = await userClient(t, server, 'observer');
  t.is((await observer.request('GET', '/inspection/server')).status, 200);
  t.is((await observer.request('GET', '/inspection/plugins')).status, 403);
});

test('where the plugin is off, the paths are not there', async (t) => {
  await using server = await startTestServer();
  for (const path of paths) t.is((await server.client.get(path)).status, 404, path);
});
