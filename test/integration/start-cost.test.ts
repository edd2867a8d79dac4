import test from 'ava';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {startOrch} from '../helpers/orch-process.js';
import {tempFolder} from '../helpers/temp-folder.js';

const recorder = new URL('../helpers/record-modules.js', import.meta.url).href;

/** Libraries that a start on the embedded store, with nothing configured, has no use for. */
const unneeded = [
  'ajv',
  '@marcbachmann/cel-js',
  'find-my-way',
  'ioredis',
  'jose',
  'js-yaml',
  '@noble/ciphers',
  '@peculiar/x509',
  'prom-client',
  'protobufjs',
  're2js',
  'redis',
  'semver',
  'ws',
];

test('a start loads neither libraries nor plugins that only some requests need', async (t) => {
  const dataDir = tempFolder(t);
  // The first start makes certificates and objects.
  await (await startOrch(t, {dataDir})).stop();
  const record = join(dataDir, 'modules.json');
  const orch = await startOrch(t, {dataDir, env: {NODE_OPTIONS: `--import=${recorder}`, RECORD_MODULES: record}});
  t.is(await orch.stop(), 0, orch.logs());
  const {urls, builtin} = JSON.parse(readFileSync(record, 'utf8')) as {urls: string[]; builtin: string[]};
  t.true(urls.some((url) => url.endsWith('/plugins/resources/core/plugin.js')));
  const packages = new Set(urls.map((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1]));
  t.true(packages.has('restify') && packages.has('lmdb'));
  // What a library brings along of its own, ajv's runtime for compiled validators among it, is not the library.
  const loaded = unneeded.filter((name) =>
    urls.some((url) => url.includes(`/node_modules/${name}/`) && !url.includes('/ajv/dist/runtime/')),
  );
  t.deepEqual(loaded, []);
  const plugins = urls.filter((url) =>
    /\/plugins\/resources\/(apps|authentication|authorization|batch|core-pods|core-volumes|networking)\//.test(url),
  );
  t.deepEqual(plugins, []);
  t.deepEqual(
    urls.filter((url) => /\/core\/(api\/(openapi|cel)|storage\/encryption|server\/encryption)\//.test(url)),
    [],
  );
  t.deepEqual(
    builtin.filter((name) => name.includes('undici')),
    [],
  );
});
