import test from 'ava';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Command} from '../../../core/cli/command.js';
import {commands} from '../../../core/cli/commands.js';
import {parseFlags} from '../../../core/cli/parse-flags.js';
import {run} from '#bundle/core/cli/run.js';
import {coreFlags} from '../../../core/options/flags/server-flags.js';
import {removedElements} from '../../../core/lifetimes/removed-elements.js';
import {CliProcess, emptyFolder, orch} from './cli-process.js';

const warning =
  'Flag --admission-control has been deprecated, Use --enable-admission-plugins or --disable-admission-plugins instead. Will be removed in a future version.';

test('[B-DEPR-10] the server starts with a deprecated flag, does what it says, and prints one warning', async (t) => {
  const folder = emptyFolder(t);
  writeFileSync(
    join(folder, 'plugin.json'),
    JSON.stringify({
      name: 'noisy',
      version: '1.0.0',
      kernel: '^0.1.0',
      entry: './index.js',
      contributes: {admission: [{class: 'Noisy', name: 'Noisy'}]},
    }),
  );
  // Admission that refuses everything, and says at its start that it runs.
  writeFileSync(
    join(folder, 'index.js'),
    "import {admission} from '@orch-api/orch/sdk';\nexport class Noisy {\n  constructor() { process.stderr.write('noisy runs\\n'); }\n  validate() {}\n}\nadmission({operations: ['CREATE']})(Noisy);\n",
  );
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  const serve = ['serve', '--store', 'memory', '--secure-port', '0', '--plugin', folder];

  const without = new CliProcess(
    t,
    [...serve, '--admission-control', 'NamespaceLifecycle', '--admission-control=NamespaceLifecycle'],
    emptyFolder(t),
  );
  await without.until('out', 'ready ');
  without.signal('SIGTERM');
  const {code, err} = await without.ended;
  t.is(code, 0);
  t.deepEqual(
    err.split('\n').filter((line) => line.includes('has been deprecated')),
    [warning],
  );
  t.false(err.includes('noisy runs'));

  const withBoth = new CliProcess(t, [...serve, '--admission-control', 'NamespaceLifecycle,Noisy'], emptyFolder(t));
  await withBoth.until('err', 'noisy runs');
  await withBoth.until('out', 'ready ');
});

test('[B-DEPR-10] a deprecated flag of a plugin works, prints its warning, and is marked in help', async (t) => {
  const folder = emptyFolder(t);
  const deprecated = {since: '1.26', message: 'use --moons', audience: 'admin', stage: 'beta'};
  const properties = {
    satellites: {type: 'integer', flag: 'satellites', description: 'How many', deprecated},
    moons: {type: 'integer', flag: 'moons'},
  };
  writeFileSync(
    join(folder, 'plugin.json'),
    JSON.stringify({name: 'planets', version: '1.0.0', kernel: '^0.1.0', config: {type: 'object', properties}}),
  );
  t.deepEqual(await orch(t, ['plugins', 'check', folder]), {code: 0, out: '1 plugin checked: planets\n', err: ''});
  const list = await orch(t, ['plugins', 'list', '--plugin', folder, '--satellites', '2', '--moons=3']);
  t.deepEqual([list.code, list.err], [0, 'Flag --satellites has been deprecated, use --moons\n']);
  const {out} = await orch(t, ['serve', '--help', '--plugin', folder]);
  t.true(out.includes('  --satellites N\n      How many (DEPRECATED since release 1.26: use --moons)\n'));
});

test('[B-DEPR-10] a deprecated command works, prints a warning and is marked in the overview', async (t) => {
  const deprecated = {since: '1.26', message: 'use "orch version"', audience: 'user', stage: 'stable'} as const;
  const old: Command = {
    words: ['about'],
    parameters: '',
    summary: 'Print the version',
    deprecated,
    load: () => import('../../../core/cli/version.js'),
  };
  const call = async (...args: string[]) => {
    const written = {out: '', err: ''};
    const terminal = {
      out: {write: (text: string) => (written.out += text)},
      err: {write: (text: string) => (written.err += text)},
      cwd: '.',
    };
    return {code: await run(args, terminal, [...commands, old]), ...written};
  };
  const current = await call('version');
  t.deepEqual([current.code, current.err], [0, '']);
  t.deepEqual(await call('about'), {...current, err: 'Command "about" is deprecated, use "orch version"\n'});
  t.regex((await call()).out, /^ {2}orch about +Print the version \(DEPRECATED\)$/m);
});

test('help marks the deprecated flag, and no other of the server', async (t) => {
  const {out} = await orch(t, ['serve', '--help']);
  t.is(out.match(/DEPRECATED/g)?.length, 1);
  t.regex(
    out,
    /--admission-control NAMES\n +The admission plugins that run, and no others \(DEPRECATED since release 1\.10: Use\n? +--enable-admission-plugins/,
  );
});

test('--admission-control does not go together with what replaced it, and refuses names that nobody has', async (t) => {
  const together = await orch(t, [
    'plugins',
    'list',
    '--admission-control',
    'NamespaceLifecycle',
    '--disable-admission-plugins',
    'NamespaceLifecycle',
  ]);
  t.deepEqual(
    [together.code, together.err.split('\n')[1]],
    [1, 'orch: --admission-control does not go together with --enable-admission-plugins and --disable-admission-plugins'],
  );
  const unknown = await orch(t, ['plugins', 'list', '--admission-control', 'NamespaceLifecicle']);
  t.is(
    unknown.err.split('\n')[1],
    'orch: --admission-control names NamespaceLifecicle, and there is no such admission plugin; did you mean NamespaceLifecycle?',
  );
});

test('a flag that releases before had is refused with what to do instead', (t) => {
  t.throws(() => parseFlags(['--insecure-port=0'], coreFlags), {
    message: 'the flag --insecure-port was removed in release 1.24: requests are served with TLS only, at --bind-address and --secure-port',
  });
  for (const {name} of removedElements.filter((element) => element.name.startsWith('--')))
    t.throws(() => parseFlags([name], coreFlags), {message: new RegExp(`^the flag ${name} was removed in release`)});
});
