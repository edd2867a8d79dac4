import {mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {tempFolder} from '../../helpers/temp-folder.js';
import {askRaw} from './ask-raw.js';

const manifest = {
  name: 'looking',
  version: '0.1.0',
  kernel: '^0.1.0',
  contributes: {views: [{module: './views/one.js', title: 'One'}]},
};

test('files beside the module of a view are served, and nothing else of the machine', async (t) => {
  const folder = join(tempFolder(t), 'looking');
  mkdirSync(join(folder, 'views', 'more'), {recursive: true});
  const put = (name: string, text = 'export default () => {};') => writeFileSync(join(folder, name), text);
  put('plugin.json', JSON.stringify(manifest));
  for (const name of ['views/one.js', 'views/more/two.js', 'views/secret.txt', 'secret.js', 'views/big.js']) put(name);
  put('views/big.js', ' '.repeat(2 * 1024 * 1024));
  symlinkSync('/etc', join(folder, 'views', 'etc'));
  symlinkSync(join(folder, 'secret.js'), join(folder, 'views', 'link.js'));
  await using server = await startTestServer({plugins: [folder], enableConsole: true});
  const get = (path: string) => askRaw(server, 'GET', `/console/views/${path}`);
  const found = await get('looking/views/one.js');
  t.is(found.status, 200);
  t.is(found.headers['content-type'], 'text/javascript; charset=utf-8');
  t.is(found.headers['access-control-allow-origin'], '*');
  t.is(found.headers['access-control-allow-credentials'], undefined);
  t.is((await get('looking/views/more/two.js')).status, 200);
  for (const path of [
    'looking/secret.js',
    'looking/plugin.json',
    'looking/views/secret.txt',
    'looking/views/link.js',
    'looking/views/etc/hostname',
    'looking/views/big.js',
    'looking/views/../secret.js',
    'looking/views/..%2fsecret.js',
    'looking/views/%2e%2e/secret.js',
    'looking/views/..%5csecret.js',
    'looking/views//etc/passwd',
    'looking//etc/passwd',
    'looking/views/one.js/',
    'looking/views/one.js%00.css',
    '../looking/views/one.js',
    'other/views/one.js',
    'constructor/views/one.js',
    'looking',
    `looking/${'../'.repeat(20)}etc/passwd`,
  ])
    t.not((await get(path)).status, 200, path);
  t.deepEqual(JSON.parse((await get('')).body), {items: []}, 'who is not known learns of no views');
  t.is((await server.client.get('/console/views/')).json<{items: unknown[]}>().items.length, 1);
});

test('a module that is not there, or outside of its plugin, keeps the server from starting', async (t) => {
  const start = (module: string) => {
    const folder = join(tempFolder(t), 'looking');
    mkdirSync(folder, {recursive: true});
    writeFileSync(join(folder, 'plugin.json'), JSON.stringify({...manifest, contributes: {views: [{module, title: 'One'}]}}));
    return t.throwsAsync(startTestServer({plugins: [folder]}));
  };
  t.regex((await start('./views/none.js'))!.message, /the module \.\/views\/none\.js of a view does not exist/);
  for (const module of ['../other.js', './views/../../other.js', '/etc/one.js', './one.css'])
    t.regex((await start(module))!.message, /module/);
});
