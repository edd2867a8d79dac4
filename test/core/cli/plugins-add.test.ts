import test, {type ExecutionContext} from 'ava';
import {execFile} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {withoutPlugin, withPlugin} from '../../../core/cli/plugin-configuration/edit-text.js';
import {run} from '#bundle/core/cli/run.js';
import {emptyFolder} from './cli-process.js';

interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs `orch` in this process; `answer` is what somebody at the terminal says. */
async function orch(cwd: string, args: readonly string[], answer?: string): Promise<Said> {
  let out = '';
  let err = '';
  const ask = answer === undefined ? {} : {ask: () => Promise.resolve(answer)};
  const code = await run(args, {out: {write: (text) => (out += text)}, err: {write: (text) => (err += text)}, cwd, ...ask});
  return {code, out, err};
}

/** A plugin with a type, as a package whose scripts leave a trace if they run. */
function writePlugin(folder: string, more: object = {}): void {
  mkdirSync(folder, {recursive: true});
  const version = {name: 'v1', schema: {type: 'object', properties: {spec: {type: 'object'}}}};
  const resources = [
    {group: 'rooms.example.com', names: {plural: 'rooms', singular: 'room', kind: 'Room'}, scope: 'Namespaced', versions: [version]},
  ];
  writeFileSync(
    join(folder, 'plugin.json'),
    JSON.stringify({name: 'rooms', version: '1.2.0', kernel: '*', contributes: {resources}, ...more}),
  );
  const scripts = {postinstall: 'touch ../../ran', prepare: 'touch ran', prepack: 'touch ran'};
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({name: 'orch-rooms', version: '1.2.0', scripts, peerDependencies: {orch: '*'}}),
  );
}

async function packed(t: ExecutionContext, more: object = {}): Promise<string> {
  const folder = emptyFolder(t);
  writePlugin(join(folder, 'package'), more);
  // What `npm pack` makes, in a fraction of its time.
  await promisify(execFile)('tar', ['-czf', 'rooms.tgz', 'package'], {cwd: folder});
  return join(folder, 'rooms.tgz');
}

test('a folder is checked, shown and put into the configuration file, whose comments stay, and taken out again', async (t) => {
  const folder = emptyFolder(t);
  writePlugin(join(folder, 'rooms'));
  const before =
    '# ours\nplatform: orch # yes\nplugins:\n  # who decides\n  anonymous: {config: {anonymousAuth: true}}\n\nlog: {level: info}\n';
  writeFileSync(join(folder, 'orch.yaml'), before);
  const added = await orch(folder, ['plugins', 'add', './rooms'], 'y');
  t.like(added, {code: 0, err: ''});
  t.regex(
    added.out,
    /^rooms 1\.2\.0\n.*\n {2}contributes resource rooms\.rooms\.example\.com\n.*\n\nPermissions:\n {2}none but reading its own types\n\n/,
  );
  t.is(readFileSync(join(folder, 'orch.yaml'), 'utf8'), before.replace('true}}\n', 'true}}\n  rooms:\n    from: ./rooms\n'));
  const listed = await orch(folder, ['plugins', 'list', '--config', 'orch.yaml']);
  t.regex(
    listed.out,
    /^rooms +1\.2\.0 +on +configuration +configuration: folder \S+rooms +own types +resource rooms\.rooms\.example\.com$/m,
  );
  t.regex((await orch(folder, ['plugins', 'add', './rooms', '--yes'])).out, /^rooms 1\.2\.0, as before\n/);
  t.like(await orch(folder, ['plugins', 'remove', 'rooms'], 'y'), {code: 0, err: ''});
  t.is(readFileSync(join(folder, 'orch.yaml'), 'utf8'), before);
  t.regex((await orch(folder, ['plugins', 'remove', 'rooms', '--yes'])).err, /has no plugin rooms; it has anonymous/);
});

test('a tarball is installed beside the configuration file, without its scripts, found there from anywhere, and uninstalled', async (t) => {
  const folder = emptyFolder(t);
  const added = await orch(emptyFolder(t), ['plugins', 'add', await packed(t), '--yes', '--config', join(folder, 'orch.yaml')]);
  t.like(added, {code: 0, err: ''});
  t.is(readFileSync(join(folder, 'orch.yaml'), 'utf8'), 'plugins:\n  rooms:\n    from: orch-rooms\n');
  t.false(existsSync(join(folder, 'ran')));
  t.false(existsSync(join(folder, 'node_modules/@orch-api/orch')), 'the server gives plugins the sdk');
  const listed = await orch(emptyFolder(t), ['plugins', 'list', '--config', join(folder, 'orch.yaml')]);
  t.regex(listed.out, /^rooms +1\.2\.0 +on +configuration +configuration: package orch-rooms /m);
  t.like(await orch(folder, ['plugins', 'remove', 'rooms', '--yes']), {code: 0, err: ''});
  t.false(existsSync(join(folder, 'node_modules/orch-rooms')));
  t.is(readFileSync(join(folder, 'orch.yaml'), 'utf8'), '');
});

