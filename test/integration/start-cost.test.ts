import test, {type ExecutionContext} from 'ava';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {startOrch} from '../helpers/orch-process.js';
import {tempFolder} from '../helpers/temp-folder.js';

const recorder = new URL('../helpers/record-modules.js', import.meta.url).href;

/** Libraries that a start on the embedded store, with nothing configured, has no use for. */
const unneeded = [
  'ajv',
  'find-my-way',
  'ioredis',
  'jose',
  'js-yaml',
  '@noble/ciphers',
  '@peculiar/x509',
  'prom-client',
  'protobufjs',
  're2js',
  '@redis/client',
  'redis',
  'semver',
  'ws',
];

interface Loaded {
  readonly urls: readonly string[];
  readonly beforeReady: number;
  readonly builtin: readonly string[];
}

/** What the second start in a data directory loads; the first one makes certificates and objects. */
async function secondStart(t: ExecutionContext, program?: string, extra: readonly string[] = []): Promise<Loaded> {
  const dataDir = tempFolder(t);
  const options = {dataDir, extra, ...(program === undefined ? {} : {program})};
  await (await startOrch(t, options)).stop();
  const record = join(dataDir, 'modules.json');
  const orch = await startOrch(t, {...options, env: {NODE_OPTIONS: `--import=${recorder}`, RECORD_MODULES: record}});
  t.is(await orch.stop(), 0, orch.logs());
  return JSON.parse(readFileSync(record, 'utf8')) as Loaded;
}

test('a start from the bundle loads few files', async (t) => {
  const {urls, beforeReady} = await secondStart(t);
  const loaded = urls.slice(0, beforeReady).filter((url) => url.startsWith('file:'));
  t.true(loaded.some((url) => url.endsWith('/bundle/chunks/server.js')));
  // 34 when this was written, half of them of the library of the store.
  t.true(loaded.length <= 37, `${loaded.length}: ${loaded.join(' ')}`);
  // All entries of plugins that a start loads are in one, but for those of types that it uses.
  const entries = loaded.filter((url) => /\/bundle\/plugins\//.test(url));
  t.true(entries.length <= 4 && entries[0]!.endsWith('/bundle/plugins/entries.js'), entries.join(' '));
});

test('the controllers of a cluster are a few files more, whatever their number', async (t) => {
  const {urls, beforeReady} = await secondStart(t, undefined, ['--cluster']);
  const loaded = urls.slice(0, beforeReady).filter((url) => url.startsWith('file:'));
  t.true(loaded.length <= 43, `${loaded.length}: ${loaded.join(' ')}`);
  const entries = loaded.flatMap((url) => /\/bundle\/plugins\/(.*)/.exec(url)?.[1] ?? []);
  t.true(entries.includes('cluster-entries.js'));
  t.deepEqual(
    entries.filter((name) => name.startsWith('controllers/') && name.endsWith('/plugin.js')),
    [],
  );
});

test('a start loads neither libraries nor plugins that only some requests need', async (t) => {
  const {urls, beforeReady, builtin} = await secondStart(t, fileURLToPath(new URL('../../core/cli/main.js', import.meta.url)));
  const early = urls.slice(0, beforeReady).filter((url) => url.startsWith('file:')).length;
  // 1,141 when this was written.
  t.true(early <= 1142, `${early} modules before ready`);
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
    urls.filter((url) => /\/core\/(api\/(openapi|cel|cbor)|storage\/encryption|server\/encryption)\//.test(url)),
    [],
  );
  t.deepEqual(
    builtin.filter((name) => name.includes('undici')),
    [],
  );
});
