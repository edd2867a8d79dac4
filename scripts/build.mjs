// Compiles the TypeScript sources and copies what stands beside them (manifests, schemas, scripts) into the output
// folder, makes the pages of the console, bundles the command line, and removes there what is made of sources that are gone. Plain JavaScript, because it runs before anything is compiled.
// Where nothing has changed since the last complete build it ends at once, and with --quiet without a word.
//
//   node scripts/build.mjs [--out DIR] [--quiet] [--root DIR] [--to-run]
//
// With --to-run what has never been built is built just for running it, in half of the time: types are not checked, and tests not compiled. The next build makes up for that, with
// this flag as soon as something has changed.
import {existsSync, rmSync} from 'node:fs';
import {dirname, join, relative, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {BuildProgress} from './build-progress.mjs';
import {inputsOf, outputsOf, readStamp, removeStamp, sources, writeStamp} from './build-stamp.mjs';
import {bundle} from './bundle.mjs';
import {buildConsole, consoleFiles} from './console/build-console.mjs';
import {compileSchemas} from './compile-schemas.mjs';
import {copyAssets} from './copy-assets.mjs';
import {indexPlugins} from './index-plugins.mjs';
import {outputFolderFault, removeStale} from './remove-stale.mjs';
import {runCompiler} from './run-compiler.mjs';

const home = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const {values} = parseArgs({
  options: {
    out: {type: 'string', default: 'dist'},
    quiet: {type: 'boolean', default: false},
    root: {type: 'string', default: home},
    'to-run': {type: 'boolean', default: false},
  },
});
const root = resolve(values.root);
const out = resolve(root, values.out);

const fault = outputFolderFault(root, out, sources);
if (fault) {
  console.error(`build: ${fault}: ${out}`);
  process.exit(1);
}

/** Looked at before anything is compiled: what changes meanwhile makes the next build work. */
const inputs = inputsOf(root);
const last = readStamp(out);
const intact = last !== undefined && last.outputs === outputsOf(out);
if (intact && last.inputs === inputs && (values['to-run'] || last.isComplete)) {
  if (!values.quiet) console.log(`${relative(root, out)} is up to date`);
  process.exit();
}
const compilerState = join(out, '.tsbuildinfo');
// The compiler trusts that its output is still there.
if (last !== undefined && !intact) rmSync(compilerState, {force: true});

/** Whether types are checked, and tests compiled. */
const isComplete = !values['to-run'] || last !== undefined;

const progress = new BuildProgress();
progress.step(`compiles TypeScript into ${relative(root, out)}${last === undefined ? ', which takes longest the first time' : ''}`);
const [isCompiled, hasPages] = await Promise.all([
  compile(),
  buildConsole(root, out, {isChecked: isComplete, say: (text) => progress.say(text)}),
]);
progress.step('copies what stands beside it');
for (const folder of sources) if (existsSync(join(root, folder))) copyAssets(root, folder, out);
await compileSchemas(root, out);
const removed = removeStale(root, out, sources, new RegExp(`\\.validator\\.cjs$|^manifests\\.json$|${consoleFiles.source}`));
if (removed.length > 0) progress.say(`removed ${removed.length} files of sources that are gone`);
const inOrder = isCompiled && hasPages && (await makeRest());
progress.end(inOrder ? `built ${relative(root, out)} in` : `${relative(root, out)} could not be built, after`);
process.exitCode = inOrder ? 0 : 1;
// A build with faults is not complete: the next one has to show them again.
if (process.exitCode === 0) writeStamp(out, {inputs, outputs: outputsOf(out), isComplete});
else removeStamp(out);

/** @returns whether the sources are in order; what is wrong is printed */
async function compile() {
  const argv = isComplete ? ['-p', root, '--incremental', '--tsBuildInfoFile', compilerState] : ['-p', join(root, 'tsconfig.to-run.json')];
  const {isInOrder, said} = await runCompiler(root, [...argv, '--outDir', out]);
  if (said !== '') progress.say(said);
  return isInOrder;
}

/** @returns whether what is made of the compiled files is in order */
async function makeRest() {
  progress.step('checks the plugins, and indexes them');
  if (!(await indexPlugins(out))) return false;
  progress.step('bundles all of it');
  await bundle(root, out);
  return true;
}
