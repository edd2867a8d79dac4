import test, {type ExecutionContext} from 'ava';
import {createServer, type ServerOptions} from '@orch-api/orch';
import {defineController, definePlugin, defineResource} from '@orch-api/orch/sdk';
import {recordingLogger} from '../../helpers/recording-logger.js';
import {tempFolder} from '../../helpers/temp-folder.js';

const loop = {start: async () => undefined, stop: async () => undefined};
const withController = (more: object = {}) =>
  definePlugin({name: 'sites'}, [defineController({name: 'site', create: () => loop, ...more})]);
const onlyPlugins = ['store-embedded', 'client-certificate', 'masters'];

async function started(t: ExecutionContext, options: ServerOptions) {
  const {logger, lines} = recordingLogger(true);
  const server = await createServer({store: 'memory', securePort: 0, dataDir: tempFolder(t), logger, onlyPlugins, ...options});
  t.teardown(() => server.stop());
  await server.start();
  return lines.filter(({level}) => level === 'warn');
}

test('a controller that needs leases which nobody serves keeps the server from starting', async (t) => {
  await t.throwsAsync(started(t, {plugins: [withController()]}), {
    message: /plugin sites: its controller site runs on one server at a time, which needs leases, .* enable the plugin coordination/,
  });
  await t.notThrowsAsync(started(t, {plugins: [withController({leaderElection: false})]}));
  await t.notThrowsAsync(started(t, {plugins: [withController()], controllers: ['*', '-site']}));
  await t.notThrowsAsync(started(t, {plugins: [withController()], onlyPlugins: [...onlyPlugins, 'coordination']}));
});

test('the start warns of permissions for types that nobody serves, and of namespaced types without namespaces', async (t) => {
  const plugin = definePlugin({name: 'boxes', permissions: [{verbs: ['get'], apiGroups: ['apps'], resources: ['deployments']}]}, [
    defineResource({
      group: 'boxes.example.com',
      names: {plural: 'boxes', kind: 'Box'},
      scope: 'Namespaced',
      versions: [{name: 'v1', schema: {type: 'object'}}],
    }),
  ]);
  const few = await started(t, {plugins: [plugin]});
  t.like(
    few.find(({message}) => message.includes('no plugin serves the group "apps"')),
    {fields: {plugin: 'boxes'}},
  );
  t.deepEqual(few.find(({message}) => message.startsWith('no plugin serves namespaces'))?.fields['resources'], ['boxes.boxes.example.com']);
  const all = await started(t, {plugins: [plugin], onlyPlugins: ['*']});
  t.false(all.some(({message}) => message.startsWith('no plugin serves')));
});

const wrong: readonly (readonly [what: string, options: ServerOptions, message: RegExp])[] = [
  [
    'a plugin of the configuration that is not there',
    {configuration: {plugins: {books: {from: './nowhere'}}}},
    /^\.\/nowhere is no plugin: .*\(plugins\.books\.from\)$/,
  ],
  [
    'a misspelled name of a plugin',
    {disablePlugins: ['store-memry', 'rbak'], onlyPlugins: undefined},
    /there is no plugin rbak; did you mean rbac\?/,
  ],
];
for (const [what, options, message] of wrong) {
  test(`a mistake in the configuration is told once, with what was meant: ${what}`, async (t) => {
    const error = await t.throwsAsync(started(t, options));
    t.regex(error!.message, message);
  });
}
