import test, {type ExecutionContext} from 'ava';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {Kernel, type KernelOptions} from '../../../core/kernel/kernel.js';
import {tempFolder} from '../../helpers/temp-folder.js';
import {problemsOf, silent} from './kernel-fixtures.js';

/** Plugins without code: `c` requires `b`, which requires `a`; `d` stands alone, and `e` is off by default. */
const manifests = {
  a: {},
  b: {requires: ['a']},
  c: {requires: ['b']},
  d: {},
  e: {enabledByDefault: false},
};

function load(t: ExecutionContext, options: Partial<KernelOptions>): Promise<Kernel> {
  const root = tempFolder(t);
  for (const [name, more] of Object.entries(manifests)) {
    mkdirSync(join(root, name));
    writeFileSync(join(root, name, 'plugin.json'), JSON.stringify({name, version: '1.0.0', kernel: '^0.1.0', ...more}));
  }
  return Kernel.load({logger: silent, pluginRoots: [root], ...options});
}

async function enabled(t: ExecutionContext, options: Partial<KernelOptions>): Promise<string[]> {
  const {plugins} = await load(t, options);
  return plugins
    .filter((plugin) => plugin.enabled)
    .map(({name}) => name)
    .sort();
}

test('with onlyPlugins these take part, with what they require, and no others', async (t) => {
  t.deepEqual(await enabled(t, {}), ['a', 'b', 'c', 'd']);
  t.deepEqual(await enabled(t, {onlyPlugins: ['c']}), ['a', 'b', 'c']);
  t.deepEqual(await enabled(t, {onlyPlugins: ['d', 'e']}), ['d', 'e']);
  t.deepEqual(await enabled(t, {onlyPlugins: []}), []);
});

test('the configuration says so too, and the option wins over it', async (t) => {
  t.deepEqual(await enabled(t, {configuration: {plugins: {only: ['b']}}}), ['a', 'b']);
  t.deepEqual(await enabled(t, {configuration: {plugins: {only: ['b']}}, onlyPlugins: ['d']}), ['d']);
});

test('what is enabled by name takes part besides, and what is disabled does not', async (t) => {
  t.deepEqual(await enabled(t, {onlyPlugins: ['b'], enablePlugins: ['d']}), ['a', 'b', 'd']);
  t.deepEqual(await enabled(t, {onlyPlugins: ['b'], configuration: {plugins: {e: {enabled: true}}}}), ['a', 'b', 'e']);
  t.deepEqual(await enabled(t, {onlyPlugins: ['b', 'd'], disablePlugins: ['d']}), ['a', 'b']);
});

test('names that are not known are told, each by the option that has them', async (t) => {
  const problems = await problemsOf(t, () => load(t, {onlyPlugins: ['b', 'x'], optionName: (name) => `--${name}`}));
  t.deepEqual(
    problems.map(({code, message, path}) => [code, message, path]),
    [['UNKNOWN_PLUGIN', 'there is no plugin x; known are a, b, c, d, e', '--onlyPlugins']],
  );
  const configured = await problemsOf(t, () => load(t, {configuration: {plugins: {only: ['x']}}}));
  t.deepEqual(
    configured.map(({path}) => path),
    ['plugins.only'],
  );
});

test('a pattern stands for all plugins that it matches, and a name says more than a pattern', async (t) => {
  t.deepEqual(await enabled(t, {disablePlugins: ['*']}), []);
  t.deepEqual(await enabled(t, {disablePlugins: ['*'], enablePlugins: ['a', 'd']}), ['a', 'd']);
  t.deepEqual(await enabled(t, {enablePlugins: ['*'], disablePlugins: ['d']}), ['a', 'b', 'c', 'e']);
  t.deepEqual(await enabled(t, {onlyPlugins: ['[d]*', 'd*']}).catch(() => 'refused'), 'refused');
  t.deepEqual(await enabled(t, {onlyPlugins: ['d*']}), ['d']);
  const problems = await problemsOf(t, () => load(t, {disablePlugins: ['x-*'], enablePlugins: ['d', '*'], onlyPlugins: ['a']}));
  t.deepEqual(
    problems.map(({code, message}) => [code, message]),
    [['UNKNOWN_PLUGIN', 'there is no plugin x-*; known are a, b, c, d, e']],
  );
  const contrary = await problemsOf(t, () => load(t, {disablePlugins: ['d'], enablePlugins: ['d']}));
  t.deepEqual(
    contrary.map(({code}) => code),
    ['CONTRADICTION'],
  );
});
