import test from 'ava';
import {readFile, stat} from 'node:fs/promises';
import {join} from 'node:path';
import * as plugin from '../../../../plugins/stores/embedded/plugin.js';
import {contributionOf, type PluginManifest} from '../../../../sdk/index.js';
import {openEmbedded, openMemory, strictLogger, temporaryDirectory} from '../../../helpers/store-embedded.js';

/** Native libraries in this process with the word in their path. */
function loaded(word: string): string[] {
  const {sharedObjects} = process.report.getReport() as unknown as {sharedObjects: string[]};
  return sharedObjects.filter((path) => path.includes(word));
}

test.serial('a store in memory does not load LMDB, an embedded one does', async (t) => {
  const memory = await openMemory();
  await memory.commit({type: 'things', key: 'one', expected: 0, value: Buffer.from('x')});
  t.deepEqual(loaded('lmdb'), []);
  await memory.close();
  const embedded = await openEmbedded(await temporaryDirectory(t));
  t.is(loaded('lmdb').length, 1);
  await embedded.close();
});

test('the plugin delivers what its manifest promises', async (t) => {
  const manifest = JSON.parse(
    await readFile(new URL('../../../../plugins/stores/embedded/plugin.json', import.meta.url), 'utf8'),
  ) as PluginManifest;
  t.deepEqual(
    manifest.contributes?.stores?.map((store) => store.class),
    Object.keys(plugin),
  );
  for (const exported of Object.values(plugin)) t.is(contributionOf(exported)?.kind, 'store');
});

test('the stores say what an answered write survives', async (t) => {
  const dataDir = await temporaryDirectory(t);
  const embedded = await openEmbedded(dataDir);
  t.is(embedded.durability, `LMDB in ${join(dataDir, 'store')}: every answered write is synced to disk`);
  await embedded.close();
  const memory = await openMemory();
  t.is(memory.durability, 'memory only: nothing survives the end of this process');
  await memory.close();
});

test('an embedded store makes its directory readable for its owner only, and knows its revision without waiting', async (t) => {
  const dataDir = join(await temporaryDirectory(t), 'a/b');
  const store = await openEmbedded(dataDir, {url: 'embedded:'});
  t.is((await stat(join(dataDir, 'store'))).mode & 0o777, 0o700);
  t.is(store.revision(0), 0);
  const revision = await store.commit({type: 'things', key: 'one', expected: 0, value: Buffer.from('x')});
  t.is(store.revision(0), revision);
  await store.close();
});

test('an address that the plugin does not understand is refused with one sentence', async (t) => {
  const dataDir = await temporaryDirectory(t);
  await t.throwsAsync(openEmbedded(dataDir, {url: 'embedded:///elsewhere'}), {
    message: /^--store embedded:\/\/\/elsewhere is not understood/,
  });
  await t.throwsAsync(openMemory({url: 'memory://1'}), {message: /^--store memory:\/\/1 is not understood/});
});

test('an open that was aborted leaves the directory free', async (t) => {
  const dataDir = await temporaryDirectory(t);
  const provider = new plugin.EmbeddedStoreProvider(strictLogger());
  const abort = new AbortController();
  const opening = provider.open({url: 'embedded', dataDir, historyMillis: 1000}, abort.signal);
  abort.abort(new Error('start was given up'));
  await t.throwsAsync(opening, {message: 'start was given up'});
  const store = await openEmbedded(dataDir);
  await store.close();
});

test('each store in memory is a new one', async (t) => {
  const [one, two] = await Promise.all([openMemory(), openMemory()]);
  await one.commit({type: 'things', key: 'one', expected: 0, value: Buffer.from('x')});
  t.is(await two.read('things', 'one'), undefined);
  await Promise.all([one.close(), two.close()]);
});

test('a key with half of a surrogate pair is refused: on disk it could not be told from others', async (t) => {
  for (const store of [await openMemory(), await openEmbedded(await temporaryDirectory(t))]) {
    await t.throwsAsync(store.commit({type: 'things', key: 'a\ud800', expected: 0, value: Buffer.from('x')}), {
      message: 'the key "a\\ud800" is not valid Unicode and cannot be stored',
    });
    t.is(store.revision(0), 0);
    await store.close();
  }
});
