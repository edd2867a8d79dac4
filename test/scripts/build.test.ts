import test, {type ExecutionContext} from 'ava';
import {appendFileSync, existsSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {projectRoot} from '../helpers/project-root.js';
import {fileTree, runScript} from '../helpers/run-script.js';

const config = {
  compilerOptions: {target: 'es2024', module: 'nodenext', rootDir: '.', strict: true, skipLibCheck: true, types: [], declaration: true},
  include: ['sdk', 'core'],
};

/** A project of a few files with the compiler of this one, and a function that builds it. */
function project(t: ExecutionContext) {
  const root = fileTree(t, {
    'package.json': '{"type": "module"}',
    'tsconfig.json': JSON.stringify(config),
    'plugin.schema.json': '{"type": "object"}',
    'schema-file.schema.json': '{"type": "object"}',
    'core/options/configuration.schema.json': '{"type": "object"}',
    'core/one.ts': 'export const one = 1;\n',
    'core/asset.json': '{}',
    'core/README.md': 'text',
    'sdk/two.ts': 'export const two = 2;\n',
    'scripts/build.mjs': '',
    'node_modules/.package-lock.json': '{"packages": {}}',
  });
  for (const name of ['.bin', 'typescript', 'ajv'])
    symlinkSync(join(projectRoot(), 'node_modules', name), join(root, 'node_modules', name));
  return {root, build: () => runScript('build.mjs', ['--root', root], {cwd: root}), path: (name: string) => join(root, name)};
}

const upToDate = {code: 0, output: 'dist is up to date\n'};

test('a build where nothing has changed does nothing; what was changed or is gone is built', async (t) => {
  const {build, path} = project(t);
  t.regex((await build()).output, /^built dist/);
  t.deepEqual(await build(), upToDate);

  appendFileSync(path('core/one.ts'), 'export const three = 3;\n');
  rmSync(path('sdk/two.ts'));
  writeFileSync(path('core/asset.json'), '{"a": 1}');
  t.regex((await build()).output, /removed 2 files.*\n?built dist/s);
  t.deepEqual(await build(), upToDate);

  rmSync(path('dist/core/one.js'));
  t.regex((await build()).output, /^built dist/);
  t.deepEqual(await build(), upToDate);
  t.regex(readFileSync(path('dist/core/one.js'), 'utf8'), /three = 3/);
  t.is(readFileSync(path('dist/core/asset.json'), 'utf8'), '{"a": 1}');
  t.false(existsSync(path('dist/sdk/two.js')));
});

test('every kind of change counts for a build, and nothing else does', async (t) => {
  const {root, path} = project(t);
  const {inputsOf, outputsOf} = (await import(pathToFileURL(join(projectRoot(), 'scripts/build-stamp.mjs')).href)) as {
    inputsOf(folder: string): string;
    outputsOf(folder: string): string;
  };
  const changes: Readonly<Record<string, () => void>> = {
    source: () => appendFileSync(path('core/one.ts'), 'export const three = 3;\n'),
    'source of the same length and time': () => {
      const {atime, mtime} = statSync(path('sdk/two.ts'));
      writeFileSync(path('sdk/two.ts'), 'export const two = 4;\n');
      utimesSync(path('sdk/two.ts'), atime, mtime);
    },
    'new source': () => writeFileSync(path('sdk/new.ts'), 'export const fresh = 1;\n'),
    'source that is gone': () => rmSync(path('sdk/new.ts')),
    'source with another name': () => renameSync(path('sdk/two.ts'), path('sdk/second.ts')),
    'file that is copied': () => writeFileSync(path('core/asset.json'), '{"a": 1}'),
    'schema of manifests': () => appendFileSync(path('plugin.schema.json'), '\n'),
    'settings of the compiler': () => appendFileSync(path('tsconfig.json'), '\n'),
    manifest: () => appendFileSync(path('package.json'), '\n'),
    'way of building': () => writeFileSync(path('scripts/build.mjs'), '// another'),
    'package that was installed': () => writeFileSync(path('node_modules/.package-lock.json'), '{"packages": {"node_modules/a": {}}}'),
  };
  for (const [what, change] of Object.entries(changes)) {
    const before = inputsOf(root);
    change();
    t.not(inputsOf(root), before, what);
  }
  const before = inputsOf(root);
  appendFileSync(path('core/README.md'), 'more');
  writeFileSync(path('notes.txt'), 'more');
  writeFileSync(path('node_modules/.package-lock.json'), '{"packages": {"node_modules/a": {}}}');
  t.is(inputsOf(root), before);

  // What is true of sources is true of output.
  for (const change of [
    () => writeFileSync(path('core/one.js'), ''),
    () => appendFileSync(path('core/one.js'), 'x'),
    () => rmSync(path('core/one.js')),
  ]) {
    const made = outputsOf(root);
    change();
    t.not(outputsOf(root), made);
  }
});

test('a build with faults is not taken for complete: it shows them until they are mended', async (t) => {
  const {build, path} = project(t);
  t.is((await build()).code, 0);
  writeFileSync(path('core/one.ts'), "export const one: number = 'text';\n");
  for (const time of [1, 2]) {
    const {code, output} = await build();
    t.not(code, 0, `time ${time}`);
    t.regex(output, /not assignable to type 'number'/);
  }
});
