import test, {type ExecutionContext} from 'ava';
import {execFile} from 'node:child_process';
import {existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {load} from 'js-yaml';
import {run} from '#bundle/core/cli/run.js';
import {emptyFolder, orch as orchProcess} from './cli-process.js';

interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs `orch` in this process. Its checks have processes of their own, so that each sees the packages as they are then. */
async function orch(cwd: string, args: readonly string[], answers?: readonly string[]): Promise<Said> {
  let out = '';
  let err = '';
  const left = [...(answers ?? [])];
  const ask = answers === undefined ? {} : {ask: () => Promise.resolve(left.shift() ?? '')};
  const code = await run(args, {out: {write: (text) => (out += text)}, err: {write: (text) => (err += text)}, cwd, ...ask});
  return {code, out, err};
}

interface Caps {
  readonly version: string;
  readonly manifest?: object;
  readonly code?: string;
  readonly packageJson?: object;
}

const admissionCode = `
import {admission} from '@orch-api/orch/sdk';
export class Caps { validate() {} }
admission({operations: ['CREATE']})(Caps);
`;
const integer = {type: 'integer'};
const admission = [{class: 'Caps', name: 'Caps'}];
const rule = (verb: string, resource: string) => ({verbs: [verb], apiGroups: [''], resources: [resource]});

const first: Caps = {
  version: '1.0.0',
  manifest: {
    config: {type: 'object', required: ['max'], properties: {max: integer, quiet: {type: 'boolean', default: false}}},
    permissions: [rule('get', 'pods'), rule('list', 'nodes')],
  },
};

const second: Caps = {
  version: '2.0.0',
  manifest: {
    config: {type: 'object', required: ['limit'], properties: {limit: integer, quiet: {type: 'boolean', default: false}}},
    configVersion: 2,
    permissions: [rule('get', 'pods'), rule('delete', 'secrets')],
  },
  code: `${admissionCode}
export function migrateConfig({max, ...others}, version) {
  if (version !== 1) throw new Error('version ' + version);
  return {limit: max, ...others};
}
`,
};

/** A package as `npm pack` makes it, in a fraction of its time. */
async function packed(
  t: ExecutionContext,
  name: string,
  {version, manifest = {}, code = admissionCode, packageJson = {}}: Caps,
): Promise<string> {
  const folder = emptyFolder(t);
  mkdirSync(join(folder, 'package'));
  const head = {name, version, kernel: '*', entry: './index.mjs', contributes: {admission}, ...manifest};
  writeFileSync(join(folder, 'package/plugin.json'), JSON.stringify(head));
  writeFileSync(join(folder, 'package/index.mjs'), code);
  writeFileSync(join(folder, 'package/package.json'), JSON.stringify({name: `orch-${name}`, version, ...packageJson}));
  await promisify(execFile)('tar', ['-czf', `${name}-${version}.tgz`, 'package'], {cwd: folder});
  return join(folder, `${name}-${version}.tgz`);
}

/** Everything that a change may touch. */
function stateOf(folder: string): unknown {
  const files = [
    'orch.yaml',
    'package.json',
    'package-lock.json',
    'node_modules/orch-caps/plugin.json',
    'node_modules/orch-caps/index.mjs',
  ];
  return {
    names: readdirSync(folder).filter((name) => name !== '.orch-plugins'),
    texts: files.map((file) => (existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : undefined)),
  };
}

async function assertStarts(t: ExecutionContext, folder: string, what: string): Promise<void> {
  const {code, out, err} = await orchProcess(t, ['config', 'check'], folder);
  t.deepEqual({code, out, err}, {code: 0, out: 'a server can start with this\n', err: ''}, what);
}

interface Form {
  readonly name: string;
  readonly before: string;
  /** What stays, whatever is done to plugins. */
  readonly kept: RegExp;
}

const yaml: Form = {
  name: 'YAML',
  before: '# ours\nplatform: orch # yes\n\n# the end\nlog: {level: info}\n',
  kept: /^# ours\nplatform: orch # yes\n\n# the end\nlog: \{level: info\}\n/,
};
const forms: readonly Form[] = [
  yaml,
  {name: 'JSON', before: '{\n   "platform": "orch",\n   "log": {"level": "info"}\n}\n', kept: /^\{\n {3}"platform": "orch",\n/},
];

for (const {name, before, kept} of forms) {
  test(`a plugin is added, upgraded, taken back and removed, and a server starts after each step (${name})`, async (t) => {
    t.timeout(240_000);
    const folder = emptyFolder(t);
    const file = join(folder, 'orch.yaml');
    writeFileSync(file, before);
    const configured = () => {
      const text = readFileSync(file, 'utf8');
      t.regex(text, kept);
      return (load(text) as {plugins?: Record<string, object>}).plugins;
    };
    const [one, two] = [await packed(t, 'caps', first), await packed(t, 'caps', second)];

    const untouched = stateOf(folder);
    t.regex((await orch(folder, ['plugins', 'add', one, '--yes'])).err, /max is required.*--set NAME=VALUE/);
    t.regex((await orch(folder, ['plugins', 'add', one, '--yes', '--set', 'max=many'])).err, /max must be of type integer/);
    t.deepEqual(stateOf(folder), untouched);
    t.like(await orch(folder, ['plugins', 'add', one, '--yes', '--set', 'max=5']), {code: 0, err: ''});
    t.deepEqual(configured(), {caps: {from: 'orch-caps', config: {max: 5}}});
    await assertStarts(t, folder, 'added');
    const atOne = stateOf(folder);

    t.like(await orch(folder, ['plugins', 'upgrade', 'caps', two], ['no']), {code: 1, err: 'nothing was changed\n'});
    t.deepEqual(stateOf(folder), atOne);
    t.like(await orch(folder, ['plugins', 'upgrade', 'caps', two], ['yes', 'no']), {code: 1, err: 'nothing was changed\n'});
    t.deepEqual(stateOf(folder), atOne, 'the settings that it made were not wanted');
    const upgraded = await orch(folder, ['plugins', 'upgrade', 'caps', two], ['yes', 'yes']);
    t.like(upgraded, {code: 0, err: ''});
    t.regex(upgraded.out, /^caps 1\.0\.0 → 2\.0\.0\n/);
    t.regex(upgraded.out, /\nPermissions:\n- list nodes\n {2}get pods\n\+ delete secrets\n\n/);
    t.regex(
      upgraded.out,
      /\nSettings:\n- max \(integer, required\)\n\+ limit \(integer, required\)\n {2}quiet \(boolean, false by default\)\n\n/,
    );
    t.regex(upgraded.out, /\nSettings of version 1 become those of version 2:\n- max: 5\n\+ limit: 5\n\n/);
    t.deepEqual(configured(), {caps: {from: 'orch-caps', config: {limit: 5}, configVersion: 2}});
    await assertStarts(t, folder, 'upgraded');
    const atTwo = stateOf(folder);

    t.like(await orch(folder, ['plugins', 'undo', '--yes']), {code: 0, err: ''});
    t.deepEqual(stateOf(folder), atOne);
    await assertStarts(t, folder, 'taken back');
    t.like(await orch(folder, ['plugins', 'undo', '--yes']), {code: 0, err: ''});
    t.deepEqual(stateOf(folder), atTwo);
    await assertStarts(t, folder, 'taken back twice');

    const removed = await orch(folder, ['plugins', 'remove', 'caps', '--yes']);
    t.like(removed, {code: 0, err: ''});
    t.is(configured(), undefined);
    t.false(existsSync(join(folder, 'node_modules/orch-caps')));
    await assertStarts(t, folder, 'removed');
    t.is(JSON.stringify(load(readFileSync(file, 'utf8'))), JSON.stringify(load(before)));
    t.like(await orch(folder, ['plugins', 'undo', '--yes']), {code: 0, err: ''});
    t.deepEqual(stateOf(folder), atTwo);
    await assertStarts(t, folder, 'back again');
  });
}

// In one form: nothing of the file is written.
test('what would keep a server from starting changes nothing', async (t) => {
  t.timeout(240_000);
  const folder = emptyFolder(t);
  const file = join(folder, 'orch.yaml');
  writeFileSync(file, yaml.before);
  t.like(await orch(folder, ['plugins', 'add', await packed(t, 'caps', first), '--yes', '--set', 'max=5']), {code: 0});
  const other = join(folder, 'other');
  mkdirSync(other);
  writeFileSync(
    join(other, 'plugin.json'),
    JSON.stringify({name: 'other', version: '1.0.0', kernel: '*', requires: [{plugin: 'caps', version: '^1.0.0'}]}),
  );
  t.like(await orch(folder, ['plugins', 'add', './other', '--yes']), {code: 0});
  const state = stateOf(folder);
  const renamed = {...second, manifest: {...second.manifest, configVersion: 1}};
  const rows: readonly (readonly [what: string, args: readonly string[], message: RegExp])[] = [
    [
      'another that contributes the same',
      ['add', await packed(t, 'hats', {version: '1.0.0'})],
      /admission plugin Caps is also contributed by plugin caps/,
    ],
    [
      'a kernel that this is not',
      ['add', await packed(t, 'hats', {version: '1.0.0', manifest: {kernel: '^9.0.0'}})],
      /works with kernel \^9\.0\.0/,
    ],
    [
      'a package that is for another server',
      [
        'upgrade',
        'caps',
        await packed(t, 'caps', {...first, version: '1.1.0', packageJson: {peerDependencies: {'@orch-api/orch': '^9.0.0'}}}),
      ],
      /its package\.json says that it works with @orch-api\/orch \^9\.0\.0, and this is \d/,
    ],
    [
      'a version that others do not take',
      ['upgrade', 'caps', await packed(t, 'caps', second)],
      /requires the plugin caps \^1\.0\.0, and that is 2\.0\.0/,
    ],
    [
      'settings with other names',
      ['upgrade', 'caps', await packed(t, 'caps', {...renamed, version: '1.2.0'})],
      /max is not a known member.*orch\.yaml.*--set/,
    ],
    ['another plugin in the package', ['upgrade', 'caps', await packed(t, 'hats', {version: '1.0.0'})], /is the plugin hats, not caps/],
    [
      'code that cannot be loaded',
      ['upgrade', 'caps', await packed(t, 'caps', {...first, version: '1.3.0', code: 'export const a = ;'})],
      /importing \.\/index\.mjs failed/,
    ],
    [
      'code that ends the process',
      ['upgrade', 'caps', await packed(t, 'caps', {...first, version: '1.4.0', code: 'process.exit(0);'})],
      /the code of a plugin ended the process with code 0/,
    ],
    ['what others require', ['remove', 'caps'], /plugin other: it requires the plugin caps, which is not there/],
    ['a plugin that is not there', ['remove', 'ghosts'], /has no plugin ghosts; it has caps, other/],
    ['a package that is not there', ['add', './ghosts-1.0.0.tgz'], /ghosts-1\.0\.0\.tgz does not exist/],
  ];
  for (const [what, args, message] of rows) {
    const said = await orch(folder, ['plugins', ...args, '--yes']);
    t.is(said.code, 1, what);
    t.regex(said.err, message, what);
    t.deepEqual(stateOf(folder), state, what);
  }
  await assertStarts(t, folder, 'as before');
  const mended = await orch(folder, [
    'plugins',
    'upgrade',
    'caps',
    await packed(t, 'caps', {...renamed, version: '1.2.0'}),
    '--yes',
    '--set',
    'limit=6',
    '--unset',
    'max',
  ]);
  t.like(mended, {code: 0, err: ''});
  t.regex(mended.out, /\nSettings:\n- max: 5\n\+ limit: 6\n\n/);
  await assertStarts(t, folder, 'with the settings that were said');
});

test('a change that was interrupted is taken back by the next command', async (t) => {
  const folder = emptyFolder(t);
  writeFileSync(join(folder, 'orch.yaml'), 'store: memory\n');
  t.like(await orch(folder, ['plugins', 'add', await packed(t, 'caps', first), '--yes', '--set', 'max=5']), {code: 0});
  const state = stateOf(folder);
  // As a process leaves it that ends while it asks.
  const left = await run(['plugins', 'upgrade', 'caps', await packed(t, 'caps', second)], {
    out: {write: () => true},
    err: {write: () => true},
    cwd: folder,
    ask: async () => {
      await promisify(execFile)('cp', ['-a', join(folder, '.orch-plugins/pending'), join(folder, 'pending')]);
      await promisify(execFile)('cp', ['-a', join(folder, 'node_modules'), join(folder, 'modules')]);
      return 'no';
    },
  });
  t.is(left, 1);
  await promisify(execFile)('sh', ['-c', 'mv pending .orch-plugins/pending && rm -r node_modules && mv modules node_modules'], {
    cwd: folder,
  });
  const head = join(folder, '.orch-plugins/pending/state.json');
  const ended = await promisify(execFile)('sh', ['-c', 'echo $$']);
  writeFileSync(head, JSON.stringify({...(JSON.parse(readFileSync(head, 'utf8')) as object), process: Number(ended.stdout)}));
  t.is((JSON.parse(readFileSync(join(folder, 'node_modules/orch-caps/plugin.json'), 'utf8')) as {version: string}).version, '2.0.0');
  const next = await orch(folder, ['plugins', 'remove', 'ghosts', '--yes']);
  t.regex(next.err, /^plugins upgrade caps was interrupted, and has been taken back\n/);
  t.deepEqual(stateOf(folder), state);
  writeFileSync(join(folder, 'orch.yaml'), `${readFileSync(join(folder, 'orch.yaml'), 'utf8')}# by hand\n`);
  t.regex((await orch(folder, ['plugins', 'undo', '--yes'])).err, /has been changed since plugins add/);
});

test('a server is not started with settings of another version, and is told what migrates them', async (t) => {
  const folder = emptyFolder(t);
  mkdirSync(join(folder, 'caps'));
  writeFileSync(
    join(folder, 'caps/plugin.json'),
    JSON.stringify({name: 'caps', version: '2.0.0', kernel: '*', entry: './index.mjs', contributes: {admission}, ...second.manifest}),
  );
  writeFileSync(join(folder, 'caps/index.mjs'), second.code!);
  const check = async (entry: object) => {
    writeFileSync(join(folder, 'orch.yaml'), JSON.stringify({plugins: {caps: {from: './caps', ...entry}}}));
    return orch(folder, ['config', 'check']);
  };
  const old = await check({config: {max: 5}});
  t.is(old.code, 1);
  t.regex(
    old.err,
    /plugin caps: its settings are those of version 1, and it takes those of version 2: orch plugins upgrade caps does so \(plugins\.caps\.configVersion in \S+orch\.yaml\)/,
  );
  t.regex((await check({config: {limit: 5}, configVersion: 3})).err, /those of version 3, and it takes those of version 2: go back/);
  t.is((await check({config: {limit: 5}, configVersion: 2})).code, 0);
  await check({config: {max: 5}});
  t.like(await orch(folder, ['plugins', 'upgrade', 'caps', '--yes']), {code: 0, err: ''});
  t.deepEqual(JSON.parse(readFileSync(join(folder, 'orch.yaml'), 'utf8')), {
    plugins: {caps: {from: './caps', configVersion: 2, config: {limit: 5}}},
  });
});

test('the plugin of the store that is in use cannot be removed', async (t) => {
  const folder = emptyFolder(t);
  mkdirSync(join(folder, 'tapes'));
  const contributes = {stores: [{class: 'Tapes', schemes: ['tape']}]};
  writeFileSync(
    join(folder, 'tapes/plugin.json'),
    JSON.stringify({name: 'tapes', version: '1.0.0', kernel: '*', entry: './index.mjs', contributes}),
  );
  writeFileSync(
    join(folder, 'tapes/index.mjs'),
    `import {store} from '@orch-api/orch/sdk';\nexport class Tapes { open() {} }\nstore()(Tapes);\n`,
  );
  writeFileSync(join(folder, 'orch.yaml'), 'store: tape\nplugins:\n  tapes: {from: ./tapes}\n');
  const said = await orch(folder, ['plugins', 'remove', 'tapes', '--yes']);
  t.is(said.code, 1);
  t.regex(said.err, /no plugin opens the store tape/);
  t.true(readFileSync(join(folder, 'orch.yaml'), 'utf8').includes('tapes'));
});

test('a key of the configuration with nothing below it sets nothing', async (t) => {
  const folder = emptyFolder(t);
  for (const text of ['plugins:\n', 'plugins:\nstore: memory\nlog:\n', 'plugins:\n  rbac:\n', 'plugins:\n  rbac:\n    config:\n']) {
    writeFileSync(join(folder, 'orch.yaml'), text);
    t.deepEqual(await orch(folder, ['config', 'check']), {code: 0, out: 'a server can start with this\n', err: ''}, text);
  }
});
