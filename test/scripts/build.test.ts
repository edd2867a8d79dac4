import test, {type ExecutionContext} from 'ava';
import {appendFileSync, existsSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {projectRoot} from '../helpers/project-root.js';
import {until} from '../helpers/eventually.js';
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
    'tsconfig.to-run.json': JSON.stringify({
      extends: './tsconfig.json',
      compilerOptions: {noCheck: true, declaration: false},
      include: ['core'],
    }),
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
  return {
    root,
    build: (...more: string[]) => runScript('build.mjs', ['--root', root, ...more], {cwd: root}),
    path: (name: string) => join(root, name),
  };
}

const upToDate = {code: 0, output: 'dist is up to date\n'};

test('a build where nothing has changed does nothing; what was changed or is gone is built', async (t) => {
  const {build, path} = project(t);
  t.regex((await build()).output, /\nbuilt dist in/);
  t.deepEqual(await build(), upToDate);

  appendFileSync(path('core/one.ts'), 'export const three = 3;\n');
  rmSync(path('sdk/two.ts'));
  writeFileSync(path('core/asset.json'), '{"a": 1}');
  t.regex((await build()).output, /removed 2 files.*\n?built dist/s);
  t.deepEqual(await build(), upToDate);

  rmSync(path('dist/core/one.js'));
  t.regex((await build()).output, /\nbuilt dist in/);
  t.deepEqual(await build(), upToDate);
  t.regex(readFileSync(path('dist/core/one.js'), 'utf8'), /three = 3/);
  t.is(readFileSync(path('dist/core/asset.json'), 'utf8'), '{"a": 1}');
  t.false(existsSync(path('dist/sdk/two.js')));
});

test('a build says each step with the seconds so far, and with --quiet nothing where there is nothing to do', async (t) => {
  const {build, path} = project(t);
  const first = await build('--quiet');
  t.is(first.code, 0);
  t.regex(first.output, /^build: +0\.\d s  compiles TypeScript into dist, which takes longest the first time\nbuild: +\d+\.\d s  /);
  t.regex(first.output, /\nbuilt dist in \d+\.\d s\n$/);
  t.deepEqual(await build('--quiet'), {code: 0, output: ''});

  writeFileSync(path('sdk/two.ts'), 'export const two: string = 2;\n');
  const {code, output} = await build('--quiet');
  t.is(code, 1);
  t.regex(output, /^build: +0\.\d s  compiles TypeScript into dist\nsdk\/two\.ts\(1,14\): error TS2322/);
  t.regex(output, /\ndist could not be built, after \d/);
});

test('on a terminal a build shows how long it goes on, in a line that is written anew', async (t) => {
  const {BuildProgress} = (await import(pathToFileURL(join(projectRoot(), 'scripts/build-progress.mjs')).href)) as {
    BuildProgress: new (stream: {isTTY: boolean; write(text: string): void}) => {step(text: string): void; end(text: string): void};
  };
  const written: string[] = [];
  const progress = new BuildProgress({isTTY: true, write: (text) => void written.push(text)});
  progress.step('compiles');
  await until('the line is written anew', () => written.length > 1);
  progress.end('built in');
  t.regex(written[0]!, /^\r\u001B\[Kbuild: +0\.\d s  compiles\n$/);
  t.regex(written[1]!, /^\r\u001B\[Kbuild: +\d+\.\d s$/);
  t.regex(written.at(-1)!, /^\r\u001B\[Kbuilt in \d+\.\d s\n$/);
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

test('what has never been built is built to run without a look at types and tests; the next build makes up for it', async (t) => {
  const {build, path} = project(t);
  writeFileSync(path('core/one.ts'), "export const one: number = 'text';\n");
  t.is((await build('--to-run')).code, 0);
  t.true(existsSync(path('dist/core/one.js')));
  t.false(existsSync(path('dist/core/one.d.ts')) || existsSync(path('dist/sdk/two.js')));
  t.deepEqual(await build('--to-run'), upToDate);
  const {code, output} = await build();
  t.not(code, 0);
  t.regex(output, /not assignable to type 'number'/);

  writeFileSync(path('core/one.ts'), 'export const one = 1;\n');
  t.is((await build()).code, 0);
  t.true(existsSync(path('dist/core/one.d.ts')) && existsSync(path('dist/sdk/two.js')));
  t.deepEqual(await build('--to-run'), upToDate);
  writeFileSync(path('core/one.ts'), "export const one: number = 'text';\n");
  t.not((await build('--to-run')).code, 0);
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
