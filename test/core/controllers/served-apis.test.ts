import test from 'ava';
import {
  definePlugin,
  defineRoute,
  StatusError,
  Tokens,
  type AggregatedVersions,
  type JsonObject,
  type ServedApis,
  type VersionCall,
} from '@orch-api/orch/sdk';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';

let server: TestServer;
let apis: ServedApis;
let versions: AggregatedVersions;
const signal = new AbortController().signal;

/** A plugin that may read some types, and hands out what it injects. */
const reader = definePlugin(
  {
    name: 'reader',
    permissions: [
      {verbs: ['get', 'list'], apiGroups: ['', 'apps'], resources: ['namespaces', 'componentstatuses', 'deployments', 'deployments/scale']},
      {verbs: ['list'], apiGroups: ['example.com'], resources: ['pods']},
    ],
  },
  [
    defineRoute({
      path: '/reader',
      methods: ['GET'],
      create: ({inject}) => {
        apis = inject(Tokens.ServedApis);
        versions = inject(Tokens.AggregatedVersions);
        return {handle: (_request, response) => void response.end()};
      },
    }),
  ],
);

test.before(async () => {
  server = await startTestServer({platform: 'kubernetes', plugins: [reader]});
});
test.after.always(() => server.stop());

const read = (path: string) => apis.get(path, signal);

async function codeOf(path: string): Promise<number> {
  const error = await read(path).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return StatusError.is(error) ? error.code : 200;
}

test.serial('a plugin reads lists, objects and subresources of types of the server by their paths', async (t) => {
  const labels = {app: 'web'};
  const template = {metadata: {labels}, spec: {containers: [{name: 'main', image: 'a'}]}};
  await server.client.post('/apis/apps/v1/namespaces/default/deployments', {
    metadata: {name: 'web', labels},
    spec: {replicas: 3, selector: {matchLabels: labels}, template},
  });
  const list = async (query: string) =>
    ((await read(`/apis/apps/v1/namespaces/default/deployments${query}`))['items'] as JsonObject[]).length;
  t.is(await list(''), 1);
  t.is(await list('?labelSelector=app%3Dweb'), 1);
  t.is(await list('?labelSelector=app%3Dother'), 0);
  t.like(await read('/apis/apps/v1/namespaces/default/deployments/web'), {kind: 'Deployment', metadata: {name: 'web'}});
  t.like(await read('/apis/apps/v1/namespaces/default/deployments/web/scale'), {kind: 'Scale', spec: {replicas: 3}});
  t.like(await read('/api/v1/componentstatuses'), {kind: 'ComponentStatusList'});
});

test.serial('what cannot be read is refused as everywhere', async (t) => {
  t.is(await codeOf('/api/v1/namespaces/missing'), 404);
  t.is(await codeOf('/apis/missing.example.com/v1/things'), 404);
  t.is(await codeOf('/api/v1/namespaces?watch=1'), 404);
  t.is(await codeOf('/healthz'), 404);
  t.is(await codeOf('/api/v1/namespaces/default/secrets'), 403);
  for (const path of [
    '',
    'api/v1/namespaces',
    '//elsewhere.example.com/api/v1/namespaces',
    'https://elsewhere.example.com/api',
    `/${'a'.repeat(10_000)}`,
  ])
    t.is(await codeOf(path), 400, path.slice(0, 60));
});

test.serial('a group version that somebody else answers for is asked there, as the plugin and only for what it may', async (t) => {
  const calls: VersionCall[] = [];
  t.deepEqual(apis.versions('example.com'), []);
  versions.set({
    group: 'example.com',
    version: 'v1beta1',
    groupPriority: 100,
    versionPriority: 100,
    resources: [],
    isStale: false,
    server: {
      handle: () => Promise.reject(new Error('is not called')),
      upgrade: () => Promise.resolve(),
      ask: (call) => {
        calls.push(call);
        return Promise.resolve({kind: 'Answer'});
      },
    },
  });
  t.deepEqual(apis.versions('example.com'), ['v1beta1']);
  t.deepEqual(await read('/apis/example.com/v1beta1/namespaces/shop/pods?labelSelector=a'), {kind: 'Answer'});
  t.like(calls[0], {
    method: 'GET',
    path: '/apis/example.com/v1beta1/namespaces/shop/pods?labelSelector=a',
    user: {username: 'system:plugin:reader'},
  });
  t.is(await codeOf('/apis/example.com/v1beta1/namespaces/shop/nodes'), 403);
  t.is(calls.length, 1);
  versions.delete('example.com', 'v1beta1');
  t.is(await codeOf('/apis/example.com/v1beta1/namespaces/shop/pods'), 404);
});
