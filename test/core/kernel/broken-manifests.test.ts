import test from 'ava';
import {join} from 'node:path';
import {Kernel} from '../../../core/kernel/kernel.js';
import {fixture, loadFixture, places, problemsOf, silent} from './kernel-fixtures.js';

test('a manifest that is not JSON is reported with its file and the place in the text', async (t) => {
  const problems = await problemsOf(t, () => loadFixture('bad-syntax'));
  t.deepEqual(places(problems), ['MANIFEST_SYNTAX - - plugin.json']);
  t.is(problems[0]!.file, join(fixture('bad-syntax'), 'comma', 'plugin.json'));
  t.regex(problems[0]!.message, /line 1 column 38/);
});

test('a manifest that violates the schema is reported with every violation and its path', async (t) => {
  const problems = await problemsOf(t, () => loadFixture('bad-schema'));
  t.deepEqual(places(problems).sort(), [
    'MANIFEST_INVALID wrong config.properties.limits.flag plugin.json',
    'MANIFEST_INVALID wrong contributes.admission[0].name plugin.json',
    'MANIFEST_INVALID wrong contributes.resources[0].names.plural plugin.json',
    'MANIFEST_INVALID wrong contributes.resources[0].scope plugin.json',
    'MANIFEST_INVALID wrong contributes.resources[0].versions plugin.json',
    'MANIFEST_INVALID wrong entrypoint plugin.json',
    'MANIFEST_INVALID wrong version plugin.json',
  ]);
  const message = (path: string) => problems.find((fault) => fault.path === path)?.message;
  t.is(message('contributes.admission[0].name'), 'contributes.admission[0].name is required');
  t.is(message('contributes.resources[0].scope'), 'contributes.resources[0].scope must be one of "Namespaced", "Cluster"');
  t.is(message('entrypoint'), 'entrypoint is not a known member; did you mean entry?');
});

test('two plugins of one name are reported with both files', async (t) => {
  const problems = await problemsOf(t, () => loadFixture('duplicate-name'));
  t.deepEqual(places(problems), ['DUPLICATE_PLUGIN twin name plugin.json']);
  t.is(problems[0]!.file, join(fixture('duplicate-name'), 'second', 'plugin.json'));
  t.true(problems[0]!.message.includes(join(fixture('duplicate-name'), 'first', 'plugin.json')));
});

test('a plugin that is found twice by different ways is one plugin', async (t) => {
  const kernel = await Kernel.load({
    logger: silent,
    pluginRoots: [fixture('policies')],
    plugins: ['./off', join(fixture('policies'), 'off', 'plugin.json')],
    disablePlugins: ['policies'],
    cwd: fixture('policies'),
  });
  t.deepEqual(
    kernel.plugins.map(({name, enabled}) => `${name} ${enabled}`),
    ['off true', 'policies false'],
  );
});

test('a requirement that is not there is reported', async (t) => {
  const problems = await problemsOf(t, () => loadFixture('missing-requirement'));
  t.deepEqual(places(problems), ['REQUIREMENT_MISSING lonely requires[0] plugin.json']);
  t.is(problems[0]!.message, 'it requires the plugin friend, which is not there: add it (--plugin WHERE_IT_IS)');
});

test('a requirement that is disabled is reported', async (t) => {
  const problems = await problemsOf(t, () => loadFixture('disabled-requirement', {disablePlugins: ['base']}));
  t.deepEqual(places(problems), ['REQUIREMENT_DISABLED top requires[0] plugin.json']);
});

test('a requirement that is only off by default is enabled with what requires it', async (t) => {
  const kernel = await loadFixture('disabled-requirement');
  t.deepEqual(
    kernel.plugins.map(({name, enabled, why}) => `${name} ${enabled} ${why}`),
    ['base true required by top', 'top true default'],
  );
});

test('a cycle is reported as a path', async (t) => {
  const problems = await problemsOf(t, () => loadFixture('cycle'));
  t.deepEqual(places(problems), ['REQUIREMENT_CYCLE a requires[0] plugin.json']);
  t.is(problems[0]!.message, 'plugins require each other: a → b → c → a');
});

test('a kernel range that is not met is reported with both versions', async (t) => {
  const problems = await problemsOf(t, () => loadFixture('kernel-range'));
  t.deepEqual(places(problems), ['KERNEL_RANGE future kernel plugin.json']);
  t.regex(problems[0]!.message, /^it works with kernel \^99\.0\.0, and this is kernel \d+\.\d+\.\d+$/);
});

