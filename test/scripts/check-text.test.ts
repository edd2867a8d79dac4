import test from 'ava';
import {fileTree, runScript} from '../helpers/run-script.js';

const lines = (count: number) => 'export {};\n'.repeat(count);
/** What is said about single files, and the sum; not the lines of the rooms. */
const reported = (output: string) =>
  output
    .trim()
    .split('\n')
    .filter((line) => !/^\w+ \d+ lines/.test(line));

test('files above 350 lines are warned of and files above 500 lines are refused', async (t) => {
  const root = fileTree(t, {'core/a.ts': lines(350), 'core/b.ts': lines(351), 'core/c.ts': lines(500), 'core/d.mjs': lines(501)});
  const {code, output} = await runScript('check-sizes.mjs', ['--root', root]);
  t.deepEqual(reported(output), [
    'warning: core/b.ts: 351 lines, more than 350',
    'warning: core/c.ts: 500 lines, more than 350',
    'core/d.mjs: 501 lines, more than 500',
    'sizes: 4 files, median 500 lines, 2 warnings, 1 problems',
  ]);
  t.is(code, 1);
});

test('files in output folders and installed packages are not looked at', async (t) => {
  const root = fileTree(t, {'dist/a.js': lines(900), 'node_modules/x/a.js': lines(900), 'build/y/a.js': lines(900), 'core/a.ts': lines(1)});
  const {code, output} = await runScript('check-sizes.mjs', ['--root', root]);
  t.deepEqual(reported(output), ['sizes: 1 files, median 1 lines, 0 warnings, 0 problems']);
  t.is(code, 0);
});

test('generated types may be longer, what stands beside them may not', async (t) => {
  const root = fileTree(t, {'sdk/types/core/v1.ts': lines(900), 'sdk/types/resources.ts': lines(501)});
  const {code, output} = await runScript('check-sizes.mjs', ['--root', root]);
  t.deepEqual(reported(output), [
    'sdk/types/resources.ts: 501 lines, more than 500',
    'sizes: 1 files, median 501 lines, 0 warnings, 1 problems',
  ]);
  t.is(code, 1);
});

test('the lines of each room of the product are counted, and nothing else', async (t) => {
  const files = {
    'core/a.ts': lines(1),
    'core/http/b/c.ts': lines(20),
    'core/api/d.ts': lines(3),
    'sdk/types/core/v1.ts': lines(9),
    'test/e.ts': lines(5),
    'testing/f.ts': lines(4),
  };
  const {output} = await runScript('check-sizes.mjs', ['--root', fileTree(t, files)]);
  t.deepEqual(output.trim().split('\n').slice(0, -1), [
    'core 24 lines: http 20, api 3, files beside them 1',
    'testing 4 lines: files beside them 4',
    'product 28 lines',
  ]);
});

