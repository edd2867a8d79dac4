import {testOnEachStore} from '../helpers/each-store.js';
import {answer, assertFailure} from './answers.js';
import {configMap, namesOf, widget, widgetsVersion, withFixtures, type ReadList, type ReadObject} from './fixtures.js';

const eachStore = testOnEachStore(withFixtures);

eachStore('deletecollection answers 200 with a Status, with and without a body [A-OPS-11] [A-OPS-10]', async (t, {client, path}) => {
  const collection = path('configmaps');
  for (const body of [undefined, {}, {kind: 'DeleteOptions', apiVersion: 'v1'}]) {
    for (const name of ['a', 'b']) await client.post(collection, configMap(name));
    const status = answer(t, await client.delete(collection, body === undefined ? {} : {body}), 200);
    t.deepEqual(status, {kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details: {kind: 'configmaps'}, code: 200});
    t.deepEqual(namesOf(answer<ReadList>(t, await client.get(collection), 200)), []);
  }
  answer(t, await client.delete(collection), 200);
});

eachStore('selectors narrow what deletecollection deletes [A-QP-19] [A-QP-22]', async (t, {client, path}) => {
  const collection = path('widgets', widgetsVersion);
  for (const [name, size, colour] of [
    ['a', 'small', 'red'],
    ['b', 'large', 'red'],
    ['c', 'small', 'blue'],
    ['d', 'large', 'blue'],
  ] as const) {
    await client.post(collection, widget(name, {size}, {labels: {colour}}));
  }
  const names = async () => namesOf(answer<ReadList>(t, await client.get(collection), 200)).join('');
  answer(t, await client.delete(`${collection}?labelSelector=colour%3Dred&fieldSelector=spec.size%3Dlarge`), 200);
  t.is(await names(), 'acd');
  answer(t, await client.delete(`${collection}?fieldSelector=spec.size%3Dsmall,metadata.name!%3Dc`), 200);
  t.is(await names(), 'cd');
  answer(t, await client.delete(`${collection}?labelSelector=colour%20in%20(green)`), 200);
  t.is(await names(), 'cd');
  for (const bad of ['labelSelector=a%20in', 'fieldSelector=spec.colour%3Dx', 'fieldSelector=x']) {
    assertFailure(t, await client.delete(`${collection}?${bad}`), 400, 'BadRequest');
  }
  t.is(await names(), 'cd');
  answer(t, await client.delete(`${collection}?fieldSelector=metadata.name%3Dd`), 200);
  t.is(await names(), 'c');
});

eachStore(
  'a limit bounds how many objects one request deletes, and the token of its answer goes on behind them [A-QP-9] [A-QP-10]',
  async (t, {client, path}) => {
    const collection = path('configmaps');
    for (const name of ['a', 'b', 'c', 'd', 'e']) await client.post(collection, configMap(name, {}, {finalizers: ['example.com/hold']}));
    const marked = async () =>
      answer<ReadList>(t, await client.get(collection), 200)
        .items.filter(({metadata}) => metadata.deletionTimestamp)
        .map(({metadata}) => metadata.name)
        .join('');
    let token = '';
    for (const expected of ['ab', 'abcd', 'abcde']) {
      const {metadata} = answer<{metadata: ReadList['metadata']}>(
        t,
        await client.delete(`${collection}?limit=2${token && `&continue=${token}`}`),
        200,
      );
      t.is(await marked(), expected);
      t.is(metadata.remainingItemCount, expected.length === 5 ? undefined : 5 - expected.length);
      token = metadata.continue ?? '';
      t.is(token === '', expected.length === 5);
    }
    const listed = answer<ReadList>(t, await client.get(`${collection}?limit=4`), 200).metadata.continue!;
    for (const name of ['a', 'b', 'c', 'd', 'e']) await client.patch(`${collection}/${name}`, {metadata: {finalizers: null}});
    for (const name of ['d', 'e', 'f']) await client.post(collection, configMap(name));
    // The token of a list serves as well: what that list would have shown next is deleted.
    answer(t, await client.delete(`${collection}?continue=${listed}`), 200);
    t.deepEqual(namesOf(answer<ReadList>(t, await client.get(collection), 200)), ['d', 'f']);
    assertFailure(t, await client.delete(`${collection}?continue=nonsense`), 400, 'BadRequest', /continue/);
  },
);

eachStore('the version parameters of lists hold for deletecollection too', async (t, {client, path}) => {
  const collection = path('configmaps');
  await client.post(collection, configMap('a'));
  const then = answer<ReadList>(t, await client.get(collection), 200).metadata.resourceVersion;
  await client.post(collection, configMap('b'));
  answer(t, await client.delete(`${collection}?resourceVersion=${then}&resourceVersionMatch=Exact`), 200);
  t.deepEqual(namesOf(answer<ReadList>(t, await client.get(collection), 200)), ['b']);
  assertFailure(t, await client.delete(`${collection}?resourceVersionMatch=Exact`), 422, 'Invalid', /resourceVersionMatch/);
  assertFailure(t, await client.delete(`${collection}?resourceVersion=${BigInt(then) + 1_000_000n}&timeoutSeconds=1`), 504, 'Timeout');
  answer(t, await client.delete(`${collection}?resourceVersion=${then}&resourceVersionMatch=NotOlderThan&timeoutSeconds=5`), 200);
  t.deepEqual(namesOf(answer<ReadList>(t, await client.get(collection), 200)), []);
});

eachStore('objects with finalizers are marked, the others removed; a refusal by admission ends the work', async (t, {client, path}) => {
  const collection = path('configmaps');
  await client.post(collection, configMap('held', {}, {finalizers: ['example.com/hold']}));
  await client.post(collection, configMap('plain'));
  answer(t, await client.delete(collection), 200);
  const {items} = answer<ReadList>(t, await client.get(collection), 200);
  t.deepEqual(
    items.map(({metadata}) => [metadata.name, Boolean(metadata.deletionTimestamp)]),
    [['held', true]],
  );
  await client.patch(`${collection}/held`, {metadata: {finalizers: null}});
  await client.post(collection, configMap('guarded', {}, {annotations: {'test/refuse': 'DELETE'}}));
  assertFailure(t, await client.delete(collection), 403, 'Forbidden', /the test wants it so/);
  t.is(answer<ReadObject>(t, await client.get(`${collection}/guarded`), 200).metadata.deletionTimestamp, undefined);
});

eachStore('a large collection is deleted whole, also when others delete from it at the same time', async (t, {client, path}) => {
  const collection = path('configmaps');
  await Promise.all(Array.from({length: 120}, (_, index) => client.post(collection, configMap(`n-${index}`))));
  const [first, second, ...singles] = await Promise.all([
    client.delete(collection),
    client.delete(collection),
    ...Array.from({length: 10}, (_, index) => client.delete(`${collection}/n-${index * 7}`)),
  ]);
  t.deepEqual([first!.status, second!.status], [200, 200]);
  t.true(singles.every(({status}) => status === 200 || status === 404));
  t.deepEqual(namesOf(answer<ReadList>(t, await client.get(collection), 200)), []);
});