test('a kernel range that is not met is no problem of a plugin that takes no part', async (t) => {
  const kernel = await loadFixture('kernel-range', {disablePlugins: ['future']});
  t.deepEqual(
    kernel.plugins.map((plugin) => plugin.enabled),
    [false],
  );
});

test('files that a manifest names and that are not there are reported, and versions that contradict each other', async (t) => {
  const problems = await problemsOf(t, () => loadFixture('missing-files'));
  t.deepEqual(places(problems).sort(), [
    'ENTRY_MISSING no-entry entry plugin.json',
    'ENTRY_NOT_FOUND lost-entry entry plugin.json',
    'RESOURCE_INVALID lost-schema contributes.resources[0].versions plugin.json',
    'RESOURCE_INVALID lost-schema contributes.resources[0].versions[1].name plugin.json',
    'RESOURCE_INVALID lost-setting contributes.resources[0].behaviour.ttlSetting plugin.json',
    'SCHEMA_NOT_FOUND lost-schema contributes.resources[0].versions[0].schema plugin.json',
  ]);
});

test('what two plugins contribute under one name is reported, and so is a flag of the server', async (t) => {
  const problems = await problemsOf(t, () => loadFixture('duplicate-contributions'));
  t.deepEqual(places(problems), [
    'DUPLICATE_CONTRIBUTION two contributes.resources[0].names.plural plugin.json',
    'DUPLICATE_CONTRIBUTION two contributes.resources[0].names.kind plugin.json',
    'DUPLICATE_CONTRIBUTION two contributes.stores[0].schemes[0] plugin.json',
    'DUPLICATE_CONTRIBUTION two contributes.admission[0].name plugin.json',
    'DUPLICATE_CONTRIBUTION two contributes.controllers[0].name plugin.json',
    'DUPLICATE_CONTRIBUTION two contributes.routes[0].path plugin.json',
    'DUPLICATE_FEATURE_GATE two featureGates.Fast plugin.json',
    'DUPLICATE_FLAG one config.properties.dir.flag plugin.json',
    'DUPLICATE_FLAG two config.properties.size.flag plugin.json',
    'DUPLICATE_FLAG two config.properties.dir.flag plugin.json',
  ]);
  t.is(problems[0]!.message, 'the resource things.test.example is also contributed by plugin one');
});

test('problems of all manifests are reported together, before any code is imported', async (t) => {
  const roots = ['bad-syntax', 'missing-requirement', 'kernel-range', 'cycle', 'import-throws'];
  const problems = await problemsOf(t, () =>
    Kernel.load({logger: silent, pluginRoots: roots.map(fixture), disableAdmissionPlugins: ['Nothing']}),
  );
  t.deepEqual(problems.map((fault) => fault.code).sort(), [
    'KERNEL_RANGE',
    'MANIFEST_SYNTAX',
    'REQUIREMENT_CYCLE',
    'REQUIREMENT_MISSING',
    'UNKNOWN_ADMISSION_PLUGIN',
  ]);
});

test('a plugin that requires one with a faulty manifest is not blamed for it', async (t) => {
  const roots = [fixture('disabled-requirement'), fixture('bad-schema')];
  const problems = await problemsOf(t, () =>
    Kernel.load({logger: silent, pluginRoots: roots, enablePlugins: ['base'], configuration: {plugins: {wrong: {enabled: true}}}}),
  );
  t.deepEqual([...new Set(problems.map((fault) => fault.code))], ['MANIFEST_INVALID']);
});

test('a reference to a plugin that is not there is reported', async (t) => {
  const problems = await problemsOf(t, () =>
    Kernel.load({
      logger: silent,
      pluginRoots: [],
      plugins: ['./nowhere', '.', 'no-such-package', '../broken-manifests.test.js'],
      configuration: {plugins: {tunable: {from: join(fixture('policies'), 'off')}}},
      cwd: fixture('policies'),
    }),
  );
  t.deepEqual(places(problems).sort(), [
    'PLUGIN_NAME_MISMATCH off name plugin.json',
    'PLUGIN_NOT_FOUND - plugins . -',
    'PLUGIN_NOT_FOUND - plugins ../broken-manifests.test.js -',
    'PLUGIN_NOT_FOUND - plugins ./nowhere -',
    'PLUGIN_NOT_FOUND - plugins no-such-package -',
  ]);
});
