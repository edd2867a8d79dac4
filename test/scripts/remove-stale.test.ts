import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import test from 'ava';
import {projectRoot} from '../helpers/project-root.js';
import {fileTree, runScript} from '../helpers/run-script.js';

interface RemoveStale {
  outputFolderFault(root: string, out: string, sources: readonly string[]): string | undefined;
  removeStale(root: string, out: string, sources: readonly string[], made?: RegExp): string[];
}

const {outputFolderFault, removeStale} = (await import(pathToFileURL(join(projectRoot(), 'scripts/remove-stale.mjs')).href)) as RemoveStale;

const compiled = (path: string) => Object.fromEntries(['.js', '.js.map', '.d.ts'].map((ending) => [`out/${path}${ending}`, '']));

test('what no source stands for any more is removed, with folders that are empty then', (t) => {
  const root = fileTree(t, {
    'core/kept.ts': '',
    'core/plugin.json': '{}',
    'core/plain.mjs': '',
    ...compiled('core/kept'),
    ...compiled('core/gone'),
    ...compiled('test/old/gone.test'),
    'out/core/plugin.json': '{}',
    'out/core/plain.mjs': '',
    'out/core/old.schema.json': '{}',
    'out/core/made.cjs': '',
    'out/.tsbuildinfo': '{}',
    'out/other/own.js': '',
  });
  const out = join(root, 'out');
  const gone = [
    'core/gone.d.ts',
    'core/gone.js',
    'core/gone.js.map',
    'core/old.schema.json',
    'test/old/gone.test.d.ts',
    'test/old/gone.test.js',
    'test/old/gone.test.js.map',
  ];
  t.deepEqual(removeStale(root, out, ['core', 'test', 'sdk'], /^made\.cjs$/), gone);
  for (const path of gone) t.false(existsSync(join(out, path)), path);
  for (const path of [
    'core/kept.js',
    'core/kept.js.map',
    'core/kept.d.ts',
    'core/plugin.json',
    'core/plain.mjs',
    'core/made.cjs',
    '.tsbuildinfo',
    'other/own.js',
  ]) {
    t.true(existsSync(join(out, path)), path);
  }
  t.false(existsSync(join(out, 'test')));
  t.deepEqual(removeStale(root, out, ['core', 'test', 'sdk'], /^made\.cjs$/), []);
});

test('an output folder that holds sources is refused', async (t) => {
  const fault = (out: string) => outputFolderFault('/srv/project', out, ['core', 'test']);
  t.is(fault('/srv/project/build/mine'), undefined);
  t.is(fault('/elsewhere'), undefined);
  t.is(fault('/srv/project'), 'the output folder holds the project');
  t.is(fault('/srv'), 'the output folder holds the project');
  t.is(fault('/srv/project/test'), 'the output folder is in the source folder test');
  t.is(fault('/srv/project/core/made'), 'the output folder is in the source folder core');
  const {code, output} = await runScript('build.mjs', ['--out', 'test']);
  t.is(code, 1);
  t.is(output, `build: the output folder is in the source folder test: ${join(projectRoot(), 'test')}\n`);
});
