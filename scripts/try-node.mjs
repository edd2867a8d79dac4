// Runs the tests of connections, and attacks on them, of the last build under several releases of Node.js: those of `engines` in package.json.
//
//   node scripts/try-node.mjs [--nodes 22.20.0,24.21.0]
import './require-node.mjs';
import {spawnSync} from 'node:child_process';
import {mkdtempSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {environmentWith} from './package/node-release.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const {values} = parseArgs({options: {nodes: {type: 'string', default: process.versions.node}}});
const http = ['node', 'connections', 'body', 'handlers', 'response', 'request'].map((room) => `dist/test/core/http/${room}/**/*.test.js`);
/** One for each bound that a private name of Node.js keeps. */
const attacks = [
  'pipelining/health-many-connections',
  'pipelining/large-list',
  'headers/300-of-1-megabyte',
  'connections/half-hello',
  'delivery/all-but-the-last-byte-of-a-megabyte',
];
const work = realpathSync(mkdtempSync(join(tmpdir(), 'orch-node-')));

/** Runs a program to its end, with its output. @throws Error if it fails */
function run(command, argv, options = {}) {
  const result = spawnSync(command, argv, {cwd: root, stdio: 'inherit', ...options});
  if (result.status !== 0) throw new Error(`${[command, ...argv].join(' ')}: ${result.error?.message ?? `exit code ${result.status}`}`);
}

try {
  run('node', ['scripts/build-rigs.mjs', '--quiet']);
  for (const version of values.nodes.split(',')) {
    const env = environmentWith(version, work, run);
    console.log(`Node.js ${version}`);
    run('node', ['scripts/test.mjs', ...http, 'dist/test/sdk/net/**/*.test.js', 'dist/test/sdk/https/**/*.test.js'], {env});
    // What is asked is whether the bounds are kept, not how fast: other work may go on beside.
    run('node', ['dist/rigs/attack/main.js', '--store', 'embedded', '--p99', '5000', ...attacks.flatMap((name) => ['--only', name])], {
      env,
    });
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(work, {recursive: true, force: true});
}
