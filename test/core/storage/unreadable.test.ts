import test from 'ava';
import {parseLabelSelector} from '../../../core/api/selectors/label-selector.js';
import {ValueEncryption} from '../../../core/storage/encryption/value-encryption.js';
import {keyProvider, type ValueProvider} from '../../../core/storage/encryption/value-provider.js';
import {StorageError} from '../../../core/storage/storage-error.js';
import type {Store} from '../../../sdk/index.js';
import {memoryStore, put, RecordingLogger, startStorage, watch, widgets} from './support.js';

const secret = (letter: string) => Buffer.alloc(32, letter);
const rulesOf = (...providers: ValueProvider[]) => ({providersOf: () => providers});

const isUnreadable = (error: unknown) => error instanceof StorageError && error.failure.code === 'Unreadable';

/** A store with 300 widgets in namespace b, and one in a, that only `lost` can read. */
async function damaged(t: Parameters<typeof memoryStore>[0]): Promise<{store: Store; lost: ValueProvider; kept: ValueProvider}> {
  const store = await memoryStore(t);
  const [lost, kept] = [await keyProvider('aesgcm', 'lost', secret('l')), await keyProvider('aesgcm', 'kept', secret('k'))];
  const encryption = new ValueEncryption(rulesOf(kept));
  const type = widgets(await startStorage(t, store, {encryption}));
  for (let number = 0; number < 300; number++) await put(type, `b/x${number}`, {labels: {app: `a${number % 3}`}});
  encryption.replace(rulesOf(lost));
  await put(type, 'a/one', {labels: {app: 'a1'}});
  return {store, lost, kept};
}

test('queries by labels find what can be read where one object elsewhere cannot, with and without an index', async (t) => {
  const {store, kept} = await damaged(t);
  const type = widgets(await startStorage(t, store, {encryption: new ValueEncryption(rulesOf(kept))}));
  const labelSelector = parseLabelSelector('app=a1');
  for (let time = 0; time < 4; time++) {
    t.is((await type.list({freshness: 'recent', namespace: 'b', labelSelector})).items.length, 100);
    await t.throwsAsync(async () => type.list({freshness: 'recent', labelSelector}), {instanceOf: StorageError});
  }
});

test('objects are logged by name that cannot be read, at most twenty of them in a minute', async (t) => {
  const {store, lost} = await damaged(t);
  const logger = new RecordingLogger();
  let now = Date.now();
  const encryption = new ValueEncryption(rulesOf(lost));
  const storage = await startStorage(t, store, {encryption, logger, clock: () => now});
  const type = widgets(storage);
  t.is((await type.get('a', 'one', 'recent'))?.name, 'one');
  const named = () => logger.records.filter(({message}) => message === 'an object in the store cannot be read').length;
  t.is(named(), 20);
  t.is(logger.records.length, 21);
  now += 60_000;
  storage.rereadUnreadable();
  t.is((await type.get('a', 'one', 'recent'))?.name, 'one');
  t.is(named(), 40);
});

test('the type with an object that cannot be read is read again once other keys are in force; its watches end', async (t) => {
  const {store, lost, kept} = await damaged(t);
  const encryption = new ValueEncryption(rulesOf(kept));
  const storage = await startStorage(t, store, {encryption});
  const type = widgets(storage);
  const {sink} = await watch(t, type, {start: {kind: 'now', freshness: 'recent'}, namespace: 'b'});
  await t.throwsAsync(async () => type.get('a', 'one', 'recent'));
  encryption.replace(rulesOf(kept, lost));
  storage.rereadUnreadable();
  await sink.until(() => sink.ended);
  t.is((await type.get('a', 'one', 'recent'))?.name, 'one');
  t.is((await type.list({freshness: 'recent'})).items.length, 301);
  const again = await watch(t, type, {start: {kind: 'now', freshness: 'recent'}});
  storage.rereadUnreadable();
  await put(type, 'b/new', {});
  await again.sink.count(1);
  t.false(again.sink.ended, 'nothing is read again where everything could be read');
});

test('what cannot be read is not taken for expired', async (t) => {
  const {store, lost} = await damaged(t);
  const later = Date.now() + 3_600_000;
  const storage = await startStorage(t, store, {encryption: new ValueEncryption(rulesOf(lost)), clock: () => later});
  const type = widgets(storage, {ttlSeconds: 60});
  await type.expire();
  t.is(await type.get('a', 'one', 'recent'), undefined, 'what can be read and is old is gone');
  t.is([...(await store.list('widgets.example.com')).records].length, 300);
});

test('a damaged value is left out of lists, and its type can be used', async (t) => {
  const store = await memoryStore(t);
  const type = widgets(await startStorage(t, store));
  await put(type, 'a/good', {});
  await store.commit({type: 'widgets.example.com', key: 'a/bad', expected: 0, value: Buffer.from('nothing that storage wrote')});
  const other = widgets(await startStorage(t, store));
  for (const reader of [type, other]) {
    t.is((await reader.get('a', 'good', 'recent'))?.name, 'good');
    const error = await t.throwsAsync(async () => reader.get('a', 'bad', 'recent'));
    t.false(isUnreadable(error));
    t.regex(error.message, /"a\/bad" is not a stored object/);
    t.deepEqual(
      (await reader.list({freshness: 'recent'})).items.map(({key}) => key),
      ['a/good'],
    );
  }
});
