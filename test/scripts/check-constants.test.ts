import test from 'ava';
import {fileTree, runScript} from '../helpers/run-script.js';

const code = `/** Bytes. */
export const longestBody = 4 * 1024 * 1024;
const patienceMillis = 2_500;
const many: number = 10_000;
const least = 1.5 * 1024;
const composed = many * 2;
`;

async function check(t: Parameters<typeof fileTree>[0], page: string, files: Record<string, string> = {}) {
  const root = fileTree(t, {'core/http/limits.ts': code, 'docs/operations/limits.md': page, ...files});
  const {code: exit, output} = await runScript('check-constants.mjs', ['--root', root]);
  return {exit, problems: output.trimEnd().split('\n').slice(0, -1)};
}

test('numbers in documents that are what their constants are pass, in any unit', async (t) => {
  const page = `At most 4 MiB<!-- limits.ts longestBody --> of a body, in 2.5 seconds<!-- http/limits.ts patienceMillis -->.

| 10,000 items of one list<!-- limits.ts many --> | and 1536 bytes<!-- limits.ts least --> |
`;
  t.deepEqual(await check(t, page), {exit: 0, problems: []});
});

for (const {title, page, files, problem} of [
  {
    title: 'a number that is another than its constant',
    page: 'Text.\n\nOf 3 objects 5 MiB<!-- limits.ts longestBody -->.\n',
    problem: 'docs/operations/limits.md:3: longestBody of limits.ts is 4194304, not 5242880',
  },
  {
    title: 'a constant that is gone',
    page: '4 MiB<!-- limits.ts longest -->\n',
    problem: 'docs/operations/limits.md:1: no limits.ts has a constant longest that is a number',
  },
  {
    title: 'a constant that is put together from others',
    page: '20,000<!-- limits.ts composed -->\n',
    problem: 'docs/operations/limits.md:1: no limits.ts has a constant composed that is a number',
  },
  {
    title: 'a name that several files have',
    page: '10,000<!-- limits.ts many -->\n',
    files: {'plugins/a/limits.ts': 'const many = 10_000;\n'},
    problem: 'docs/operations/limits.md:1: more than one limits.ts has a constant many that is a number',
  },
  {
    title: 'a name without a number',
    page: 'many<!-- limits.ts many -->\n',
    problem: 'docs/operations/limits.md:1: no number stands before the name of many',
  },
])
  test(`${title} is found`, async (t) => {
    t.deepEqual(await check(t, page, files), {exit: 1, problems: [problem]});
  });
