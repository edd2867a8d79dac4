import test from 'ava';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {readConfiguration} from '../../../core/cli/read-configuration.js';
import {serverArguments} from '../../../core/cli/server-arguments.js';
import {PluginCatalogue} from '../../../core/kernel/selection/plugin-catalogue.js';
import {select} from '../../../core/kernel/selection/select.js';
import {builtinPlugins} from '../../../core/options/builtin-plugins.js';
import {resolveNaming} from '../../../core/options/resolve-naming.js';
import {kernelOptions} from '../../../core/options/kernel-options.js';
import {places, problemsOf} from '../kernel/kernel-fixtures.js';
import {emptyFolder} from './cli-process.js';

test('a configuration file is YAML or JSON, and relative paths in it are relative to it', async (t) => {
  const folder = emptyFolder(t);
  mkdirSync(join(folder, 'etc'));
  const expected = {
    platform: 'kubernetes',
    dataDir: join(folder, 'data'),
    plugins: {a: {from: join(folder, 'etc', 'a')}, b: {from: 'package-b', enabled: false}, c: {from: '/c', config: {x: 1}}},
  };
  const written = {
    platform: 'kubernetes',
    dataDir: '../data',
    plugins: {a: {from: './a'}, b: {from: 'package-b', enabled: false}, c: {from: '/c', config: {x: 1}}},
  };
  writeFileSync(join(folder, 'etc/orch.json'), JSON.stringify(written));
  writeFileSync(
    join(folder, 'etc/orch.yaml'),
    'platform: kubernetes # names\ndataDir: ../data\nplugins:\n  a: {from: ./a}\n  b:\n    from: package-b\n    enabled: false\n  c:\n    from: /c\n    config: {x: 1}\n',
  );
  t.deepEqual(await readConfiguration('etc/orch.json', folder), expected);
  t.deepEqual(await readConfiguration('etc/orch.yaml', folder), expected);
});

test('each file that the server itself reads is relative to the configuration file', async (t) => {
  const folder = emptyFolder(t);
  mkdirSync(join(folder, 'etc'));
  const keys = [
    'encryptionProviderConfig',
    'admissionControlConfigFile',
    'auditPolicyFile',
    'authorizationConfig',
    'tracingConfigFile',
  ] as const;
  writeFileSync(join(folder, 'etc/orch.yaml'), keys.map((key) => `${key}: ../${key}.yaml\n`).join(''));
  t.deepEqual(await readConfiguration('etc/orch.yaml', folder), Object.fromEntries(keys.map((key) => [key, join(folder, `${key}.yaml`)])));
});

test('paths in the settings of plugins are relative to the configuration file too, those of flags to the working directory', async (t) => {
  const folder = emptyFolder(t);
  mkdirSync(join(folder, 'etc'));
  writeFileSync(
    join(folder, 'etc/orch.yaml'),
    `plugins:
  token-file: {config: {file: tokens.csv}}
  service-accounts: {config: {keyFiles: [../keys/a.pem, /keys/b.pem], rootCaFile: ca.crt, signingKeyFile: sa.key}}
  audit-log: {config: {path: '-'}}
`,
  );
  const terminal = {cwd: folder, out: process.stdout, err: process.stderr};
  const {options} = await serverArguments(['--config', 'etc/orch.yaml', '--service-account-signing-key-file', 'keys/sa.key'], terminal);
  const {selected, problems} = await select(kernelOptions({...options, naming: resolveNaming('orch', undefined)}));
  t.deepEqual(problems, []);
  const config = new Map(selected.plugins.map((plugin) => [plugin.name, plugin.config]));
  t.like(config.get('token-file'), {file: join(folder, 'etc/tokens.csv')});
  t.like(config.get('service-accounts'), {
    keyFiles: [join(folder, 'keys/a.pem'), '/keys/b.pem'],
    rootCaFile: join(folder, 'etc/ca.crt'),
    signingKeyFile: join(folder, 'keys/sa.key'),
  });
  t.like(config.get('root-ca-cert-publisher'), {rootCaFile: join(folder, 'etc/ca.crt')});
  t.like(config.get('audit-log'), {path: '-'});
});

test('every setting of a plugin that comes with the server and names a file is a path', async (t) => {
  const {plugins} = await PluginCatalogue.read({pluginRoots: [builtinPlugins]});
  const texts = plugins.flatMap(({name, manifest}) =>
    Object.entries(manifest.config?.properties ?? {})
      .filter(([, {type, sameAs}]) => (type === 'string' || type === 'array') && sameAs === undefined)
      .map(([property, schema]) => ({place: `${name}.${property}`, schema, item: (schema['items'] ?? schema) as {format?: string}})),
  );
  const paths = texts.filter(({item}) => item.format === 'path').map(({place}) => place);
  const files = texts.filter(({schema}) =>
    /^((PEM|CSV) )?file (that|with|of)\b|^Client configuration file|configuration file|files? with/i.test(schema.description ?? ''),
  );
  const named = texts.filter(({place}) => /(Files?|Path|Dir|Folder|\.file)$/.test(place));
  t.true(paths.length >= 30);
  t.deepEqual(
    [...new Set([...files, ...named].map(({place}) => place))].filter((place) => !paths.includes(place)),
    [],
  );
});

test('a file without contents configures nothing', async (t) => {
  const folder = emptyFolder(t);
  writeFileSync(join(folder, 'empty.yaml'), '# nothing yet\n\n');
  t.deepEqual(await readConfiguration('empty.yaml', folder), {});
});

test('every fault of a configuration file is reported with its path', async (t) => {
  const folder = emptyFolder(t);
  writeFileSync(
    join(folder, 'bad.yaml'),
    'securePort: many\nadmision: {}\nplugins:\n  Bad_Name: {}\n  good: {confg: {}}\n__proto__: {platform: x}\n',
  );
  const problems = await problemsOf(t, () => readConfiguration('bad.yaml', folder));
  t.deepEqual(places(problems).sort(), [
    'CONFIGURATION_INVALID - __proto__ bad.yaml',
    'CONFIGURATION_INVALID - admision bad.yaml',
    'CONFIGURATION_INVALID - plugins.Bad_Name bad.yaml',
    'CONFIGURATION_INVALID - plugins.good.confg bad.yaml',
    'CONFIGURATION_INVALID - securePort bad.yaml',
  ]);
  t.true(problems.some((fault) => fault.message === 'admision is not a known member; did you mean admission?'));
});

test('a file that cannot be read or parsed is one problem with the place', async (t) => {
  const folder = emptyFolder(t);
  writeFileSync(join(folder, 'broken.yaml'), 'a: 1\na: 2\n');
  writeFileSync(join(folder, 'broken.json'), '{"platform": "orch",, }');
  writeFileSync(join(folder, 'list.yaml'), '- a\n');
  const messages = await Promise.all(
    ['broken.yaml', 'broken.json', 'nowhere.yaml', 'list.yaml'].map(
      async (name) => (await problemsOf(t, () => readConfiguration(name, folder)))[0]!.message,
    ),
  );
  t.regex(messages[0]!, /duplicated mapping key \(2:1\)$/);
  t.regex(messages[1]!, /^the configuration file cannot be read: /);
  t.regex(messages[2]!, /ENOENT/);
  t.is(messages[3], 'the configuration must be of type object');
});
