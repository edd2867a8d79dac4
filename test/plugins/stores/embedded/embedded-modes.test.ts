import test from 'ava';
import {chmod, readdir, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {openEmbedded, temporaryDirectory} from '../../../helpers/store-embedded.js';

/** The folder of a store and its files, each with its permissions. */
async function modes(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of ['.', ...(await readdir(folder))]) found[name] = ((await stat(join(folder, name))).mode & 0o7777).toString(8);
  return found;
}

const ownerOnly = {'.': '700', 'claim.mdb': '600', 'claim.mdb-lock': '600', 'data.mdb': '600', 'lock.mdb': '600'};

test('only their owner can read the files of the embedded store', async (t) => {
  const dataDir = await temporaryDirectory(t);
  const folder = join(dataDir, 'store');
  const store = await openEmbedded(dataDir);
  t.deepEqual(await modes(folder), ownerOnly);
  await store.commit({type: 'things', key: 'one', expected: 0, value: Buffer.from('x')});
  await store.close();
  t.deepEqual(await modes(folder), ownerOnly);
});

test('an embedded store that others could read is theirs no more once it was opened', async (t) => {
  const dataDir = await temporaryDirectory(t);
  const folder = join(dataDir, 'store');
  const before = await openEmbedded(dataDir);
  const revision = await before.commit({type: 'things', key: 'one', expected: 0, value: Buffer.from('x')});
  await before.close();
  await chmod(folder, 0o755);
  for (const name of await readdir(folder)) await chmod(join(folder, name), 0o644);

  const store = await openEmbedded(dataDir);
  t.deepEqual(await modes(folder), ownerOnly);
  t.is((await store.read('things', 'one'))?.revision, revision);
  await store.close();
});