// The words stand in two pieces, so that the check does not find them here.
const words: {title: string; file: string; text: string; found: string | undefined}[] = [
  {title: 'a note of unfinished work', file: 'core/a.ts', text: `// ${'TO' + 'DO'} later\n`, found: 'core/a.ts:1: unfinished work'},
  {title: 'a note of a known fault', file: 'scripts/a.sh', text: `true\n# ${'FIX' + 'ME'}\n`, found: 'scripts/a.sh:2: unfinished work'},
  {
    title: 'a test that runs alone',
    file: 'test/a.test.ts',
    text: `test.${'only'}('x', t => t.pass());\n`,
    found: 'test/a.test.ts:1: a test that runs alone',
  },
  {title: 'a path of the machine', file: 'README.md', text: `see ${'/wo' + 'rk'}/main/x\n`, found: 'README.md:1: a path of one machine'},
  {
    title: 'a file beside the repository',
    file: 'scripts/a.mjs',
    text: `join(root, '../${'sha' + 'red'}/facts');\n`,
    found: 'scripts/a.mjs:1: a file beside the repository',
  },
  {
    title: 'a folder beside the repository',
    file: 'test/a.test.ts',
    text: `join(projectRoot(), '../${'sha' + 'red'}');\n`,
    found: 'test/a.test.ts:1: a file beside the repository',
  },
  {title: 'a module of that name', file: 'core/a.ts', text: `import '../${'sha' + 'red'}.js';\n`, found: undefined},
  {title: 'a temporary path', file: 'test/a.ts', text: `open('${'/tm' + 'p'}/x');\n`, found: 'test/a.ts:1: a path of one machine'},
  {
    title: 'a registry host',
    file: 'package-lock.json',
    text: `{"resolved": "https://${'registry.npm' + 'js.org'}/x"}\n`,
    found: 'package-lock.json:1: the host of a package registry',
  },
  {title: 'a CI script with a machine path', file: '.ci/run', text: `cd ${'/ho' + 'me'}/me\n`, found: '.ci/run:1: a path of one machine'},
  {
    title: 'unfinished work in a schema from elsewhere',
    file: 'plugins/a.json',
    text: `{"description": "${'TO' + 'DO'}: x"}\n`,
    found: undefined,
  },
  ...[
    'socket._handle.readStop();',
    'const {_paused: paused} = socket as {_paused?: boolean};',
    'parser[parser.constructor.kOnExecute] = done;',
    'request.push = take;',
    "server.emit('connection', socket);",
    'NetServer.prototype.close.call(server);',
    'response.assignSocket(socket);',
    '(socket as {readableFlowing: boolean | null}).readableFlowing = null;',
  ].flatMap((text) => [
    {
      title: `in a room of its own: ${text}`,
      file: 'core/http/connections/a.ts',
      text: `${text}\n`,
      found: 'core/http/connections/a.ts:1: a private name of Node.js outside of core/http/node',
    },
    {title: `in the room of Node.js: ${text}`, file: 'core/http/node/a.ts', text: `${text}\n`, found: undefined},
  ]),
  ...[
    {title: 'a replaced word in a comment', file: 'core/a.ts', text: 'f(); // Followers are told.\n', isFound: true},
    {title: 'a replaced word in a docstring', file: 'sdk/a.ts', text: '/**\n * Tells the log.\n */\n', isFound: true},
    {title: 'a replaced word in a message', file: 'plugins/a.ts', text: "fail('nobody was told'); // why\n", isFound: false},
    {title: 'to tell apart', file: 'plugins/a.ts', text: '// Duplicates cannot be told apart.\n', isFound: false},
  ].map(({isFound, ...rest}) => ({...rest, found: isFound ? `${rest.file}:` : undefined})),
  {title: 'an unused parameter', file: 'core/a.ts', text: 'list.map((_item, {name: _name, ...rest}) => rest);\n', found: undefined},
  {title: 'a path inside a URL', file: 'README.md', text: `https://example.org${'/wo' + 'rk'}/x\n`, found: undefined},
];

for (const {title, file, text, found} of words) {
  test(`${title} is ${found ? 'found' : 'not found'}`, async (t) => {
    const {code, output} = await runScript('check-words.mjs', ['--root', fileTree(t, {[file]: text})]);
    t.is(code, found ? 1 : 0);
    if (found) t.true(output.startsWith(found), output);
    else t.is(output.trim(), 'words: 1 files, 0 problems');
  });
}

test('what is cited has to be there: files, headings, decisions, links', async (t) => {
  const root = fileTree(t, {
    'docs/semantics/watch.md': '# Watch\n\n## Events, and more\n\n[up](#watch) [other](lists.md#none) [code](x.md) `[no](gone.md)`\n',
    'docs/semantics/lists.md': '# Lists\n',
    'docs/semantics/x.md': '',
    'docs/decisions/0007-why.md': '',
    'core/a.ts': '// docs/semantics/watch.md#events-and-more, docs/semantics/lists.md, docs/decisions/0007\n',
    'core/b.ts': '// docs/semantics/watch.md#event\n\n// (docs/semantics/gone.md), docs/decisions/0008\n',
    'plugins/c.ts': `/**\n * As it is told (${'specification, '}document 1, "Terms").\n */\n`,
    'plugins/d.ts': `// (${'rulings'} 6)\n`,
  });
  const {code, output} = await runScript('check-citations.mjs', ['--root', root]);
  const elsewhere = 'cites what is not in this repository: say it in docs/semantics, and cite that';
  t.deepEqual(output.trim().split('\n'), [
    'core/b.ts:1: docs/semantics/watch.md has no heading #event',
    'core/b.ts:3: docs/semantics/gone.md is not there',
    'core/b.ts:3: there is no decision 0008',
    'docs/semantics/watch.md:5: docs/semantics/lists.md has no heading #none',
    `plugins/c.ts:2: ${elsewhere}`,
    `plugins/d.ts:1: ${elsewhere}`,
    'citations: 8 files, 6 problems',
  ]);
  t.is(code, 1);
});
