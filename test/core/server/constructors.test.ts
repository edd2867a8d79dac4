import test from 'ava';
import {createServer} from '@orch-api/orch';
import {definePlugin, defineRoute, Tokens, type PluginContext, type PluginDefinition, type ResourceDefinition} from '@orch-api/orch/sdk';
import {startTestServer} from '@orch-api/orch/testing';
import {tempFolder} from '../../helpers/temp-folder.js';

/** A plugin whose constructor does something with what it injects. */
const constructing = (work: (context: Pick<PluginContext, 'inject'>) => void): PluginDefinition =>
  definePlugin({name: 'eager'}, [
    defineRoute({
      path: '/eager',
      methods: ['GET'],
      create: ({inject}) => {
        work({inject});
        return {handle: (_request, response) => void response.end('built')};
      },
    }),
  ]);

const boxes: ResourceDefinition = {
  group: 'boxes.example.com',
  names: {plural: 'boxes', kind: 'Box'},
  scope: 'Cluster',
  versions: [{name: 'v1', schema: {type: 'object', properties: {size: {type: 'integer'}}}}],
};

test('a constructor adds types, sees types and group versions, and knows where the server keeps its files', async (t) => {
  const seen: unknown[] = [];
  const plugin = constructing(({inject}) => {
    const types = inject(Tokens.ResourceTypes);
    types.set(boxes);
    seen.push(types.isBuiltIn('', 'pods'), types.isBuiltIn('boxes.example.com', 'boxes'));
    seen.push([...inject(Tokens.AggregatedVersions).all()], inject(Tokens.Endpoint).clientAuthorities.includes('BEGIN CERTIFICATE'));
  });
  const server = await startTestServer({plugins: [plugin]});
  t.teardown(() => server.stop());
  t.deepEqual(seen, [true, false, [], true]);
  const created = await server.client.post('/apis/boxes.example.com/v1/boxes', {
    apiVersion: 'boxes.example.com/v1',
    kind: 'Box',
    metadata: {name: 'first'},
    size: 3,
  });
  t.is(created.status, 201);
});

const early: readonly (readonly [what: string, work: (context: Pick<PluginContext, 'inject'>) => void])[] = [
  ['asks who may do something', ({inject}) => void inject(Tokens.Access).rulesFor({username: 'somebody', groups: []}, 'default')],
];
for (const [what, work] of early) {
  test(`a constructor that ${what} keeps the server from starting: the authorizers are only being constructed`, async (t) => {
    const server = await createServer({store: 'memory', securePort: 0, dataDir: tempFolder(t), plugins: [constructing(work)]});
    await t.throwsAsync(server.start(), {message: /plugin eager: .*from start on, not in constructors/s});
    await server.stop();
  });
}
