import test from 'ava';
import {runScript} from '../helpers/run-script.js';

/** Makes a process believe that it runs under another release. */
const believe = (release: string) => `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'${release}'})`;

const cases = ['check.mjs', 'test.mjs', 'claims.mjs', 'check-layers.mjs'].map((script) => ({script, release: '20.20.2'}));
for (const {script, release} of [
  ...cases,
  ...['22.19.0', '23.9.0', '26.1.0'].map((other) => ({script: 'check-layers.mjs', release: other})),
]) {
  test(`${script} under Node ${release} says in one sentence which releases it needs`, async (t) => {
    const {code, output} = await runScript(script, [], {env: {NODE_OPTIONS: `--import ${believe(release)}`}});
    t.is(code, 1);
    const text = `This needs Node ^22.20.0 || ^24.0.0, and this is Node ${release}. Run it through npm `;
    t.true(output.startsWith(text) && output.endsWith('.\n'), output);
  });
}
