import test, {type ExecutionContext} from 'ava';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {Kernel} from '../../../core/kernel/kernel.js';
import {tempFolder} from '../../helpers/temp-folder.js';
import {problemsOf, silent} from './kernel-fixtures.js';

function load(t: ExecutionContext, property: object, value?: unknown): Promise<Kernel> {
  const folder = tempFolder(t);
  const config = {type: 'object', properties: {a: property}};
  writeFileSync(join(folder, 'plugin.json'), JSON.stringify({name: 'rooms', version: '1.0.0', kernel: '*', config}));
  return Kernel.load({
    logger: silent,
    plugins: [folder],
    configuration: value === undefined ? {} : {plugins: {rooms: {config: {a: value}}}},
    configurationFile: '/etc/orch.yaml',
  });
}

const text = (format: string) => ({type: 'string', format});

const values: Readonly<Record<string, readonly [right: readonly string[], wrong: readonly string[]]>> = {
  path: [['./a', '/a', ''], []],
  date: [['2026-02-28'], ['2026-02-30', '2026-2-1', 'today', '']],
  'date-time': [
    ['2026-02-28T10:00:00Z', '2026-02-28T10:00:00.5+01:00'],
    ['2026-02-28', '2026-02-28T25:00:00Z'],
  ],
  duration: [
    ['1m30s', '0', '500ms'],
    ['90', '1 minute', '-1s', ''],
  ],
  email: [['a@b.example'], ['a', '@b', 'a@']],
  hostname: [
    ['a.example', 'localhost', '127.0.0.1'],
    ['a_b', '-a', 'a..b', '', 'a'.repeat(64)],
  ],
  ipv4: [
    ['127.0.0.1', '255.255.255.255'],
    ['127.0.0', '256.0.0.1', '01.2.3.4', '1.2.3.4.', '::1'],
  ],
  ipv6: [
    ['::1', '2001:db8::1', '::ffff:1.2.3.4'],
    ['127.0.0.1', ':::', 'g::1'],
  ],
  regex: [['^a+$'], ['(', '[']],
  uri: [
    ['https://a.example/b', 'redis://x'],
    ['a.example', '/a', ''],
  ],
  uuid: [['123e4567-e89b-12d3-a456-426614174000'], ['123e4567']],
};

for (const [format, [right, wrong]] of Object.entries(values)) {
  test(`settings of the format ${format} are held to it`, async (t) => {
    for (const value of right) await t.notThrowsAsync(load(t, text(format), value), value);
    for (const value of wrong) {
      const [fault] = await problemsOf(t, () => load(t, text(format), value));
      t.like(fault, {
        code: 'CONFIG_INVALID',
        path: 'plugins.rooms.config.a',
        file: '/etc/orch.yaml',
        message: `a must match format "${format}"`,
      });
    }
  });
}

test('a format that there is not keeps a server from starting, wherever the schema has it and whether it is set or not', async (t) => {
  const schemas = [
    text('pth'),
    {type: 'array', items: text('pth')},
    {type: 'object', properties: {format: {type: 'string'}, b: {anyOf: [text('pth')]}}},
  ];
  for (const schema of schemas) {
    const faults = await problemsOf(t, () => load(t, schema));
    t.is(faults.length, 1);
    t.like(faults[0], {
      code: 'CONFIG_SCHEMA_INVALID',
      message: 'the schema of its settings cannot be used: there is no format pth; did you mean path?',
    });
    t.regex(faults[0]!.path!, /^config\.properties\.a\..*format$/);
  }
});
