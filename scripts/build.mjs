// Compiles the TypeScript sources and copies what stands beside them (manifests, schemas, scripts) into the output
// folder, makes the pages of the console, bundles the command line, and removes there what is made of sources that are gone. Plain JavaScript, because it runs before anything is compiled.
// Where nothing has changed since the last complete build it ends at once.
//
//   node scripts/build.mjs [--out DIR] [--quiet] [--root DIR]
import {spawnSync} from 'node:child_process';
import {existsSync, rmSync} from 'node:fs';
import {dirname, join, relative, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
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
const started = performance.now();

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

const tsc = spawnSync(
  join(root, 'node_modules/.bin/tsc'),
  ['-p', root, '--outDir', out, '--incremental', '--tsBuildInfoFile', compilerState],
  {stdio: 'inherit'},
);
for (const folder of sources) if (existsSync(join(root, folder))) copyAssets(root, folder, out);
await compileSchemas(root, out);
const removed = removeStale(root, out, sources, new RegExp(`\\.validator\\.cjs$|^manifests\\.json$|${consoleFiles.source}`));
const inOrder = tsc.status === 0 && (await buildConsole(root, out)) && (await indexPlugins(out));
if (inOrder) await bundle(root, out);
if (removed.length > 0 && !values.quiet) console.log(`removed ${removed.length} files of sources that are gone`);
if (!values.quiet) console.log(`built ${relative(root, out)} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
process.exitCode = inOrder ? 0 : 1;
// A build with faults is not complete: the next one has to show them again.
if (process.exitCode === 0) writeStamp(out, {inputs, outputs: outputsOf(out)});
else removeStamp(out);
