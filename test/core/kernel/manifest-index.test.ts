import test from 'ava';
import {cpSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {kernelOptions} from '../../../core/options/kernel-options.js';
import {builtinPlugins} from '../../../core/options/builtin-plugins.js';
import {resolveNaming} from '../../../core/options/resolve-naming.js';
import {importedEntry} from '../../../core/kernel/loading/import-entry.js';
import {indexName, indexText} from '../../../core/kernel/manifests/manifest-index.js';
import {PluginCatalogue} from '../../../core/kernel/selection/plugin-catalogue.js';
import {select} from '../../../core/kernel/selection/select.js';
import {tempFolder} from '../../helpers/temp-folder.js';
import {fixture, places} from './kernel-fixtures.js';

/** The settings fixture as a build would leave it. */
async function indexed(t: {teardown(end: () => void): void}) {
  const root = tempFolder(t);
  cpSync(fixture('settings'), root, {recursive: true});
  const {plugins} = await PluginCatalogue.read({pluginRoots: [root]});
  const write = () => writeFileSync(join(root, indexName), indexText(root, plugins));
  return {root, write, manifest: join(root, 'tunable/plugin.json')};
}

test('the index of the built-in plugins says what their files say, in the same order', async (t) => {
  const [fromIndex, fromFiles] = await Promise.all(
    [true, false].map((useIndex) => PluginCatalogue.read({pluginRoots: [builtinPlugins], useIndex})),
  );
  const told = ({plugins}: PluginCatalogue) =>
    plugins.map(({name, folder, file, source, manifest}) => ({name, folder, file, source, manifest}));
  t.deepEqual(told(fromIndex!), told(fromFiles!));
  t.true(fromIndex!.plugins.every(({built}) => built !== undefined) && fromFiles!.plugins.every(({built}) => built === undefined));
});

test('what the index has is not read again, unless the plugin is named besides', async (t) => {
  const {root, write, manifest} = await indexed(t);
  write();
  writeFileSync(manifest, '{"name": 7}');
  const options = {pluginRoots: [root], cwd: root};
  t.deepEqual(places((await PluginCatalogue.read(options)).problems), []);
  const {problems} = await PluginCatalogue.read({...options, plugins: ['./tunable']});
  t.deepEqual([...new Set(problems.map(({code}) => code))], ['MANIFEST_INVALID']);
});

test('settings of built-in plugins are checked by what the build has made of their schema, as others are', async (t) => {
  const given = {'service-account-issuer': 7, 'api-audiences': ['me']};
  const outcome = async (useIndex: boolean) => {
    const catalogue = await PluginCatalogue.read({pluginRoots: [builtinPlugins], useIndex});
    const {selected, problems} = await select(kernelOptions({catalogue, flags: given, naming: resolveNaming(undefined, undefined)}));
    return {
      problems: problems.map(({message, path}) => `${path}: ${message}`),
      settings: selected.plugins.map(({name, config}) => ({name, config})),
    };
  };
  const [built, compiled] = [await outcome(true), await outcome(false)];
  t.is(built.problems.length, 1, built.problems.join('\n'));
  t.deepEqual(built, compiled);
});

test('an entry module that a build has joined with others is imported from there, and from its own file where the plugin is named besides', async (t) => {
  const {root, write} = await indexed(t);
  write();
  const index = JSON.parse(readFileSync(join(root, indexName), 'utf8')) as {file: string}[];
  writeFileSync(join(root, indexName), JSON.stringify(index.map((entry) => ({...entry, joined: 'some.js'}))));
  writeFileSync(join(root, 'some.js'), "export const entries = {'tunable/plugin.json': {from: 'joined'}};");
  writeFileSync(join(root, 'tunable/index.js'), "export const from = 'its own file';");
  const from = async (plugins: readonly string[]) => {
    const tunable = (await PluginCatalogue.read({pluginRoots: [root], cwd: root, plugins})).get('tunable')!;
    return (await importedEntry(tunable))['from'];
  };
  t.is(await from([]), 'joined');
  t.is(await from(['./tunable']), 'its own file');
});

test('an index names files below its root only', async (t) => {
  const {root, write} = await indexed(t);
  write();
  const files = (JSON.parse(readFileSync(join(root, indexName), 'utf8')) as {file: string}[]).map(({file}) => file);
  t.true(files.includes('tunable/plugin.json'));
  t.deepEqual(files, files.toSorted());
});
