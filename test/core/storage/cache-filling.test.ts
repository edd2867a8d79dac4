import test from 'ava';
import {EmbeddedStoreProvider} from '../../../plugins/stores/embedded/embedded-store-provider.js';
import {ownProcess} from '../../../core/cli/idle-memory.js';
import {Storage} from '../../../core/storage/storage.js';
import {tempFolder} from '../../helpers/temp-folder.js';
import {historyMillis, put, RecordingLogger, startStorage, widgets} from './support.js';

test('what a cache was filled from is let go of', async (t) => {
  const dataDir = tempFolder(t);
  const logger = new RecordingLogger();
  const open = () => new EmbeddedStoreProvider(logger).open({url: 'embedded', dataDir, historyMillis}, new AbortController().signal);
  const names = Array.from({length: 400}, (_, index) => `a/x${String(index).padStart(3, '0')}`);
  const first = await open();
  const writer = new Storage(first, {historyMillis, logger});
  await writer.start();
  await Promise.all(names.map((key) => put(widgets(writer), key, {data: key})));
  await writer.stop();
  await first.close();

  const store = await open();
  t.teardown(() => store.close());
  const read: WeakRef<object>[] = [];
  const {history} = store;
  store.history = async (type) => {
    const answer = await history.call(store, type);
    for (const entry of answer.entries) read.push(new WeakRef(entry));
    return answer;
  };
  const type = widgets(await startStorage(t, store));
  t.is((await type.list({freshness: 'recent'})).items.length, names.length);
  // A weak reference keeps its object until the turn that made it is over.
  await new Promise(setImmediate);
  ownProcess().collect();
  t.true(read.length >= names.length);
  t.is(read.filter((reference) => reference.deref() !== undefined).length, 0);
  t.is((await type.list({freshness: 'recent'})).items.length, names.length);
});
