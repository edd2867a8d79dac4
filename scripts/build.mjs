// Compiles the TypeScript sources and copies what stands beside them (manifests, schemas, scripts) into the output
// folder, makes the pages of the console, bundles the command line, and removes there what is made of sources that are gone. Plain JavaScript, because it runs before anything is compiled.
// Where nothing has changed since the last complete build it ends at once, and with --quiet without a word.
//
//   node scripts/build.mjs [--out DIR] [--quiet] [--root DIR]
import {spawn} from 'node:child_process';
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

const home = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const {values} = parseArgs({
  options: {
    out: {type: 'string', default: 'dist'},
    quiet: {type: 'boolean', default: false},
    root: {type: 'string', default: home},
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
if (intact && last.inputs === inputs) {
  if (!values.quiet) console.log(`${relative(root, out)} is up to date`);
  process.exit();
}
const compilerState = join(out, '.tsbuildinfo');
// The compiler trusts that its output is still there.
if (last !== undefined && !intact) rmSync(compilerState, {force: true});

const progress = new BuildProgress();
progress.step(`compiles TypeScript into ${relative(root, out)}${last === undefined ? ', which takes longest the first time' : ''}`);
const isCompiled = await compile();
progress.step('copies what stands beside it');
for (const folder of sources) if (existsSync(join(root, folder))) copyAssets(root, folder, out);
await compileSchemas(root, out);
const removed = removeStale(root, out, sources, new RegExp(`\\.validator\\.cjs$|^manifests\\.json$|${consoleFiles.source}`));
if (removed.length > 0) progress.say(`removed ${removed.length} files of sources that are gone`);
const inOrder = isCompiled && (await makeRest());
progress.end(inOrder ? `built ${relative(root, out)} in` : `${relative(root, out)} could not be built, after`);
process.exitCode = inOrder ? 0 : 1;
// A build with faults is not complete: the next one has to show them again.
if (process.exitCode === 0) writeStamp(out, {inputs, outputs: outputsOf(out)});
else removeStamp(out);

/** @returns whether the sources are in order; what is wrong is printed */
async function compile() {
  const colours = process.stdout.isTTY ? ['--pretty'] : [];
  const argv = ['-p', root, '--outDir', out, '--incremental', '--tsBuildInfoFile', compilerState, ...colours];
  const tsc = spawn(join(root, 'node_modules/.bin/tsc'), argv, {stdio: ['ignore', 'pipe', 'pipe']});
  let said = '';
  for (const stream of [tsc.stdout, tsc.stderr]) stream.setEncoding('utf8').on('data', (text) => void (said += text));
  const code = await new Promise((ended, failed) => tsc.once('error', failed).once('close', ended));
  if (said !== '') progress.say(said);
  return code === 0;
}

/** @returns whether what is made of the compiled files is in order */
async function makeRest() {
  progress.step('makes the pages of the console');
  if (!(await buildConsole(root, out))) return false;
  progress.step('checks the plugins, and indexes them');
  if (!(await indexPlugins(out))) return false;
  progress.step('bundles all of it');
  await bundle(root, out);
  return true;
}
