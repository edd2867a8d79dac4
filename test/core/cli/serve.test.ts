import test from 'ava';
import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {createServer, type AddressInfo} from 'node:net';
import {join} from 'node:path';
import {fixture} from '../kernel/kernel-fixtures.js';
import {CliProcess, emptyFolder, orch} from './cli-process.js';

const quick = ['--secure-port', '0', '--store', 'memory', '--log-format', 'json'];

test('serve prints exactly one line when it is ready, and SIGTERM ends it with 0', async (t) => {
  const folder = emptyFolder(t);
  const server = new CliProcess(t, ['serve', ...quick, '--data-dir', 'data'], folder);
  await server.until('out', /\n/);
  const ready = /^ready https:\/\/127\.0\.0\.1:(\d+) kubeconfig=(.+)\n$/.exec(server.out);
  t.truthy(ready, server.out);
  t.is(ready![2], join(folder, 'data', 'admin.kubeconfig'));
  t.true(existsSync(ready![2]!));
  server.signal('SIGTERM');
  const {code, out, err} = await server.ended;
  t.is(code, 0);
  t.is(out, ready![0]);
  for (const line of err.trimEnd().split('\n')) t.notThrows(() => JSON.parse(line), line);
});

test('SIGINT ends the server with 0, and flags win over the configuration file', async (t) => {
  const folder = emptyFolder(t);
  writeFileSync(join(folder, 'orch.yaml'), 'store: memory\nsecurePort: 1\ndataDir: from-file\nlog:\n  level: silent\n');
  const server = new CliProcess(t, ['serve', '--config=orch.yaml', '--secure-port=0'], folder);
  await server.until('out', /\n/);
  t.true(existsSync(join(folder, 'from-file', 'admin.kubeconfig')));
  server.signal('SIGINT');
  t.like(await server.ended, {code: 0, err: ''});
});

test('the encryption configuration comes by flag or by the configuration file, and all its faults end the start', async (t) => {
  const folder = emptyFolder(t);
  const faulty = '{apiVersion: v1, kind: X, resources: [{resources: [secrets], providers: [{kms: {}}]}]}';
  writeFileSync(join(folder, 'faulty.yaml'), faulty);
  const {code, out, err} = await orch(t, ['serve', ...quick, '--encryption-provider-config', 'faulty.yaml'], folder);
  t.is(code, 1);
  t.is(out, '');
  t.regex(err, /3 problems:\n.*apiVersion must be apiserver\.config\.orch\/v1.*\n.*kind must be .*\n.*kms is not supported/);
  t.regex(
    (await orch(t, ['serve', ...quick, '--encryption-provider-config-automatic-reload'], folder)).err,
    /^orch: --encryption-provider-config-automatic-reload must be set with --encryption-provider-config\n$/,
  );

  const good =
    '{apiVersion: apiserver.config.orch/v1, kind: EncryptionConfiguration, resources: [{resources: [secrets], providers: [{identity: {}}]}]}';
  mkdirSync(join(folder, 'etc'));
  writeFileSync(join(folder, 'etc/encryption.yaml'), good);
  writeFileSync(
    join(folder, 'etc/orch.yaml'),
    'encryptionProviderConfig: ./encryption.yaml\nencryptionProviderConfigAutomaticReload: true\ndataDir: ../data\n',
  );
  const server = new CliProcess(t, ['serve', ...quick, '--config', 'etc/orch.yaml'], folder);
  await server.until('err', '"objects are encrypted in the store"');
  await server.until('out', /\n/);
  writeFileSync(join(folder, 'etc/encryption.yaml'), faulty);
  await server.until('err', 'the changed encryption configuration cannot be used');
  server.signal('SIGTERM');
  t.is((await server.ended).code, 0);
});

test('a second signal ends a server at once that does not stop', async (t) => {
  for (const [signal, expected] of [
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const) {
    const server = new CliProcess(t, ['serve', ...quick, '--plugin', fixture('stubborn/stubborn')], emptyFolder(t));
    await server.until('out', /\n/);
    server.signal('SIGTERM');
    await server.until('err', '"stopping"');
    server.signal(signal);
    t.is((await server.ended).code, expected);
  }
});

test('a signal gives up a start that hangs', async (t) => {
  const server = new CliProcess(t, ['serve', ...quick, '--plugin', fixture('stubborn/sleepy')], emptyFolder(t));
  await server.until('err', '"asleep"');
  server.signal('SIGTERM');
  t.like(await server.ended, {code: 0, out: ''});
});

test('a port in use is one sentence and exit code 1', async (t) => {
  const other = createServer();
  await new Promise<void>((resolve) => {
    other.listen(0, '127.0.0.1', resolve);
  });
  t.teardown(() => other.close());
  const {port} = other.address() as AddressInfo;
  const {code, out, err} = await orch(t, ['serve', '--store', 'memory', '--log-level', 'silent', '--secure-port', String(port)]);
  t.is(code, 1);
  t.is(out, '');
  t.regex(err, new RegExp(`^orch: .*${port}.*\n$`));
});

const mistakes: readonly (readonly [args: readonly string[], message: string])[] = [
  [['--data-dri', 'x'], 'there is no flag --data-dri; did you mean --data-dir?'],
  [['--frobnicate'], 'there is no flag --frobnicate; --help lists all'],
  [['-v'], 'there is no flag -v; --help lists all'],
  [['--secure-port', 'abc'], '--secure-port must be a whole number, not "abc"'],
  [['--secure-port', '70000'], '--secure-port must be from 0 to 65535, not 70000'],
  [['--secure-port', '-1'], '--secure-port must be from 0 to 65535, not -1'],
  [['--data-dir'], '--data-dir needs a value, as in: --data-dir DIR'],
  [['--data-dir', '--store', 'memory'], '--data-dir needs a value, as in: --data-dir DIR'],
  [
    ['--log-level', 'loud'],
    '--log-level must be LEVEL or COMPONENT=LEVEL, the levels being trace, debug, info, warn, error, silent, not "loud"',
  ],
  [['start'], 'orch serve takes flags only, and "start" is none'],
  [['--feature-gates', 'Nonsense=true'], 'there is no feature gate Nonsense; known are '],
  [['--enable-admission-plugins', 'Nonsense'], 'there is no admission plugin Nonsense; known are '],
  [['--disable-admission-plugins', 'Nonsense'], 'there is no admission plugin Nonsense; known are '],
  [['--controllers', '-nonsense'], 'there is no controller nonsense; known are '],
  [['--disable-plugins', 'nonsense'], 'there is no plugin nonsense; known are '],
  [['--store', 'tape://x'], 'no plugin opens the store tape; known are '],
  [['--plugin', './nowhere'], './nowhere is no plugin: '],
  [['--config', 'nowhere.yaml'], 'the configuration file cannot be read: ENOENT'],
  [['--platform', 'nowhere'], 'unknown platform "nowhere"'],
];

for (const [args, message] of mistakes) {
  test(`serve ${args.join(' ')} is refused with one clear sentence`, async (t) => {
    const {code, out, err} = await orch(t, ['serve', '--log-level', 'silent', ...args]);
    t.is(code, 1);
    t.is(out, '');
    t.true(err.startsWith(`orch: ${message}`), err);
    t.is(err.trimEnd().split('\n').length, 1);
  });
}
