import test from 'ava';
import {runScript} from '../helpers/run-script.js';

/** Makes a process believe that it runs under an older release. */
const older = "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.20.2'})";

for (const script of ['check.mjs', 'test.mjs', 'claims.mjs', 'check-layers.mjs']) {
  test(`${script} under a Node that is too old says so in one sentence`, async (t) => {
    const {code, output} = await runScript(script, [], {env: {NODE_OPTIONS: `--import ${older}`}});
    t.is(code, 1);
    t.regex(output, /^This needs Node >=22\.20, and this is Node 20\.20\.2\. Run it through npm .*\n$/);
  });
}
