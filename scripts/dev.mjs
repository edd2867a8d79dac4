// Compiles what changes while one works, and runs the tests that it concerns: those beside it, then those that import it most directly, without servers.
//
//   npm run dev [-- 'dist/test/core/http/**/*.test.js' …]
//
// With arguments, which are those of scripts/test.mjs, these tests run after every change instead. Ctrl-C ends it. The bundle, which servers and the command line
// run from, is made anew before tests that may need it.
import './require-node.mjs';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {watch} from 'node:fs';
import {dirname, join, relative, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {bundle} from './bundle.mjs';
import {TestGraph} from './test-graph.mjs';

/** Most test files of one run, so that an answer comes soon. */
const mostTests = 12;
/** How long nothing has to change before tests run: editors and the compiler write several files. */
const quietMillis = 300;

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const out = join(root, 'dist');
const chosen = process.argv.slice(2);

const changed = new Set();
let timer;
let running;
let isBusy = false;
let compiles = true;

/** Compiled files are written only when they change: what is written is what is to be tested. */
const watcher = watch(out, {recursive: true}, (_event, path) => {
  if (!path?.endsWith('.js') || path.startsWith('bundle')) return;
  changed.add(path.replaceAll('\\', '/'));
  schedule();
});

const compiler = spawn(
  join(root, 'node_modules/.bin/tsc'),
  ['-p', root, '--outDir', out, '--incremental', '--tsBuildInfoFile', join(out, '.tsbuildinfo'), '--watch', '--preserveWatchOutput'],
  {cwd: root, stdio: ['ignore', 'pipe', 'inherit']},
);
compiler.stdout.setEncoding('utf8').on('data', (text) => {
  process.stdout.write(text);
  const count = /Found (\d+) errors?/.exec(text);
  if (!count) return;
  compiles = count[1] === '0';
  schedule();
});

function schedule() {
  clearTimeout(timer);
  timer = setTimeout(() => void runTests(), quietMillis);
}

async function runTests() {
  if (isBusy || !compiles || changed.size === 0) return;
  const files = [...changed];
  changed.clear();
  const {argv, fast} = chosen.length > 0 ? {argv: chosen, fast: false} : testsOf(files);
  if (argv.length === 0) return;
  isBusy = true;
  try {
    if (!fast) await bundle(root, out);
    running = spawn(process.execPath, [join(root, 'scripts/test.mjs'), ...argv], {cwd: root, stdio: 'inherit'});
    await once(running, 'close');
  } catch (error) {
    console.error(error);
  }
  isBusy = false;
  // What changed meanwhile.
  if (changed.size > 0) schedule();
}

function testsOf(files) {
  const graph = new TestGraph(out);
  const fast = new Set(graph.fastTests());
  // A test that changed runs, whatever it starts.
  const tests = graph.testsOf(files).filter((test) => fast.has(test) || files.includes(test));
  const left = tests.length - mostTests;
  console.log(
    `\n${files.slice(0, 3).join(', ')}${files.length > 3 ? ` and ${files.length - 3} more` : ''}: ${tests.length} tests${left > 0 ? `, of which the first ${mostTests} run` : ''}`,
  );
  const first = tests.slice(0, mostTests);
  return {argv: first.map((test) => relative(root, join(out, test))), fast: first.every((test) => fast.has(test))};
}

function end() {
  clearTimeout(timer);
  watcher.close();
  running?.kill();
  compiler.kill();
}
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, end);
const [code] = await once(compiler, 'close');
end();
process.exitCode = code ?? 0;
