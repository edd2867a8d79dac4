// Runs the tests that need no server and no other program, of the last build. Arguments are those of scripts/test.mjs.
//
//   npm run test:fast [-- --match '*conflict*']
import './require-node.mjs';
import {spawnSync} from 'node:child_process';
import {dirname, join, relative, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {TestGraph} from './test-graph.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const out = resolve(root, process.env.ORCH_OUT ?? 'dist');
const graph = new TestGraph(out);
const files = graph.fastTests().map((file) => relative(root, join(out, file)));
console.log(`${files.length} of ${graph.tests.length} test files need no server`);
const {status} = spawnSync(process.execPath, [join(root, 'scripts/test.mjs'), ...files, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
