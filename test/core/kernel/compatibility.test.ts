import test, {type ExecutionContext} from 'ava';
import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {Kernel} from '../../../core/kernel/kernel.js';
import {KERNEL_VERSION} from '../../../core/kernel/kernel-version.js';
import {packageRoot} from '../../../core/kernel/package-root.js';
import {tempFolder} from '../../helpers/temp-folder.js';
import {problemsOf, silent} from './kernel-fixtures.js';

/** Writes files into a folder: objects as JSON. */
function write(t: ExecutionContext, files: Readonly<Record<string, object | string>>): string {
  const folder = tempFolder(t);
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, name);
    mkdirSync(dirname(file), {recursive: true});
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

const load = (...plugins: string[]) => Kernel.load({logger: silent, plugins});
const manifest = (more: object = {}) => ({name: 'rooms', version: '1.0.0', kernel: '*', ...more});
const peer = (range: string) => ({name: 'orch-rooms', version: '3.0.0', peerDependencies: {'@orch-api/orch': range}});
const module = (head: string) =>
  `import {definePlugin} from ${JSON.stringify(join(packageRoot, 'dist/sdk/index.js'))};\nexport default definePlugin(${head}, []);\n`;

test('the range in the package.json of a plugin is held against the version of the server', async (t) => {
  const rows: readonly (readonly [range: string, fits: boolean])[] = [
    ['^9.0.0', false],
    ['<0.0.1', false],
    [`^${KERNEL_VERSION}`, true],
    ['*', true],
    // These say where it is, not which version.
    ['workspace:^', true],
    ['file:../orch', true],
    ['latest', true],
  ];
  for (const [range, fits] of rows) {
    const withManifest = write(t, {'plugin.json': manifest(), 'package.json': peer(range)});
    const withCode = write(t, {'dist/plugin.mjs': module("{name: 'rooms'}"), 'package.json': peer(range)});
    for (const plugin of [withManifest, join(withCode, 'dist/plugin.mjs')]) {
      if (fits) await t.notThrowsAsync(load(plugin), range);
      else {
        const [fault] = await problemsOf(t, () => load(plugin));
        t.like(fault, {code: 'PEER_RANGE', plugin: 'rooms', path: 'peerDependencies'});
        t.is(fault!.message, `its package.json says that it works with @orch-api/orch ${range}, and this is ${KERNEL_VERSION}`);
        t.regex(fault!.file!, /package\.json$/);
      }
    }
  }
});

test('the range of a package around node_modules is none of the plugin’s', async (t) => {
  const folder = write(t, {'node_modules/rooms/plugin.json': manifest(), 'package.json': peer('^9.0.0')});
  await t.notThrowsAsync(load(join(folder, 'node_modules/rooms')));
});

test('a plugin that code defines has the name and the version of its package, unless the code gives its own', async (t) => {
  const rows = [
    ['{}', 'rooms', '3.0.0'],
    ["{version: '4.0.0'}", 'rooms', '4.0.0'],
    ["{name: 'halls'}", 'halls', '3.0.0'],
  ] as const;
  for (const [head, name, version] of rows) {
    const folder = write(t, {'plugin.mjs': module(head), 'package.json': {...peer('*'), name: '@town/rooms'}});
    const {plugins} = await load(folder);
    t.like(plugins[0], {name, manifest: {name, version}});
  }
  const nameless = write(t, {'plugin.mjs': module('{}'), 'package.json': {private: true}});
  t.is((await problemsOf(t, () => load(nameless)))[0]!.message, 'name is required');
});

test('what is no range of versions is refused as that', async (t) => {
  const messages = async (more: object) =>
    (await problemsOf(t, () => load(write(t, {'plugin.json': manifest(more)})))).map(({message}) => message);
  t.deepEqual(await messages({kernel: 'latest'}), [`kernel must be a range of versions such as ^${KERNEL_VERSION}, not "latest"`]);
  t.deepEqual(await messages({requires: [{service: 'halls', version: 'newest'}]}), [
    `version must be a range of versions such as ^${KERNEL_VERSION}, not "newest"`,
  ]);
});

test('a plugin requires versions of another plugin', async (t) => {
  const rooms = write(t, {'plugin.json': manifest({version: '1.4.0'})});
  const needing = (range?: string) =>
    write(t, {'plugin.json': {...manifest(), name: 'needing', requires: [{plugin: 'rooms', ...(range && {version: range})}]}});
  for (const range of [undefined, '^1.2.0', '1.x']) await t.notThrowsAsync(load(rooms, needing(range)));
  const [fault] = await problemsOf(t, () => load(rooms, needing('^2.0.0')));
  t.like(fault, {
    code: 'REQUIREMENT_VERSION',
    plugin: 'needing',
    path: 'requires[0]',
    message: 'it requires the plugin rooms ^2.0.0, and that is 1.4.0',
  });
  t.is((await problemsOf(t, () => load(needing('^2.0.0'))))[0]!.code, 'REQUIREMENT_MISSING');
});

test('a plugin that is named twice is there once', async (t) => {
  const rooms = write(t, {'plugin.json': manifest()});
  t.is((await load(rooms, rooms, join(rooms, 'plugin.json'))).plugins.length, 1);
});
