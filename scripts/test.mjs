// Runs ava, shows what is worth reading and ends with one line: N passed, N failed. All arguments are ava's, for example
//
//   node scripts/test.mjs 'dist/test/core/**/*.test.js' --match '*conflict*'
//
// With none all that does not take long is run (`long` below); `--all` runs the rest too, as .ci/run does.
//
// With none, or with many files by name, those that can share a process do; with none, those of test/semantics that hold in every release run with the newest one
// too: scripts/test-groups.mjs.
//
// Fails when a test fails, when nothing ran, when a test file does not end by itself and when a process that a test
// started is still there afterwards; with ORCH_REQUIRE=all also when a test is skipped, as those are whose tools are missing.
//
// With ORCH_AGAIN=N, the tests that failed are taken once more, those of each file alone, if these are at most N: what passes then is named and does not
// fail the run (docs/decisions/0067-files-that-fail-are-taken-once-more.md).
import './require-node.mjs';
import {spawn} from 'node:child_process';
import {randomUUID} from 'node:crypto';
import {once} from 'node:events';
import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {availableParallelism, tmpdir} from 'node:os';
import {basename, dirname, join, relative, resolve} from 'node:path';
import {createInterface} from 'node:readline';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {AvaOutput, TitleOwners} from './ava-output.mjs';
import {filesBelow} from './source-files.mjs';
import {survivorsOf} from './survivors.mjs';
import {groupFolder, groupTests} from './test-groups.mjs';
import {withTools} from './test-tools.mjs';

const home = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const argv = process.argv.slice(2).filter((argument) => argument !== '--all');
/** Files that take long and find little: rigs, installed packages, and programs that are tried in hundreds of ways. */
const long = new RegExp(
  `^(?:${[
    'rigs',
    'test/catalogue/(?:bombs|wide-tables)',
    'test/core/api/(?:apply/properties|work-bounds)',
    'test/core/cli/(?:hostile-texts|loop-guard|plugin-flows|plugins-add|plugins-dev|store-backup|store-tools)',
    'test/core/http/response/large-answers',
    'test/core/registry/write/large-writes',
    'test/core/server/longest-turn',
    'test/integration/(?:envtest|hostile-servers-behind|hostile-services|kubectl-matrix|kubectl-releases|kubectl-semantics|list-then-watch|workers)',
    'test/package',
    'test/plugins/admission/(?:resource-quota-servers|webhooks/(?:hostile|two-servers))',
    'test/plugins/console/browser-(?!modules|sign-in)',
    'test/plugins/controllers/(?:aggregator/hostile-servers|garbage-collector/dependents)',
    'test/plugins/resources/apiextensions/random-definitions',
    'test/plugins/stores/embedded/embedded-rewrite',
    'test/semantics/fuzz',
  ].join('|')})\\b`,
);
const isAll = process.argv.includes('--all');
const runId = randomUUID();
const out = resolve(process.env.ORCH_OUT ?? 'dist');
// One more than cores: some files wait for limits of time for a minute, and use hardly any of it. Yet more would only make timings worse.
const concurrency = Math.min(availableParallelism() + 1, 6);
const ownConcurrency = argv.some((argument) => /^(?:-c|--concurrency)/.test(argument));

/** Each process of tests adds a line to this file at its end: test/helpers/record-usage.ts. */
const usageFolder = mkdtempSync(join(tmpdir(), 'orch-usage-'));
const usageFile = join(usageFolder, 'usage');

// Each test file is a process that loads most of the server; what V8 compiled is kept from one to the next.
const compileCache = process.env.NODE_COMPILE_CACHE ?? join(home, 'node_modules/.cache/orch-compile');

const output = new AvaOutput();
const named = argv
  .filter((argument) => argument.endsWith('.test.js') && existsSync(argument))
  .map((argument) => relative(out, resolve(argument)));
const all = ['test', 'rigs']
  .filter((folder) => existsSync(join(out, folder)))
  .flatMap((folder) => filesBelow(join(out, folder), /\.test\.js$/).map((path) => `${folder}/${path}`))
  .filter((file) => !file.startsWith(groupFolder))
  // Programs of Kubernetes that nothing installs: the test runs where a folder with them is given.
  .filter((file) => process.env.ORCH_TEST_COMPONENTS !== undefined || !file.endsWith('/kubernetes-components.test.js'));
