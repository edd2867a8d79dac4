import test, {type ExecutionContext} from 'ava';
import {cp, rename, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {EmbeddedStoreProvider} from '../../../../plugins/stores/embedded/plugin.js';
import type {Store} from '../../../../sdk/index.js';
import {recordingLogger} from '../../../helpers/recording-logger.js';
import {tempFolder} from '../../../helpers/temp-folder.js';

const value = Buffer.from('x');
const change = (key: string, expected = 0) => ({type: 'things', key, expected, value});
const follower = {onEntries: () => undefined, onEnd: () => undefined};

function storeIn(t: ExecutionContext) {
  const dataDir = tempFolder(t);
  const provider = new EmbeddedStoreProvider(recordingLogger().logger);
  const options = {url: 'embedded', dataDir, historyMillis: 300_000};
  const open = async (): Promise<Store> => provider.open(options, new AbortController().signal);
  return {
    folder: join(dataDir, 'store'),
    open,
    /** Opens the store, works with it and closes it. */
    async use<T>(work: (store: Store) => Promise<T>): Promise<T> {
      const store = await open();
      try {
        return await work(store);
      } finally {
        await store.close();
      }
    },
    status: () => provider.status(options),
    restore: (replace = false) => provider.restore(options, {replace, above: 0}),
    acceptLoss: () => provider.acceptLoss(options),
  };
}

test('a store that was closed and opened again goes on, with its revisions and its log', async (t) => {
  const {use} = storeIn(t);
  const first = await use((store) => store.commit(change('one')));
  await use(async (store) => {
    t.is(await store.revision(0), first);
    await t.notThrowsAsync(store.follow(0, 0, follower));
    t.is(await store.commit(change('two')), first + 1);
  });
});

test('a restored folder gives no revision out again, and who was ahead of it is told', async (t) => {
  const {use, folder} = storeIn(t);
  const kept = await use((store) => store.commit(change('kept')));
  await cp(folder, `${folder}.backup`, {recursive: true});
  const lost = await use(async (store) => {
    await store.commit(change('lock', 0));
    return store.commit(change('other'));
  });
  await rm(folder, {recursive: true});
  await cp(`${folder}.backup`, folder, {recursive: true});
  await use(async (store) => {
    const again = await store.commit(change('lock'));
    t.true(again > lost && again > 1_700_000_000_000, `${again}`);
    t.is((await store.read('things', 'kept'))?.revision, kept);
    await t.throwsAsync(store.follow(0, lost, follower), {code: 'Compacted'});
    await t.throwsAsync(store.commit(change('lock', lost - 1)), {code: 'Mismatch'}, 'the former holder of the lock has lost it');
  });
});

test('a whole data directory that was copied back is noticed, although it remembers only itself', async (t) => {
  const {use, folder} = storeIn(t);
  await use((store) => store.commit(change('kept')));
  // The file is another one; what lies beside it agrees with it.
  await cp(folder, `${folder}.copy`, {recursive: true});
  await rm(folder, {recursive: true});
  await rename(`${folder}.copy`, folder);
  await use(async (store) => t.true((await store.commit(change('next'))) > 1_700_000_000_000));
  await use(async (store) => {
    const revision = await store.revision(0);
    t.is(await store.commit(change('third')), revision + 1, 'once: from then on it is where it belongs');
  });
});

test('a folder that was moved away and back while another store was in its place is not taken for that', async (t) => {
  const {use, folder, open, acceptLoss} = storeIn(t);
  await use((store) => store.commit(change('one')));
  await rename(folder, `${folder}.away`);
  await t.throwsAsync(open(), {message: /has lost its data \(it is empty, and had come to revision 1\).*orch store accept-loss/});
  await acceptLoss();
  const later = await use((store) => store.commit(change('two')));
  t.true(later > 1_700_000_000_000);
  await rm(folder, {recursive: true});
  await rename(`${folder}.away`, folder);
  await t.throwsAsync(open(), {message: /it holds another store/});
});

test('a store whose folder is gone is not begun anew before an operator accepts the loss', async (t) => {
  const {use, folder, open, status, acceptLoss} = storeIn(t);
  const last = await use((store) => store.commit(change('one')));
  t.is((await status())[0]?.missing, undefined);
  t.is((await status())[0]?.records, 1);
  await rm(folder, {recursive: true});
  t.regex((await status())[0]!.missing!, /it is empty/);
  for (let attempt = 0; attempt < 2; attempt++) await t.throwsAsync(open(), {message: /has lost its data/});
  t.regex((await acceptLoss())[0]!.missing!, /it is empty/);
  t.is((await acceptLoss())[0]!.missing, undefined, 'nothing is left to accept');
  await use(async (store) => {
    t.true((await store.commit(change('one'))) > last + 1_000_000);
    await t.throwsAsync(store.follow(0, last, follower), {code: 'Compacted'});
  });
});

test('a restore that was broken off leaves a store that is refused, and can be run again', async (t) => {
  const {open, use, restore, status} = storeIn(t);
  const kept = await use((store) => store.commit(change('kept')));
  await t.throwsAsync(restore(), {code: 'Exists', message: /it holds 1 records/});
  const broken = await restore(true);
  await broken.fill([{type: 'things', key: 'half', value}]);
  await broken.close();
  await t.throwsAsync(open(), {message: /a restore into it was not finished/});
  t.regex((await status())[0]!.missing!, /a restore into it was not finished/);
  const filler = await restore();
  await filler.fill([{type: 'things', key: 'whole', value}]);
  await filler.finish();
  await filler.close();
  t.is((await status())[0]!.missing, undefined);
  await use(async (store) => {
    const records = [...(await store.list('things')).records];
    t.deepEqual(
      records.map(({key}) => key),
      ['whole'],
    );
    t.true(records[0]!.revision > kept);
    await t.throwsAsync(store.follow(0, kept, follower), {code: 'Compacted'});
  });
});
