import {existsSync, readFileSync, readdirSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import test from 'ava';
import {projectRoot} from '../helpers/project-root.js';
import {fileTree, runScript} from '../helpers/run-script.js';

/** Runs scripts/test.mjs over a small project of its own, whose compiled tests are the given files. */
async function run(
  t: Parameters<typeof fileTree>[0],
  files: Record<string, string>,
  argv: string[] = [],
  env: Record<string, string> = {},
) {
  const root = fileTree(t, {
    'package.json': '{"type": "module"}',
    'ava.config.mjs': "export default {files: ['dist/test/**/*.test.js'], timeout: '20s', workerThreads: false};\n",
    ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`dist/test/${name}`, `import test from 'ava';\n${text}`])),
  });
  symlinkSync(join(projectRoot(), 'node_modules'), join(root, 'node_modules'));
  const {code, output} = await runScript('test.mjs', argv, {
    cwd: root,
    env: {ORCH_OUT: 'dist', AVA_PATH: '', ORCH_REQUIRE: '', ORCH_AGAIN: '', ...env},
  });
  return {code, output, last: output.trimEnd().split('\n').at(-1), root};
}

test('a run without failures ends with its count and exit code 0', async (t) => {
  const {code, last, output} = await run(t, {
    'a/one.test.js': "test('x', t => t.pass());\ntest('y', t => t.pass());\n",
    'b/two.test.js': "test('z', t => t.pass());\ntest.skip('later', t => t.pass());\n",
  });
  t.is(last, '3 passed, 0 failed, 1 skipped', output);
  t.is(code, 0);
  t.regex(output, /a\/one: 2 tests, [\d.]+ s/);
});

test('a skipped test fails a run that requires all', async (t) => {
  const files = {'a.test.js': "test('x', t => t.pass());\ntest.skip('y', t => t.pass());\n"};
  const {code, last, output} = await run(t, files, [], {ORCH_REQUIRE: 'all'});
  t.is(last, '1 passed, 1 failed, 1 skipped', output);
  t.is(code, 1);
  t.regex(output, /- \[skip\] y/);
});

test('a failing test is shown with its difference and fails the run', async (t) => {
  const {code, last, output} = await run(t, {'a.test.js': "test('x', t => t.deepEqual({a: 1}, {a: 2}));\ntest('y', t => t.pass());\n"});
  t.is(last, '1 passed, 1 failed');
  t.is(code, 1);
  t.regex(output, /-\s+a: 1/);
});

test('a run in which nothing ran fails', async (t) => {
  const {code, last} = await run(t, {'a.test.js': "test('x', t => t.pass());\n"}, ['--match', 'nothing']);
  t.is(last, '0 passed, 1 failed');
  t.is(code, 1);
});

test('a test that leaves a socket open fails the run', async (t) => {
  const {code, last, output} = await run(t, {
    'a.test.js': "import net from 'node:net';\ntest('x', t => { net.createServer().listen(0, '127.0.0.1'); t.pass(); });\n",
    'b.test.js': "test('y', t => t.pass());\n",
  });
  t.is(code, 1);
  t.is(last, '2 passed, 1 failed');
  t.regex(output, /Failed to exit when running dist\/test\/a\.test\.js/);
});

test('a process that outlives the run is named, ended and fails the run', async (t) => {
  const {code, last, output, root} = await run(t, {
    'a.test.js': `import {spawn} from 'node:child_process';
import {writeFileSync} from 'node:fs';
test('x', t => {
  const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], {detached: true, stdio: 'ignore'});
  child.unref();
  writeFileSync('pid', String(child.pid));
  t.pass();
});
`,
  });
  t.is(code, 1);
  t.is(last, '1 passed, 1 failed');
  t.regex(output, /left running by a test: .*setTimeout/);
  const pid = readFileSync(join(root, 'pid'), 'utf8');
  const ended = () => !existsSync(`/proc/${pid}`) || readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  while (!ended()) await new Promise((resolve) => setImmediate(resolve));
  t.true(ended());
});

test('an exception after a test has passed fails the run', async (t) => {
  const {code, last} = await run(t, {
    'a.test.js':
      "test('x', t => { setTimeout(() => { throw new Error('late'); }, 20); t.pass(); return new Promise(r => setTimeout(r, 100)); });\n",
    'b.test.js': "test('y', t => t.pass());\n",
  });
  t.is(code, 1);
  t.regex(last!, /^\d passed, [1-9] failed/);
});

/** Fails the first time that its file runs. */
const oncePerFile = (name: string) => `import {existsSync, writeFileSync} from 'node:fs';
test('x of ${name}', t => { const again = existsSync('${name}'); writeFileSync('${name}', ''); t.true(again); });
test('y of ${name}', t => t.pass());
`;

test('with ORCH_AGAIN, a file that fails is taken once more alone, and what passes then is named', async (t) => {
  const {code, last, output} = await run(t, {'a/one.test.js': oncePerFile('one'), 'b/two.test.js': "test('z', t => t.pass());\n"}, [], {
    ORCH_AGAIN: '1',
  });
  t.is(last, '3 passed, 0 failed', output);
  t.is(code, 0);
  t.regex(
    output,
    /taken once more, alone: test\/a\/one\.test\.js[^]*\n1 passed, 0 failed\n[^]*passed when taken once more:\n {2}↻ .*x of one/,
  );
});

