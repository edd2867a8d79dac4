import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {fileTree, runScript} from '../helpers/run-script.js';

const exported = (name: string) => ({types: `./dist/sdk/${name}.d.ts`, default: `./dist/sdk/${name}.js`});
const manifest = JSON.stringify({
  name: '@orch-api/orch',
  exports: {
    '.': {types: './dist/core/index.d.ts'},
    './sdk': exported('index'),
    './sdk/net': exported('net/index'),
    './types/*': exported('types/*'),
    './families/*': {types: './dist/plugins/families/*.d.ts'},
    './package.json': './package.json',
  },
});
const files = {
  'package.json': manifest,
  'dist/sdk/index.d.ts':
    "export { inject } from 'tsyringe';\nexport { Queue, type Options } from './queue.js';\nexport type { Store } from './store.js';\n",
  'dist/sdk/queue.d.ts': `import type { Entry } from './entry.js';
/** What is not said. */
export interface Options {
    /** How many. */
    readonly size?: number;
}
export declare class Queue {
    #secret;
    private readonly entries;
    constructor(options?: Options);
    add(entry: Entry): void;
    private run;
}
`,
  'dist/core/index.d.ts': "export { start, type Choices } from './start.js';\nexport type { Server } from './server.js';\n",
  'dist/core/start.d.ts':
    "import type { Server } from './server.js';\nimport type { Limits } from './limits.js';\nexport interface Choices {\n    limits?: Limits;\n}\nexport declare function start(choices?: Choices): Promise<Server>;\n",
  'dist/core/limits.d.ts': 'export interface Limits {\n    bytes?: number;\n}\n',
  'dist/core/server.d.ts': "import type { Parts } from './parts.js';\nexport declare class Server {\n    parts: Parts;\n}\n",
  'dist/core/parts.d.ts': 'export interface Parts {\n    many: string;\n}\n',
  'dist/plugins/families/pods/phase.d.ts': 'export declare function phaseOf(pod: object): string;\n',
  'dist/sdk/entry.d.ts': 'type Key = string;\nexport interface Entry {\n    key: Key;\n}\nexport declare const unrelated: 1;\n',
  'dist/sdk/store.d.ts':
    "export declare class Store {\n    read(key: string): import('./types/apps/v1.js').Deployment;\n    read(key: number): void;\n}\n",
  'dist/sdk/types/apps/v1.d.ts': 'export interface Deployment {\n    spec: object;\n}\n',
  'dist/sdk/net/index.d.ts':
    "export { Queue } from '../queue.js';\nexport declare function parse(text: string): number;\nexport declare function parse(bytes: Buffer): number;\n",
};

const check = async (root: string, ...argv: string[]) =>
  runScript('check-sdk-surface.mjs', ['--root', root, ...argv], {env: {ORCH_OUT: 'dist'}});
const recorded = (root: string) => readFileSync(join(root, 'docs/api/sdk.txt'), 'utf8');

async function written(t: ExecutionContext): Promise<string> {
  const root = fileTree(t, files);
  const {code, output} = await check(root, '--update');
  t.is(code, 0, output);
  return root;
}

