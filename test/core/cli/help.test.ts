import test from 'ava';
import {coreFlags} from '../../../core/options/flags/server-flags.js';
import {KERNEL_VERSION} from '../../../core/kernel/kernel-version.js';
import {fixture} from '../kernel/kernel-fixtures.js';
import {orch} from './cli-process.js';

test('without a command, and with --help, orch lists its commands', async (t) => {
  const [bare, help, word] = await Promise.all([orch(t, []), orch(t, ['--help']), orch(t, ['help'])]);
  for (const command of ['orch serve', 'orch plugins list', 'orch plugins check', 'orch plugins new', 'orch version'])
    t.true(bare.out.includes(command), command);
  t.deepEqual([bare.code, bare.err], [0, '']);
  t.is(help.out, bare.out);
  t.is(word.out, bare.out);
});

test('orch version prints the version, and the releases of Kubernetes whose types it serves', async (t) => {
  const expected = `orch ${KERNEL_VERSION} (Node.js ${process.versions.node})\ntypes of Kubernetes 1.26 to 1.36: by default 1.26, and 1.36 with --platform kubernetes\n`;
  t.deepEqual(await orch(t, ['version']), {code: 0, out: expected, err: ''});
  t.deepEqual(await orch(t, ['--version']), {code: 0, out: expected, err: ''});
});

for (const command of ['serve', 'plugins list', 'plugins check', 'plugins add', 'plugins remove', 'plugins new', 'version']) {
  test(`orch ${command} --help explains the command with examples`, async (t) => {
    const {code, out, err} = await orch(t, [...command.split(' '), '--help']);
    t.is(code, 0);
    t.is(err, '');
    t.true(out.startsWith(`Usage: orch ${command}`));
    t.regex(out, new RegExp(`\nExamples?:\n  orch ${command}`));
  });
}

test('orch plugins lists the commands about plugins', async (t) => {
  const {code, out} = await orch(t, ['plugins']);
  t.is(code, 0);
  t.true(out.includes('orch plugins check'));
  t.false(out.split('Examples:')[0]!.includes('orch serve'));
});

test('the help of serve lists the flags of the server and of every plugin, grouped, with defaults', async (t) => {
  const {out} = await orch(t, ['serve', '--help', '--plugin', fixture('settings/tunable'), '--plugin', fixture('settings/optional')]);
  for (const {name, type} of coreFlags) t.true(out.includes(type === 'boolean' ? `  --[no-]${name}\n` : `  --${name} `), name);
  t.true(out.includes('\nPlugin tunable:\n  --tunable-limit N\n      How many (default 10)\n'));
  t.true(out.includes('  --[no-]tunable-strict\n      Whether to refuse what is doubtful (default false)\n'));
  t.true(out.includes('  --tunable-mode TEXT\n      In which way (one of fast, safe; default safe)\n'));
  t.true(out.includes('\nPlugin optional (off by default):\n  --optional-secret TEXT\n'));
});

test('the help of serve works when a plugin cannot be used, and says so', async (t) => {
  const {code, out} = await orch(t, ['serve', '--help', '--plugin', fixture('bad-syntax/comma')]);
  t.is(code, 0);
  t.regex(out, /Plugins that cannot be used as they are:\n {2}the manifest is not JSON/);
});

test('a command that does not exist is one sentence with the one that was meant', async (t) => {
  t.deepEqual(await orch(t, ['sevre']), {
    code: 1,
    out: '',
    err: 'orch: there is no command "sevre"; did you mean serve? (see: orch --help)\n',
  });
  t.deepEqual(await orch(t, ['plugins', 'lst']), {
    code: 1,
    out: '',
    err: 'orch: there is no command "plugins lst"; did you mean plugins list? (see: orch --help)\n',
  });
  t.regex(
    (await orch(t, ['--secure-port', '1'])).err,
    /^orch: the flag --secure-port needs a command in front, as in: orch serve --secure-port\n$/,
  );
});