test('what fails twice, or in more files than ORCH_AGAIN says, fails the run', async (t) => {
  const broken = "test('w', t => t.fail());\n";
  const twice = await run(t, {'a/one.test.js': oncePerFile('one'), 'b/two.test.js': broken}, [], {ORCH_AGAIN: '2'});
  t.is(twice.last, '2 passed, 1 failed', twice.output);
  t.is(twice.code, 1);
  const many = await run(t, {'a/one.test.js': oncePerFile('one'), 'b/two.test.js': oncePerFile('two')}, [], {ORCH_AGAIN: '1'});
  t.is(many.last, '2 passed, 2 failed', many.output);
  t.is((await run(t, {'a/one.test.js': oncePerFile('one')})).code, 1);
});

test('a process that ends badly is excused with a failed test of its own that passes once more, and with no other', async (t) => {
  const badly = "process.on('exit', () => { process.exitCode = 1; });\n";
  const [own, other] = await Promise.all([
    run(
      t,
      {'a/one.test.js': `${oncePerFile('one')}if (existsSync('one')) {} else ${badly}`, 'b/two.test.js': "test('z', t => t.pass());\n"},
      [],
      {
        ORCH_AGAIN: '1',
      },
    ),
    run(t, {'a/one.test.js': oncePerFile('one'), 'b/two.test.js': `${badly}test('z', t => t.pass());\n`}, [], {ORCH_AGAIN: '1'}),
  ]);
  t.is(own.last, '3 passed, 0 failed', own.output);
  t.is(other.last, '2 passed, 2 failed', other.output);
  t.regex(other.output, /did not end as it should: dist\/test\/b\/two\.test\.js/);
});

test('a test that does not end fails by its name when nothing has happened for long, and is taken once more too', async (t) => {
  const stuck = `import {existsSync, writeFileSync} from 'node:fs';
test('x', async t => { const again = existsSync('one'); writeFileSync('one', ''); if (!again) await new Promise(() => setInterval(() => {}, 1000)); t.pass(); });
`;
  const files = {'a/one.test.js': stuck, 'b/two.test.js': "test('z', t => t.pass());\n"};
  // Longer than processes take to start on a slow machine.
  const limit = ['--timeout', '12s'];
  const [once, again] = await Promise.all([run(t, files, limit), run(t, files, limit, {ORCH_AGAIN: '1'})]);
  t.is(once.last, '1 passed, 1 failed', once.output);
  t.is(once.code, 1);
  t.is(again.last, '2 passed, 0 failed', again.output);
  t.is(again.code, 0);
  t.regex(again.output, /taken once more, alone: test\/a\/one\.test\.js[^]*↻ .*one › x/);
});

test('no test asks for so much time that ava might wait for it without end', (t) => {
  const root = projectRoot();
  const [, minutes] = /timeout: '(\d+)m'/.exec(readFileSync(join(root, 'ava.config.mjs'), 'utf8'))!;
  for (const folder of ['test', 'rigs'])
    for (const file of readdirSync(join(root, folder), {recursive: true, encoding: 'utf8'}).filter((name) => name.endsWith('.ts')))
      for (const [, number] of readFileSync(join(root, folder, file), 'utf8').matchAll(/\bt\.timeout\(([\d_]+)/g))
        t.true(Number(number!.replaceAll('_', '')) < Number(minutes) * 60_000, `${folder}/${file}`);
});

/** What lets the files of such a project share a process. */
const sharing = Object.fromEntries(
  ['share-process', 'in-time'].map((name) => [
    `helpers/${name}.js`,
    readFileSync(new URL(`../helpers/${name}.js`, import.meta.url), 'utf8'),
  ]),
);

test('files that share a process run one after the other, each within its own hooks, and who looks at the process has its own', async (t) => {
  const {code, last, output} = await run(t, {
    ...sharing,
    'a.test.js': `globalThis.order = [];
test.before(() => order.push('a before'));
test('x', async (t) => { await new Promise(setImmediate); order.push('a x'); t.pass(); });
test.serial('y', async (t) => { await new Promise(setImmediate); order.push('a y'); t.pass(); });
test.after.always(() => order.push('a after'));
`,
    'b.test.js': `test.before(() => order.push('b before'));
test('x', (t) => t.deepEqual(order, ['a before', 'a y', 'a x', 'a after', 'b before']));
test.skip('z', (t) => t.fail());
`,
    'c.test.js': "test('z', (t) => { t.truthy(process.env); t.is(globalThis.order, undefined); });\n",
  });
  t.is(last, '4 passed, 0 failed, 1 skipped', output);
  t.is(code, 0);
});

test('a failing hook or test of a file in a shared process is told with the name of its file, and the next file runs', async (t) => {
  const {code, last, output} = await run(t, {
    ...sharing,
    'a.test.js': "test.before(() => { throw new Error('no start'); });\ntest.serial('x', (t) => t.pass());\n",
    'b.test.js': "test('x', (t) => t.fail());\ntest('y', (t) => t.pass());\n",
    'c.test.js': "test('x', (t) => t.pass());\ntest.after.always(() => { throw new Error('no end'); });\n",
  });
  t.is(last, '2 passed, 3 failed', output);
  t.is(code, 1);
  t.regex(output, /✘ \[fail\]: .*test › a › x/);
  t.regex(output, /✘ \[fail\]: .*test › b › x/);
  t.regex(output, /no start/);
  t.regex(output, /no end/);
});
