import test from 'ava';
import {checkFlags} from '../../../../core/options/flags/check-flags.js';
import type {LoadedPlugin} from '../../../../core/kernel/manifests/loaded-plugin.js';

function plugin(name: string, flag: string, enabled = true): LoadedPlugin {
  const config = {type: 'object', properties: {size: {type: 'integer', flag}}};
  return {
    name,
    enabled,
    config: {},
    folder: '/',
    file: `/${name}.json`,
    source: 'root',
    manifest: {name, config},
  } as unknown as LoadedPlugin;
}

test("a flag belongs to one plugin, and none of the server's to any", (t) => {
  const plugins = [plugin('one', 'size'), plugin('two', 'size'), plugin('three', 'secure-port'), plugin('four', 'max-watches')];
  t.deepEqual(
    checkFlags(plugins, new Map()).map(({code, plugin: name, path, message}) => [code, name, path, message]),
    [
      ['DUPLICATE_FLAG', 'two', 'config.properties.size.flag', 'the flag --size is also defined by plugin one'],
      ['DUPLICATE_FLAG', 'three', 'config.properties.size.flag', 'the flag --secure-port is also defined by the server'],
      ['DUPLICATE_FLAG', 'four', 'config.properties.size.flag', 'the flag --max-watches is also defined by the server'],
    ],
  );
});

test('a disabled plugin may have a flag of another, and a flag of a disabled plugin alone cannot be given', (t) => {
  t.deepEqual(checkFlags([plugin('one', 'size'), plugin('two', 'size', false)], new Map([['size', 1]])), []);
  t.deepEqual(
    checkFlags(
      [plugin('two', 'size', false)],
      new Map<string, unknown>([
        ['size', 1],
        ['colour', 'red'],
        ['unset', undefined],
      ]),
    ).map(({code, path}) => [code, path]),
    [
      ['PLUGIN_DISABLED', '--size'],
      ['UNKNOWN_FLAG', undefined],
    ],
  );
});

test('a flag of an authorizer whose mode is not named is refused, unless it only tunes it', (t) => {
  const properties = {file: {type: 'string', flag: 'file'}, ttl: {type: 'string', flag: 'ttl', default: '5m'}};
  const off = plugin('guard', 'size', false);
  const manifest = {...off.manifest, config: {type: 'object', properties}, contributes: {authorizers: [{class: 'Guard', mode: 'Guard'}]}};
  const given = new Map([
    ['file', 'a'],
    ['ttl', '1m'],
  ]);
  const problems = checkFlags([{...off, manifest} as LoadedPlugin], given);
  t.deepEqual(
    problems.map(({path, message}) => `${path}: ${message}`),
    ['--file: --file has no effect without the authorization mode Guard'],
  );
});
