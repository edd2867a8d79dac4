import test from 'ava';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {readConfiguration} from '../../../core/cli/read-configuration.js';
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
