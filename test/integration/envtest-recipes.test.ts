import {execFile} from 'node:child_process';
import {chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {delimiter, join, resolve} from 'node:path';
import {promisify} from 'node:util';
import test, {type ExecutionContext} from 'ava';
import {commandLine, runOrch} from '../helpers/orch-process.js';
import {projectRoot} from '../helpers/project-root.js';
import {tempFolder} from '../helpers/temp-folder.js';

/* The blocks of docs/envtest-recipes.md, as they stand there. */

const run = promisify(execFile);
const page = readFileSync(join(projectRoot(), 'docs/envtest-recipes.md'), 'utf8');
/** Tests with a pytest and the client of their own find them here: the interpreter that Debian's packages are for. */
const pythons = ['python3', '/usr/bin/python3'];
const goPlaces = ['go', '/usr/lib/go-1.19/bin/go'];

function block(language: string): string {
  const found = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(page)?.[1];
  if (found === undefined) throw new Error(`the page has no block in ${language}`);
  return found;
}

/** The environment with `orch` on its path. */
function withOrch(folder: string): NodeJS.ProcessEnv {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'orch'), `#!/bin/sh\nexec '${process.execPath}' '${commandLine}' "$@"\n`);
  chmodSync(join(bin, 'orch'), 0o755);
  return {...process.env, PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}`};
}

/** The first program that ends well with these arguments. */
async function firstOf(programs: readonly string[], args: readonly string[]): Promise<string | undefined> {
  for (const program of programs) {
    const works = await run(program, [...args]).then(
      () => true,
      () => false,
    );
    if (works) return program;
  }
  return undefined;
}

/** The times that a suite has printed, in milliseconds: it went back after each of its tests. */
function timesBack(t: ExecutionContext, printed: string, tests: number): void {
  const times = [...printed.matchAll(/back within ([\d.]+) ms/g)].map(([, text]) => Number(text));
  t.is(times.length, tests, printed);
  t.log(`back to the start after 100 objects within ${times[0]} ms`);
}

test('the recipe for Node goes back between its tests and puts the clock forward', async (t) => {
  const folder = tempFolder(t);
  writeFileSync(join(folder, 'suite.test.mjs'), block('js'));
  symlinkSync(join(projectRoot(), 'node_modules'), join(folder, 'node_modules'));
  const {NODE_TEST_CONTEXT: _ours, NODE_OPTIONS: _options, ...env} = withOrch(folder);
  const {stdout} = await run(process.execPath, ['--test', '--test-reporter=tap', 'suite.test.mjs'], {cwd: folder, env});
  t.regex(stdout, /^# pass 3$/m);
  timesBack(t, stdout, 3);
});

test('the recipe for Python goes back between its tests and puts the clock forward', async (t) => {
  const python = await firstOf(pythons, ['-c', 'import kubernetes, pytest']);
  if (python === undefined) return t.pass('python3 with kubernetes and pytest is not here: not run');
  const folder = tempFolder(t);
  writeFileSync(join(folder, 'test_suite.py'), block('python'));
  const args = ['-m', 'pytest', '-s', '-q', '-p', 'no:cacheprovider', 'test_suite.py'];
  const {stdout} = await run(python, args, {cwd: folder, env: withOrch(folder)}).catch((error: {stdout: string}) => error);
  t.regex(stdout, /\b3 passed\b/, stdout);
  timesBack(t, stdout, 3);
});

test('the recipe for Go goes back between its tests and puts the clock forward', async (t) => {
  const go = await firstOf(goPlaces, ['version']);
  const module = process.env['ORCH_TEST_GO_MODULE'];
  if (go === undefined || module === undefined) return t.pass('no Go, or no ORCH_TEST_GO_MODULE (a module that vendors envtest): not run');
  const folder = tempFolder(t);
  const source = join(folder, 'suite_test.go');
  writeFileSync(source, block('go'));
  // The file is in the module for this command only.
  const place = join(resolve(module), 'orchrecipe', 'suite_test.go');
  t.false(existsSync(place));
  writeFileSync(join(folder, 'overlay.json'), JSON.stringify({Replace: {[place]: source}}));
  const assets = join(folder, 'assets');
  await runOrch(['envtest', assets]);
  const env = {...process.env, GOFLAGS: '-mod=vendor', KUBEBUILDER_ASSETS: assets, ORCH_ENVTEST_TESTING_API: 'true'};
  const suite = join(folder, 'suite.test');
  await run(go, ['test', '-c', '-vet=off', '-o', suite, `-overlay=${join(folder, 'overlay.json')}`, './orchrecipe'], {cwd: module, env});
  const {stdout} = await run(suite, ['-test.v'], {cwd: folder, env});
  t.is([...stdout.matchAll(/^ {4}--- PASS/gm)].length, 3, stdout);
});
