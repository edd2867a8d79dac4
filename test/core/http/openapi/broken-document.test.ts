import test from 'ava';
import {defineRoute, definePlugin, Tokens, type ResourceDefinition} from '@orch-api/orch/sdk';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {findKubectls, kubectlFor} from '../../../helpers/kubectl.js';
import {recordingLogger} from '../../../helpers/recording-logger.js';

const group = 'rooms.example.com';

function type(plural: string, kind: string, spec: object): ResourceDefinition {
  const schema = {type: 'object', properties: {spec}};
  return {group, names: {plural, singular: kind.toLowerCase(), kind}, scope: 'Namespaced', versions: [{name: 'v1', schema}]};
}

/** Adds two types while the server starts, one of which refers to what is not there. */
const planted = definePlugin({name: 'planted'}, [
  defineRoute({
    path: '/planted',
    methods: ['GET'],
    create: ({inject}) => {
      const types = inject(Tokens.ResourceTypes);
      return {
        start: () => {
          types.set(type('doors', 'Door', {type: 'object', properties: {width: {type: 'integer', description: 'In centimetres.'}}}));
          types.set(type('walls', 'Wall', {$ref: '#/definitions/Nothing'}));
        },
        handle: (_request, response) => void response.end(),
      };
    },
  }),
]);

const {logger, lines} = recordingLogger();
let server: TestServer;
test.before(async () => {
  server = await startTestServer({plugins: [planted], platform: 'kubernetes', logger});
});
test.after.always(() => server?.stop());

interface Document {
  readonly paths: Record<string, object>;
  readonly components: {readonly schemas: Record<string, object>};
  readonly definitions: Record<string, {readonly properties?: object}>;
}

const ending = (all: Record<string, object>, end: string) => Object.entries(all).find(([name]) => name.endsWith(end))?.[1];

test('a type whose schema cannot be described costs nobody the documents of other types, and is told in the log', async (t) => {
  const index = await server.client.get('/openapi/v3');
  t.is(index.status, 200);
  const {paths} = index.json<Document>();
  t.true(['api/v1', 'apis/apps/v1', `apis/${group}/v1`].every((path) => path in paths));
  const own = await server.client.get(`/openapi/v3/apis/${group}/v1`);
  t.is(own.status, 200);
  const {components, paths: ownPaths} = own.json<Document>();
  t.like(ending(components.schemas, '.Door'), {properties: {spec: {properties: {width: {type: 'integer'}}}}});
  t.like(ending(components.schemas, '.Wall'), {type: 'object', 'x-kubernetes-preserve-unknown-fields': true});
  t.true(`/apis/${group}/v1/namespaces/{namespace}/walls/{name}` in ownPaths);

  for (const accept of ['application/json', 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf'])
    t.is((await server.client.get('/openapi/v2', {headers: {accept}})).status, 200, accept);
  const {definitions} = (await server.client.get('/openapi/v2')).json<Document>();
  t.truthy(ending(definitions, '.Door'));
  t.truthy(ending(definitions, 'core.v1.ConfigMap'));
  const told = lines.filter(({level, message}) => level === 'error' && message.includes('OpenAPI'));
  t.true(told.length > 0 && told.length <= 3, `${told.length}`);
  t.like(told[0]!.fields, {plugin: 'planted', resource: `walls.${group}`, version: 'v1'});
});

const [kubectl] = findKubectls();
(kubectl ? test : test.skip)('kubectl explains the other types then', async (t) => {
  const run = kubectlFor(t, kubectl!, server.kubeconfig);
  t.regex(await run.ok(['explain', 'configmap.data']), /FIELD: +data/);
  t.regex(await run.ok(['explain', `doors.${group}`]), /KIND: +Door/);
  await run.ok(['create', 'configmap', 'colours', '--from-literal=sky=blue']);
});