test('the package itself and what plugins of a kind share have reports of their own', async (t) => {
  const root = await written(t);
  const [, ...server] = readFileSync(join(root, 'docs/api/server.txt'), 'utf8').trim().split('\n\n');
  t.deepEqual(server, [
    '# @orch-api/orch',
    'interface Choices {\n  limits?: Limits;\n}',
    'type only: class Server {\n  parts: Parts;\n}',
    'function start(choices?: Choices): Promise<Server>;',
    '## not exported by @orch-api/orch',
    'interface Limits {\n  bytes?: number;\n}',
  ]);
  const families = join(root, 'docs/api/families.txt');
  t.regex(readFileSync(families, 'utf8'), /\n# @orch-api\/orch\/families\/pods\/phase\n\nfunction phaseOf\(pod: object\): string;\n$/);
  writeFileSync(join(root, 'dist/plugins/families/pods/phase.d.ts'), 'export declare function phaseOf(pod: object, now: Date): string;\n');
  const {code, output} = await check(root);
  t.is(code, 1);
  t.regex(output, /^docs\/api\/families\.txt: not what can be imported now/m);
});

test('the report has every export with its type, and what that refers to, without comments and private members', async (t) => {
  const [, ...sections] = recorded(await written(t)).split('\n# ');
  t.deepEqual(
    sections.map((section) => section.trim().split('\n\n')),
    [
      [
        '@orch-api/orch/sdk',
        'interface Options {\n  readonly size?: number;\n}',
        'class Queue {\n  constructor(options?: Options);\n  add(entry: Entry): void;\n}',
        "type only: class Store {\n  read(key: string): import('./types/apps/v1.js').Deployment;\n  read(key: number): void;\n}",
        'inject: from tsyringe',
        '## not exported by @orch-api/orch/sdk',
        'interface Entry {\n  key: Key;\n}',
        'type Key = string;',
      ],
      [
        '@orch-api/orch/sdk/net',
        'Queue: as in @orch-api/orch/sdk',
        'function parse(text: string): number;\nfunction parse(bytes: Buffer): number;',
      ],
    ],
  );
});

test('a surface that is written down has no problem', async (t) => {
  const {code, output} = await check(await written(t));
  t.is(output.trim(), 'surface: 4 modules, 0 problems');
  t.is(code, 0);
});

const changes: {title: string; path: keyof typeof files; change: (text: string) => string; line: RegExp}[] = [
  {
    title: 'a new export',
    path: 'dist/sdk/net/index.d.ts',
    change: (text) => `${text}export declare const more: 1;\n`,
    line: /const more: 1/,
  },
  {title: 'an export that is gone', path: 'dist/sdk/index.d.ts', change: (text) => text.replace(', type Options', ''), line: /class Queue/},
  {
    title: 'a member of another type',
    path: 'dist/sdk/queue.d.ts',
    change: (text) => text.replace('size?: number', 'size: number'),
    line: /size: number/,
  },
  {
    title: 'a type that is only referred to',
    path: 'dist/sdk/entry.d.ts',
    change: (text) => text.replace('= string', '= symbol'),
    line: /type Key = symbol/,
  },
];

for (const {title, path, change, line} of changes) {
  test(`${title} shows until it is written down`, async (t) => {
    const root = await written(t);
    writeFileSync(join(root, path), change(files[path]));
    const found = await check(root);
    t.is(found.code, 1);
    t.regex(found.output, /docs\/api\/sdk\.txt: not what can be imported now/);
    t.regex(found.output, line);
    t.is((await check(root, '--update')).code, 0);
    t.is((await check(root)).code, 0);
    t.regex(recorded(root), line);
  });
}

test('private members do not count', async (t) => {
  const root = await written(t);
  writeFileSync(join(root, 'dist/sdk/queue.d.ts'), files['dist/sdk/queue.d.ts'].replace('private run;', 'private runs;'));
  t.is((await check(root)).code, 0);
});

test('the reference has the docstrings of declarations and members, and shows when they change', async (t) => {
  const root = await written(t);
  const page = () => readFileSync(join(root, 'docs/reference/sdk.md'), 'utf8');
  t.true(
    page().includes(
      '### Options\n\nWhat is not said.\n\n```ts\ninterface Options {\n  /** How many. */\n  readonly size?: number;\n}\n```\n',
    ),
  );
  t.regex(readFileSync(join(root, 'docs/reference/sdk-net.md'), 'utf8'), /\[`Queue`\]\(sdk\.md#queue\)/);
  t.regex(readFileSync(join(root, 'docs/reference/README.md'), 'utf8'), /\[`@orch-api\/orch\/sdk`\]\(sdk\.md\): 3 declarations/);
  writeFileSync(join(root, 'dist/sdk/queue.d.ts'), files['dist/sdk/queue.d.ts'].replace('How many.', 'How much.'));
  const found = await check(root);
  t.is(found.code, 1);
  t.regex(found.output, /docs\/reference\/sdk\.md: not what can be imported now/);
  t.false(found.output.includes('sdk.txt'));
  writeFileSync(join(root, 'docs/reference/old.md'), '');
  t.regex((await check(root)).output, /docs\/reference\/old\.md: of a module that is gone/);
  t.is((await check(root, '--update')).code, 0);
  t.is((await check(root)).code, 0);
  t.regex(page(), /How much/);
});

test('an export of something that is not there is an error', async (t) => {
  const root = await written(t);
  writeFileSync(join(root, 'dist/sdk/index.d.ts'), "export { Gone } from './queue.js';\n");
  const {code, output} = await check(root);
  t.not(code, 0);
  t.regex(output, /exports Gone, which is not declared in \.\/queue\.js/);
});