const owners = new TitleOwners(named.length === 1 ? named : all);
const isMany = named.length === 0 || named.length > 12;
const usual = isAll ? all : all.filter((file) => !long.test(file));
const whole = argv.length === 0 ? usual : isMany && named.length === argv.length ? named : [];
const releases = join(out, 'core/api/lifetimes/releases.js');
const newestRelease = argv.length === 0 && existsSync(releases) ? (await import(pathToFileURL(releases).href)).newestRelease : undefined;
const groups =
  whole.length > 0 && existsSync(join(out, 'test/helpers/share-process.js')) ? groupTests(out, whole, newestRelease) : undefined;
const chosen = groups?.run.map((file) => relative(process.cwd(), join(out, file))) ?? argv;

const ava = spawn(
  process.execPath,
  [join(home, 'node_modules/ava/entrypoints/cli.js'), ...(ownConcurrency ? [] : ['--concurrency', String(concurrency)]), ...chosen],
  {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PATH: withTools(process.env.PATH),
      NODE_COMPILE_CACHE: compileCache,
      ORCH_TEST_RUN: runId,
      ORCH_TEST_USAGE: usageFile,
      // Reading them takes longer than most tests; with a few files somebody wants to see where one failed.
      ...(isMany && {ORCH_TEST_SOURCE_MAPS: 'no'}),
      NO_COLOR: '1',
      FORCE_COLOR: '0',
    },
  },
);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => ava.kill(signal));

const nameOf = (path) => path.replace(/^(?:.*\/dist\/)?test\/|^.*\/dist\/|\.test\.js$/g, '');

/** Per file: tests seen, and when the first and the last of them were reported (seconds since the start). */
const seen = new Map();
const open = new Set();
/** Titles of failed tests, by their files, with the release that they ran with if it was not the default. */
const failures = new Map();
/** Of a title in a group that runs with a release of its own (scripts/test-groups.mjs). */
const releaseOf = (title) => /(?:^|› )\d\d-\S*?-1-(\d+) › /.exec(title)?.[1];
const started = performance.now();
const now = () => (performance.now() - started) / 1000;
let slotFree = Array.from({length: concurrency}, () => 0);

function closeFile(file) {
  open.delete(file);
  const record = seen.get(file);
  // ava does not say when a file begins: it began when the slot that it took became free.
  slotFree.sort((a, b) => a - b);
  record.seconds += Math.max(0, record.last - Math.min(slotFree[0], record.first));
  slotFree = [...slotFree.slice(1), record.last];
  console.log(`  ${nameOf(file)}: ${record.tests} ${record.tests === 1 ? 'test' : 'tests'}, ${record.seconds.toFixed(1)} s`);
}

createInterface({input: ava.stdout}).on('line', (text) => {
  const {show, title, hasFailed} = output.line(text);
  const file = title === undefined ? undefined : owners.ownerOf(title);
  if (hasFailed) {
    const key = file && JSON.stringify([file, releaseOf(title)]);
    failures.set(key, [...(failures.get(key) ?? []), title]);
  }
  if (file !== undefined) {
    const record = seen.get(file) ?? {tests: 0, first: now(), last: 0, seconds: 0};
    record.tests++;
    record.last = now();
    seen.set(file, record);
    // Kept in order of the latest report: the first is the one that has been silent longest.
    open.delete(file);
    open.add(file);
    if (open.size > concurrency) closeFile(open.values().next().value);
  }
  for (const line of show) console.log(line);
});

await once(ava, 'close');
groups?.remove();
for (const file of open) closeFile(file);
const survivors = await survivorsOf(runId);
for (const {pid, command} of survivors) {
  console.log(`  ✘ left running by a test: ${command} (process ${pid})`);
  process.kill(pid, 'SIGKILL');
}