test('what a project develops with stays where a plugin is added to it', async (t) => {
  const folder = emptyFolder(t);
  mkdirSync(join(folder, 'tool'));
  writeFileSync(join(folder, 'tool/package.json'), '{"name": "tool", "version": "1.0.0"}');
  writeFileSync(join(folder, 'package.json'), '{"name": "town", "devDependencies": {"tool": "file:tool"}}');
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund'], {cwd: folder});
  t.true(existsSync(join(folder, 'node_modules/tool')));
  t.like(await orch(folder, ['plugins', 'add', await packed(t), '--yes']), {code: 0, err: ''});
  t.true(existsSync(join(folder, 'node_modules/tool')));
});

test('what does not pass the check, and what is refused, leaves nothing behind', async (t) => {
  const folder = emptyFolder(t);
  const broken = await orch(folder, ['plugins', 'add', await packed(t, {requires: ['ghosts'], kernel: '^9.0.0'}), '--yes']);
  t.is(broken.code, 1);
  t.regex(broken.err, /plugin rooms: it works with kernel \^9/);
  t.regex(broken.err, /it requires the plugin ghosts, which is not there/);
  t.like(await orch(folder, ['plugins', 'add', await packed(t)], 'no'), {code: 1, err: 'nothing was changed\n'});
  for (const name of ['orch.yaml', 'node_modules', 'package.json', 'package-lock.json']) t.false(existsSync(join(folder, name)), name);
  t.regex((await orch(folder, ['plugins', 'add', './ghosts', '--yes'])).err, /ghosts does not exist/);
  t.regex((await orch(folder, ['plugins', 'add', './rooms'])).err, /nobody can be asked/);
  t.regex((await orch(folder, ['plugins', 'add'])).err, /needs one plugin/);
});

test('code of a plugin runs only once it has been agreed to, also where the code alone describes the plugin', async (t) => {
  const folder = emptyFolder(t);
  const trace = join(folder, 'ran');
  const leavesTrace = `import {writeFileSync} from 'node:fs';\nwriteFileSync(${JSON.stringify(trace)}, '');\n`;
  writePlugin(join(folder, 'rooms'), {entry: './entry.js', contributes: {authenticators: ['Rooms']}});
  writeFileSync(join(folder, 'rooms/package.json'), '{"name": "orch-rooms", "type": "module"}');
  writeFileSync(join(folder, 'rooms/entry.js'), leavesTrace);
  writeFileSync(join(folder, 'module.mjs'), leavesTrace);
  for (const plugin of ['./rooms', './module.mjs']) {
    const said = await orch(folder, ['plugins', 'add', plugin], 'no');
    t.false(existsSync(trace), plugin);
    t.like(said, {code: 1, err: 'nothing was changed\n'}, plugin);
  }
  t.false(existsSync(join(folder, 'orch.yaml')));
  t.regex((await orch(folder, ['plugins', 'add', './rooms'], 'y')).err, /Rooms/, 'then its code is checked');
  t.true(existsSync(trace));
  t.false(existsSync(join(folder, 'orch.yaml')));
});

/** Text of a file, and the same with the plugin. */
const forms: readonly (readonly [name: string, before: string, after: string])[] = [
  ['an empty file', '', 'plugins:\n  rooms:\n    from: ./rooms\n'],
  ['a file without plugins', 'store: memory\n', 'store: memory\nplugins:\n  rooms:\n    from: ./rooms\n'],
  ['a flow mapping', 'plugins: {rbac: {}} # x\n', 'plugins: {rooms: {from: ./rooms}, rbac: {}} # x\n'],
  ['a flow mapping without plugins', 'plugins: {}\n', 'plugins: {rooms: {from: ./rooms}}\n'],
  ['JSON', '{\n  "plugins": {}\n}\n', '{\n  "plugins": {\n    "rooms": {\n      "from": "./rooms"\n    }\n  }\n}\n'],
  [
    'a block with another indentation',
    'plugins:\n    only: [core]\n    # last\nstore: memory\n',
    'plugins:\n    only: [core]\n    rooms:\n        from: ./rooms\n    # last\nstore: memory\n',
  ],
];

for (const [name, before, after] of forms) {
  test(`a plugin is put into and taken out of ${name}`, async (t) => {
    t.is(await withPlugin(before, 'rooms', {from: './rooms'}), after);
    const without = await withoutPlugin(after, 'rooms');
    t.true(
      [before, /^plugins: \{\}\n$/.test(before) ? '' : before, before.replace(/\{\n {2}"plugins": \{\}\n\}/, '{}')].includes(
        without ?? '?',
      ),
      without,
    );
  });
}

test('a text in which a plugin cannot be put without a change of something else is left alone', async (t) => {
  t.is(await withPlugin('plugins: &all\n  rbac: {}\n', 'rooms', {from: './rooms'}), undefined);
  t.is(await withoutPlugin('? plugins\n: {rooms: {from: ./a, config: {a: {b: 1}}}}\n', 'rooms'), undefined);
});
