import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'ava';
import {fileTree, runScript} from '../helpers/run-script.js';

const claims = `# Claims

| id | claim | area |
| --- | --- | --- |
| A-ONE-1 | The first thing holds | verbs |
| A-ONE-2 | The second thing holds | verbs |
| A-TWO-1 | Another | watch |
| A-TWO-2 | And \`a | b\` | watch |
| B-X-10 | Last | errors |
`;

async function report(t: Parameters<typeof fileTree>[0], files: Record<string, string>, argv: string[] = []) {
  const root = fileTree(t, {'claims/one.md': claims, ...files});
  const {code, output} = await runScript('claims.mjs', ['--root', root, '--claims', join(root, 'claims'), ...argv]);
  return {
    code,
    rows: output
      .trim()
      .split('\n')
      .map((line) => line.replace(/ +/g, ' ').trim()),
  };
}

test('ids in titles count per area, several in a title and in template literals too', async (t) => {
  const {code, rows} = await report(t, {
    'test/a.test.ts': "test('[A-ONE-1] holds [A-TWO-1]', t => t.pass());\ntest(`${kind} says [B-X-10]`, t => t.pass());\n",
  });
  t.deepEqual(rows.slice(0, 5), ['area claims proven no test', 'errors 1 1 0', 'verbs 2 1 1', 'watch 2 1 1', 'total 5 3 2']);
  t.deepEqual(rows.slice(5).filter(Boolean), ['verbs: A-ONE-2', 'watch: A-TWO-2']);
  t.is(code, 0);
});

test('the cases of a table count where titles are put together', async (t) => {
  const {rows} = await report(t, {
    'test/a.test.ts': "for (const {title} of [{title: 'x [A-ONE-1]'}, {title: 'y [A-ONE-2]'}]) test(title, t => t.pass());\n",
  });
  t.true(rows.includes('verbs 2 2 0'));
});

test('a skipped or planned test, a comment and a plain text prove nothing', async (t) => {
  const {rows} = await report(t, {
    'test/a.test.ts':
      "test.skip('[A-ONE-1] x', t => t.pass());\ntest.todo('[A-ONE-2] y');\n// [A-TWO-1]\ntest('z', t => t.is(f, '[A-TWO-2]'));\n",
  });
  t.true(rows.includes('total 5 0 5'), rows.join('\n'));
});

test('files outside test are not looked at', async (t) => {
  const {rows} = await report(t, {'core/a.ts': "test('[A-ONE-1] x', t => t.pass());\n"});
  t.true(rows.includes('total 5 0 5'));
});

test('an id that is no claim is an error that names the file', async (t) => {
  const {code, rows} = await report(t, {'test/deep/a.test.ts': "test('[A-ONE-9] x', t => t.pass());\n"});
  t.is(code, 1);
  t.is(rows.at(-1), 'test/deep/a.test.ts: the title of a test names A-ONE-9, which is no claim');
});

test('--area shows one area and --verbose the text of what is open', async (t) => {
  const {code, rows} = await report(t, {}, ['--area', 'verbs', '--verbose']);
  t.deepEqual(rows.filter(Boolean), [
    'area claims proven no test',
    'verbs 2 0 2',
    'total 2 0 2',
    'verbs:',
    'A-ONE-1 The first thing holds',
    'A-ONE-2 The second thing holds',
  ]);
  t.is(code, 0);
});

test('--require fails while a claim of the area has no test and passes when all have one', async (t) => {
  const files = {'test/a.test.ts': "test('[A-ONE-1] [A-ONE-2] x', t => t.pass());\n"};
  t.is((await report(t, files, ['--require', 'verbs'])).code, 0);
  const failed = await report(t, files, ['--require', 'verbs,watch']);
  t.is(failed.code, 1);
  t.is(failed.rows.at(-1), 'watch: 2 claims have no test: A-TWO-1 A-TWO-2');
});

test('an unknown area is an error that lists the known ones', async (t) => {
  const {code, rows} = await report(t, {}, ['--area', 'nothing']);
  t.is(code, 1);
  t.deepEqual(rows, ['No claim has the area nothing. Areas: errors, verbs, watch']);
});

test('a claim that stands twice, on two pages, is an error', async (t) => {
  const {code, rows} = await report(t, {'claims/two.md': claims});
  t.is(code, 1);
  t.regex(rows.join('\n'), /two\.md:5: A-ONE-1 stands twice/);
});

test('a test that a tool has to be there for counts', async (t) => {
  const {rows} = await report(t, {'test/a.test.ts': "whereInstalled('tool')('x [A-ONE-1]', t => t.pass());\n"});
  t.true(rows.includes('verbs 2 1 1'));
});

test('the claims of the repository are read by default, and titles name no others', async (t) => {
  const {code, output} = await runScript('claims.mjs', []);
  t.is(code, 0, output);
  t.regex(output, /^total +8\d\d +[78]\d\d +\d+$/m);
});

test('the index of tests leads from the sections of a page to files, and fails when it is stale', async (t) => {
  const root = fileTree(t, {
    'docs/semantics/claims/verbs.md':
      '# Claims: verbs\n\n## First things\n\n| A-ONE-1 | One | verbs |\n\n## No test\n\n| A-TWO-1 | Two | verbs |\n',
    'test/semantics/b.test.ts': "test('x [A-ONE-1]', t => t.pass());\n",
    'test/semantics/a.test.ts': "test('y [A-ONE-1]', t => t.pass());\n",
  });
  const run = (...argv: string[]) => runScript('claims.mjs', ['--root', root, ...argv]);
  t.like(await run(), {code: 1}, 'it is not there');
  t.like(await run('--update'), {code: 0});
  t.like(await run(), {code: 0});
  const text = readFileSync(join(root, 'docs/semantics/tests.md'), 'utf8');
  t.regex(text, /## verbs\n\n\| claims of \[its rules\]\(verbs\.md\) /);
  t.true(
    text.includes(
      '| [First things](claims/verbs.md#first-things) | [semantics/a](../../test/semantics/a.test.ts), [semantics/b](../../test/semantics/b.test.ts) |\n',
    ),
    text,
  );
  writeFileSync(join(root, 'test/semantics/a.test.ts'), "test('y', t => t.pass());\n");
  const stale = await run();
  t.is(stale.code, 1);
  t.regex(stale.output, /tests\.md is not what the titles of tests say/);
});