const slowest = [...seen].sort(([, a], [, b]) => b.seconds - a.seconds).slice(0, 5);
if (seen.size > 5) console.log(`\nslowest: ${slowest.map(([file, {seconds}]) => `${nameOf(file)} ${seconds.toFixed(1)} s`).join(', ')}`);

const usages = existsSync(usageFile)
  ? readFileSync(usageFile, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  : [];
rmSync(usageFolder, {recursive: true, force: true});
if (usages.length > 0) {
  const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;
  const sum = (key) => usages.reduce((total, usage) => total + usage[key], 0);
  console.log(`\nprocessor time: ${seconds(sum('own'))}, and ${seconds(sum('started'))} of programs that tests started`);
  const most = usages.sort((a, b) => b.own + b.started - a.own - a.started).slice(0, 5);
  if (usages.length > 5) console.log(`most: ${most.map(({file, own, started}) => `${nameOf(file)} ${seconds(own + started)}`).join(', ')}`);
}

/** Files whose process did not end as it should, though no test in it failed: one that fails may leave something behind. */
const endedBadly = output.ended.filter((ended) => {
  const file = relative(out, resolve(ended));
  const group = file.startsWith(groupFolder) && basename(file, '.test.js');
  return ![...failures].some(([key, titles]) =>
    group ? titles.some((title) => title.split(' › ').includes(group)) : key !== undefined && JSON.parse(key)[0] === file,
  );
});
for (const file of endedBadly) console.log(`  ✘ did not end as it should: ${file}`);

/** Arguments of ava that choose these tests of a file; none, so that all of them run, where it cannot be said which they are. */
function choosing(titles) {
  const alone = titles.map((reported) => owners.titleAlone(output.titleOf(reported) ?? ''));
  // These mean something to ava.
  return alone.some((title) => !title || /[*!\\]/.test(title)) ? [] : alone.flatMap((title) => ['--match', title]);
}

/** Runs the tests that failed once more, those of each file alone. @returns how many of the failures are gone */
async function takeAgain() {
  const files = [...failures.keys()];
  const isWhole = endedBadly.length === 0 && !files.includes(undefined) && output.failed === [...failures.values()].flat().length;
  if (!isWhole || files.length > Number(process.env.ORCH_AGAIN ?? 0)) return 0;
  const gone = [];
  for (const [key, titles] of failures) {
    const [file, minor] = JSON.parse(key);
    console.log(`\n↻ taken once more, alone: ${file}`);
    const env = {...process.env, ORCH_AGAIN: '0', ORCH_REQUIRE: '', ...(minor && {ORCH_TEST_RELEASE: `1.${minor}`})};
    // Where tests need those before them, only the whole file tells.
    const chosen = choosing(titles);
    const ways = chosen.length > 0 ? [chosen, []] : [[]];
    let code;
    for (const way of ways) {
      const args = [fileURLToPath(import.meta.url), relative(process.cwd(), join(out, file)), ...way];
      [code] = await once(spawn(process.execPath, args, {stdio: 'inherit', env}), 'close');
      if (code === 0) break;
    }
    if (code === 0) gone.push(...titles);
  }
  if (gone.length > 0) console.log(`\nfailed, and passed when taken once more:\n${gone.map((title) => `  ↻ ${title}`).join('\n')}`);
  return gone.length;
}

const excused = survivors.length === 0 ? await takeAgain() : 0;
let failed = output.failed - excused + survivors.length + endedBadly.length;
if (failed === 0 && output.passed === 0) {
  console.log('  ✘ no test was executed');
  failed = 1;
} else if (failed === 0 && excused === 0 && ava.exitCode !== 0) {
  console.log(`  ✘ ava ended with ${ava.signalCode ?? `exit code ${ava.exitCode}`} although no test failed`);
  failed = 1;
}
if (output.skipped > 0 && process.env.ORCH_REQUIRE === 'all') {
  console.log('  ✘ tests were skipped, which ORCH_REQUIRE=all does not allow');
  failed += output.skipped;
}
console.log(`\n${output.passed + excused} passed, ${failed} failed${output.skipped > 0 ? `, ${output.skipped} skipped` : ''}`);
process.exitCode = failed > 0 ? 1 : 0;
