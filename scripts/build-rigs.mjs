// Compiles the rigs (rigs/README.md) into dist/rigs, against the last build of everything else, which does not build them. Where neither has changed it ends at once.
//
//   node scripts/build-rigs.mjs [--quiet]
import './require-node.mjs';
import {spawnSync} from 'node:child_process';
import {mkdirSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {readStamp, removeStamp, stateOf, writeStamp} from './build-stamp.mjs';
import {copyAssets} from './copy-assets.mjs';
import {removeStale} from './remove-stale.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const {values} = parseArgs({options: {quiet: {type: 'boolean', default: false}}});
const out = join(root, 'dist');
const compiled = join(out, 'rigs');
const started = performance.now();

const product = readStamp(out);
if (product === undefined) {
  console.error('build-rigs: there is no complete build; npm run build makes one');
  process.exit(1);
}
const skipped = /^node_modules$|\.md$|^\.(?:build-stamp|tsbuildinfo)$/;
const inputs = `${product.inputs} ${stateOf(root, ['rigs'], skipped)}`;
const outputs = () => stateOf(out, ['rigs'], skipped);
const last = readStamp(compiled);
if (last?.inputs === inputs && last.outputs === outputs()) {
  if (!values.quiet) console.log('dist/rigs is up to date');
  process.exit();
}
mkdirSync(compiled, {recursive: true});
removeStamp(compiled);
const tsc = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', join(root, 'rigs')], {stdio: 'inherit'});
if (tsc.status !== 0) process.exit(1);
copyAssets(root, 'rigs', out);
removeStale(root, out, ['rigs'], /^\.(?:build-stamp|tsbuildinfo)$/);
writeStamp(compiled, {inputs, outputs: outputs()});
if (!values.quiet) console.log(`built dist/rigs in ${((performance.now() - started) / 1000).toFixed(1)} s`);
