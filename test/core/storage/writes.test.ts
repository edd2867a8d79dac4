import test from 'ava';
import {StoreError} from '../../../sdk/index.js';
import {InterceptedStore, memoryStore, startStorage, widget, widgets} from './support.js';

test('[A-RV-2] [A-RV-3] every write gives an object another version, and only that object', async (t) => {
  const type = widgets(await startStorage(t, await memoryStore(t)));
  const x = await type.create(widget('a', 'x'), 'a', 'x');
  const y = await type.create(widget('a', 'y'), 'a', 'y');
  const changed = await type.update(widget('a', 'x', {data: 1}), x, 'a', 'x');
  t.true(x.revision < y.revision && y.revision < changed.revision);
  t.is((await type.get('a', 'y', 'recent'))?.revision, y.revision);
  t.is(changed.object().metadata.resourceVersion, String(changed.revision));
});

test('a write that does not find what it expects fails with the code of the store', async (t) => {
  const type = widgets(await startStorage(t, await memoryStore(t)));
  const x = await type.create(widget('a', 'x'), 'a', 'x');
  const code = async (write: () => Promise<unknown>) => {
    const error = await t.throwsAsync(write);
    return StoreError.is(error) ? error.code : error;
  };
  t.is(await code(() => type.create(widget('a', 'x'), 'a', 'x')), 'Exists');
  t.is(await code(() => type.update(widget('a', 'x'), x.revision + 1, 'a', 'x')), 'Mismatch');
  t.is(await code(() => type.update(widget('a', 'y'), 1, 'a', 'y')), 'Missing');
  t.is(await code(() => type.delete('a', 'x', x.revision + 1)), 'Mismatch');
  t.is(await code(() => type.delete('a', 'y', 1)), 'Missing');
  t.is(await code(() => type.delete('a', 'y', 0)), 'Missing');
  t.is((await type.get('a', 'x', 'recent'))?.revision, x.revision);
});

test('a conflict comes with the record that is there', async (t) => {
  const type = widgets(await startStorage(t, await memoryStore(t)));
  const x = await type.create(widget('a', 'x', {data: 'kept'}), 'a', 'x');
  const error = await t.throwsAsync(() => type.create(widget('a', 'x'), 'a', 'x'));
  t.is((error as StoreError).current?.revision, x.revision);
});

test('a deletion answers its own revision', async (t) => {
  const type = widgets(await startStorage(t, await memoryStore(t)));
  const x = await type.create(widget('a', 'x'), 'a', 'x');
  const {revision} = await type.delete('a', 'x', x.revision);
  t.true(revision > x.revision);
  t.is(await type.get('a', 'x', 'recent'), undefined);
});

test('an entry is made once whether the log or the answer comes first', async (t) => {
  const store = new InterceptedStore(await memoryStore(t));
  const type = widgets(await startStorage(t, store));
  await type.get('a', 'x', 'any');
  const object = widget('a', 'x');
  const logFirst = await type.create(object, 'a', 'x');
  t.is(await type.get('a', 'x', 'any'), logFirst);
  t.is(logFirst.object(), object, 'nothing was parsed');
  store.holding = true;
  const answerFirst = await type.update(widget('a', 'x', {data: 1}), logFirst, 'a', 'x');
  t.is(await type.get('a', 'x', 'any'), logFirst);
  store.release();
  t.is(await type.get('a', 'x', 'any'), answerFirst);
});

test('a writer that loses against an identical write of another server gets its own failure and shares nothing', async (t) => {
  const store = await memoryStore(t);
  const clock = () => 1_700_000_000_000;
  const one = widgets(await startStorage(t, store, {clock}));
  const two = widgets(await startStorage(t, store, {clock}));
  await Promise.all([one.get('a', 'x', 'any'), two.get('a', 'x', 'any')]);
  const results = await Promise.allSettled([one, two].map((type) => type.create(widget('a', 'x'), 'a', 'x')));
  t.deepEqual(results.map(({status}) => status).sort(), ['fulfilled', 'rejected']);
  const [first, second] = await Promise.all([one.get('a', 'x', 'recent'), two.get('a', 'x', 'recent')]);
  t.deepEqual(first?.object(), second?.object());
});

test('a change by another server that comes while a write of the same object is under way is not taken for that write', async (t) => {
  const inner = await memoryStore(t);
  const store = new InterceptedStore(inner);
  const one = widgets(await startStorage(t, inner));
  const two = widgets(await startStorage(t, store));
  const first = await one.create(widget('a', 'x'), 'a', 'x');
  await two.get('a', 'x', 'recent');
  const gate = Promise.withResolvers<void>();
  store.gates.set('commit', gate.promise);
  const late = two.update(widget('a', 'x', {data: 'two'}), first, 'a', 'x');
  const changed = await one.update(widget('a', 'x', {data: 'one'}), first, 'a', 'x');
  t.deepEqual((await two.get('a', 'x', {atLeast: changed.revision}))?.object(), changed.object());
  gate.resolve();
  const error = await t.throwsAsync(late);
  t.true(StoreError.is(error) && error.code === 'Mismatch');
  t.deepEqual((await two.get('a', 'x', 'recent'))?.object().spec, {data: 'one'});
});

test('of many writers of one object each success builds on the one before', async (t) => {
  const type = widgets(await startStorage(t, await memoryStore(t)));
  await type.create(widget('a', 'x', {data: 0}), 'a', 'x');
  const increment = async () => {
    for (;;) {
      const current = (await type.get('a', 'x', 'recent'))!;
      const {data} = current.object().spec as {data: number};
      try {
        await type.update(widget('a', 'x', {data: data + 1}), current, 'a', 'x');
        return;
      } catch (error) {
        if (!StoreError.is(error) || error.code !== 'Mismatch') throw error;
      }
    }
  };
  await Promise.all(Array.from({length: 16}, () => increment()));
  t.deepEqual((await type.get('a', 'x', 'recent'))?.object().spec, {data: 16});
});
