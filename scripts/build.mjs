// Compiles the TypeScript sources and copies what stands beside them (manifests, schemas, scripts) into the output
// folder, and removes there what is made of sources that are gone. Plain JavaScript, because it runs before anything is compiled.
//
//   node scripts/build.mjs [--out DIR] [--quiet]
import {spawnSync} from 'node:child_process';
import {copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync} from 'node:fs';
import {dirname, join, relative, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {compileSchemas} from './compile-schemas.mjs';
import {outputFolderFault, removeStale} from './remove-stale.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const {values} = parseArgs({options: {out: {type: 'string', default: 'dist'}, quiet: {type: 'boolean', default: false}}});
const out = resolve(root, values.out);
const started = performance.now();

const sources = ['sdk', 'core', 'plugins', 'examples', 'test'];

const fault = outputFolderFault(root, out, sources);
if (fault) {
  console.error(`build: ${fault}: ${out}`);
  process.exit(1);
}

/** Copies files that are not sources when they are new or changed. */
function copyAssets(folder) {
  for (const entry of readdirSync(folder, {withFileTypes: true})) {
    const from = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules') copyAssets(from);
    } else if (!/\.(ts|md)$/.test(entry.name)) {
      const to = join(out, relative(root, from));
      if (existsSync(to) && statSync(to).size === statSync(from).size && readFileSync(to).equals(readFileSync(from))) continue;
      mkdirSync(dirname(to), {recursive: true});
      copyFileSync(from, to);
    }
  }
}

const tsc = spawnSync(
  join(root, 'node_modules/.bin/tsc'),
  ['-p', root, '--outDir', out, '--incremental', '--tsBuildInfoFile', join(out, '.tsbuildinfo')],
  {stdio: 'inherit'},
);
for (const folder of sources) if (existsSync(join(root, folder))) copyAssets(join(root, folder));
await compileSchemas(root, out);
const removed = removeStale(root, out, sources, /\.validator\.cjs$/);
if (removed.length > 0 && !values.quiet) console.log(`removed ${removed.length} files of sources that are gone`);
if (!values.quiet) console.log(`built ${relative(root, out)} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
process.exitCode = tsc.status ?? 1;
