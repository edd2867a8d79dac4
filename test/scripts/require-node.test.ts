import {existsSync} from 'node:fs';
import {execFileSync} from 'node:child_process';
import test from 'ava';
import {runScript} from '../helpers/run-script.js';

const systemNode = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => existsSync(path));
const systemMajor = systemNode ? Number(/\d+/.exec(execFileSync(systemNode, ['--version'], {encoding: 'utf8'}))![0]) : undefined;
const whereOld = systemMajor !== undefined && systemMajor < 22 ? test : test.skip;

for (const script of ['check.mjs', 'test.mjs', 'claims.mjs', 'check-layers.mjs']) {
  whereOld(`${script} under a Node that is too old says so in one sentence`, async (t) => {
    const {code, output} = await runScript(script, [], {node: systemNode!});
    t.is(code, 1);
    t.regex(output, /^This needs Node >=22\.20, and this is Node [\d.]+\. Run it through npm .*\n$/);
  });
}
