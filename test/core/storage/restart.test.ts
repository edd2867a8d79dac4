import test from 'ava';
import {EmbeddedStoreProvider} from '../../../plugins/stores/embedded/embedded-store-provider.js';
import {Storage} from '../../../core/storage/storage.js';
import {tempFolder} from '../../helpers/temp-folder.js';
import {historyMillis, RecordingLogger, startStorage, watch, widget, widgets} from './support.js';

test('[A-WATCH-3] [B-ADM-32] [B-LIM-1] after a restart on the same disk watches resume and tokens are served from any version of the history', async (t) => {
  const dataDir = tempFolder(t);
  const open = () =>
    new EmbeddedStoreProvider(new RecordingLogger()).open({url: 'embedded', dataDir, historyMillis}, new AbortController().signal);
  const store = await open();
  const storage = new Storage(store, {historyMillis, logger: new RecordingLogger()});
  await storage.start();
  const type = widgets(storage);
  const x = await type.create(widget('a', 'x', {data: 1}), 'a', 'x');
  const y = await type.create(widget('a', 'y'), 'a', 'y');
  const page = await type.list({freshness: 'recent', limit: 1});
  const changed = await type.update(widget('a', 'x', {data: 2}), x, 'a', 'x');
  const {revision: removed} = await type.delete('a', 'y', y.revision);
  await storage.stop();
  await store.close();

  const reopened = await open();
  t.teardown(() => reopened.close());
  const again = widgets(await startStorage(t, reopened));
  const whole = [`ADDED a/y@${y.revision}`, `MODIFIED a/x@${changed.revision}`, `DELETED a/y@${removed}`];
  for (const [index, revision] of [x.revision, y.revision, changed.revision, removed].entries()) {
    t.deepEqual((await watch(t, again, {start: {kind: 'after', revision}})).sink.summary, whole.slice(index));
  }
  t.deepEqual(
    (await again.list({freshness: 'any', continueToken: page.continueToken!})).items.map(({bytes}) => bytes.toString()),
    [y.bytes.toString()],
  );
  t.deepEqual(
    (await again.list({freshness: {exact: x.revision}})).items.map(({bytes}) => bytes.toString()),
    [x.bytes.toString()],
  );
  t.deepEqual((await again.get('a', 'x', 'recent'))?.object(), changed.object());
});
