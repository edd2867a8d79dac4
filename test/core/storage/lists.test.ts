import test from 'ava';
import {StatusError} from '../../../sdk/index.js';
import {parseFieldSelector} from '../../../core/api/selectors/field-selector.js';
import {LabelSelector, parseLabelSelector} from '../../../core/api/selectors/label-selector.js';
import type {ListQuery, ListResult} from '../../../core/storage/read/list-query.js';
import type {TypeStorage} from '../../../core/storage/type-storage.js';
import {historyMillis, memoryStore, startStorage, TestClock, widget, widgets, told} from './support.js';

const names = ({items}: ListResult) => items.map(({key}) => key);

async function fill(type: TypeStorage, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    const [namespace, name] = key.split('/') as [string, string];
    await type.create(widget(namespace, name, {labels: {app: name}, node: `node-${name}`}), namespace, name);
  }
}

/** All chunks of a list; `between` runs after each. */
async function pages(
  type: TypeStorage,
  query: ListQuery,
  between: (chunk: ListResult) => Promise<unknown> = async () => undefined,
): Promise<ListResult[]> {
  const chunks: ListResult[] = [];
  for (let continueToken: string | undefined; ;) {
    const chunk = await type.list({...query, ...(continueToken ? {continueToken} : {})});
    chunks.push(chunk);
    await between(chunk);
    if (!chunk.continueToken) return chunks;
    ({continueToken} = chunk);
  }
}

test('[A-RVS-4] a list shows all objects in order of their keys, at the version of the cache', async (t) => {
  const type = widgets(await startStorage(t, await memoryStore(t)));
  await type.list({freshness: 'recent'});
  await fill(type, ['b/1', 'a/2', 'a-b/1', 'a/1']);
  const list = await type.list({freshness: 'recent'});
  t.deepEqual(names(list), ['a-b/1', 'a/1', 'a/2', 'b/1']);
  t.is(list.revision, Math.max(...list.items.map(({revision}) => revision)));
  t.false(type.list({freshness: 'recent'}) instanceof Promise);
});

test('the first page of a namespace says how many are left, whatever came and went since it was asked before', async (t) => {
  const type = widgets(await startStorage(t, await memoryStore(t)));
  await fill(type, ['a/1', 'a/2', 'a/3', 'a-b/1', 'b/1']);
  const left = async (namespace?: string) =>
    (await type.list({freshness: 'recent', limit: 1, ...(namespace === undefined ? {} : {namespace})})).remaining;
  t.deepEqual([await left('a'), await left(), await left('b')], [2, 4, undefined]);
  await fill(type, ['a/0', 'a/9', 'b/2']);
  t.deepEqual([await left('a'), await left(), await left('b')], [4, 7, 1]);
  const {items} = await type.list({freshness: 'recent', namespace: 'a'});
  await type.update(widget('a', '9', {node: 'other'}), items.at(-1)!, 'a', '9');
  for (const {name, revision} of items.slice(1, 4)) await type.delete('a', name, revision);
  t.deepEqual([await left('a'), await left()], [1, 4]);
});

test('selection by namespace, name, labels and fields narrows a list', async (t) => {
  const type = widgets(await startStorage(t, await memoryStore(t)));
  await fill(type, ['a/x', 'a/y', 'a-b/x', 'aa/x', 'b/x']);
  const listed = async (query: Partial<ListQuery>) => names(await type.list({freshness: 'recent', ...query}));
  const fieldSelector = (text: string) => parseFieldSelector(text);
  t.deepEqual(await listed({namespace: 'a'}), ['a/x', 'a/y']);
  t.deepEqual(await listed({namespace: 'a', name: 'y'}), ['a/y']);
  t.deepEqual(await listed({name: 'y'}), ['a/y']);
  t.deepEqual(await listed({namespace: 'a', name: 'z'}), []);
  t.deepEqual(await listed({labelSelector: parseLabelSelector('app=y')}), ['a/y']);
  t.deepEqual(await listed({labelSelector: parseLabelSelector('app!=x')}), ['a/y']);
  t.deepEqual(await listed({labelSelector: LabelSelector.nothing}), []);
  t.deepEqual(await listed({fieldSelector: fieldSelector('metadata.name=x')}), ['a-b/x', 'a/x', 'aa/x', 'b/x']);
  t.deepEqual(await listed({fieldSelector: fieldSelector('metadata.name=x,metadata.namespace=b')}), ['b/x']);
  t.deepEqual(await listed({fieldSelector: fieldSelector('metadata.namespace!=a'), namespace: 'a'}), []);
  t.deepEqual(await listed({fieldSelector: fieldSelector('metadata.namespace=b'), namespace: 'a'}), []);
  t.deepEqual(await listed({fieldSelector: fieldSelector('metadata.name=')}), []);
  t.deepEqual(await listed({fieldSelector: fieldSelector('spec.node=node-y')}), ['a/y']);
  t.deepEqual(await listed({fieldSelector: fieldSelector('spec.node!=node-x'), labelSelector: parseLabelSelector('app')}), ['a/y']);
});

test('[A-CHUNK-1] [A-CHUNK-2] all chunks show one snapshot whatever is written between them', async (t) => {
  const type = widgets(await startStorage(t, await memoryStore(t)));
  await fill(type, ['a/1', 'a/2', 'a/3', 'a/4', 'a/5', 'a/6', 'a/7']);
  const before = await type.list({freshness: 'recent'});
  let written = 0;
  const chunks = await pages(type, {freshness: 'recent', limit: 2}, async () => {
    written++;
    await type.create(widget('a', `1-${written}`), 'a', `1-${written}`);
    const last = (await type.get('a', '7', 'recent'))!;
    if (written === 1) await type.update(widget('a', '7', {data: 'changed'}), last, 'a', '7');
    if (written === 2) await type.delete('a', '6', (await type.get('a', '6', 'recent'))!.revision);
  });
  t.deepEqual(
    chunks.flatMap(({items}) => items.map(({bytes}) => bytes.toString())),
    before.items.map(({bytes}) => bytes.toString()),
  );
  t.deepEqual(
    chunks.map(({revision}) => revision),
    Array(4).fill(before.revision),
  );
  t.deepEqual(
    chunks.map(({remaining}) => remaining),
    [5, 3, 1, undefined],
  );
});

test('what remains is counted within the namespace, and not with selectors', async (t) => {
  const type = widgets(await startStorage(t, await memoryStore(t)));
  await fill(type, ['a/1', 'b/1', 'b/2', 'b/3', 'c/1']);
  t.deepEqual(
    (await pages(type, {freshness: 'recent', limit: 1, namespace: 'b'})).map(({remaining}) => remaining),
    [2, 1, undefined],
  );
  const selected = await pages(type, {freshness: 'recent', limit: 2, labelSelector: parseLabelSelector('app')});
  t.deepEqual(
    selected.map(({remaining}) => remaining),
    [undefined, undefined, undefined],
  );
  t.deepEqual(selected.map(names), [['a/1', 'b/1'], ['b/2', 'b/3'], ['c/1']]);
});

test('[A-RVS-9] [A-RVS-14] [A-RVS-15] a list at an exact version shows the collection as it was', async (t) => {
  const type = widgets(await startStorage(t, await memoryStore(t)));
  await type.list({freshness: 'recent'});
  const states: ListResult[] = [await type.list({freshness: 'recent'})];
  const keep = async (write: Promise<unknown>) => {
    await write;
    states.push(await type.list({freshness: 'recent'}));
  };
  await keep(type.create(widget('a', 'x'), 'a', 'x'));
  await keep(type.create(widget('a', 'y'), 'a', 'y'));
  await keep(type.update(widget('a', 'x', {data: 1}), states.at(-1)!.items[0]!, 'a', 'x'));
  await keep(type.delete('a', 'y', states.at(-1)!.items[1]!.revision));
  for (const state of [...states.slice(1), ...states.slice(1).reverse()]) {
    const {revision} = state;
    t.deepEqual(await type.list({freshness: {exact: revision}}), state);
    const chunks = await pages(type, {freshness: {exact: revision}, limit: 1});
    t.deepEqual(
      chunks.flatMap(({items}) => items),
      state.items,
    );
    t.true(chunks.every((chunk) => chunk.revision === revision));
  }
});

test('the revision of a list covers writes to other types', async (t) => {
  const storage = await startStorage(t, await memoryStore(t));
  const type = widgets(storage);
  const other = storage.type({type: 'others', namespaced: false, selectableFields: () => ({})});
  await type.list({freshness: 'recent'});
  const {revision} = await other.create(widget('', 'o'), '', 'o');
  t.is((await type.list({freshness: 'recent'})).revision, revision);
  t.deepEqual(await type.list({freshness: {exact: revision}}), {revision, items: []});
});

test('[A-RVS-10] [A-RVS-11] a token made by one server is served by another one, also by one that has just started', async (t) => {
  const store = await memoryStore(t);
  const first = widgets(await startStorage(t, store));
  await fill(first, ['a/1', 'a/2', 'a/3', 'a/4']);
  const chunk = await first.list({freshness: 'recent', limit: 2});
  await first.delete('a', '3', (await first.get('a', '3', 'recent'))!.revision);
  await first.create(widget('a', '2-new'), 'a', '2-new');
  const second = widgets(await startStorage(t, store));
  const rest = await second.list({freshness: 'any', limit: 2, continueToken: chunk.continueToken!});
  t.deepEqual(names(rest), ['a/3', 'a/4']);
  t.is(rest.revision, chunk.revision);
  t.is(rest.continueToken, undefined);
});

test('[A-RVS-21] an exact version older than the history is a 410', async (t) => {
  const clock = new TestClock();
  const storage = await startStorage(t, await memoryStore(t), {clock: clock.now});
  const type = widgets(storage);
  await type.list({freshness: 'recent'});
  const x = await type.create(widget('a', 'x'), 'a', 'x');
  const y = await type.create(widget('a', 'y'), 'a', 'y');
  t.is((await type.list({freshness: {exact: x.revision}})).items.length, 1);
  clock.advance(historyMillis + 1000);
  storage.tick();
  const error = told(await t.throwsAsync(async () => type.list({freshness: {exact: x.revision}})));
  t.true(StatusError.is(error) && error.code === 410 && error.reason === 'Expired', String(error));
  t.is((await type.list({freshness: {exact: y.revision}})).items.length, 2, 'nothing has changed since that one');
});

test('[A-CHUNK-3] [A-CHUNK-4] an expired token is a 410 that offers to go on with the current state', async (t) => {
  const clock = new TestClock();
  const type = widgets(await startStorage(t, await memoryStore(t), {clock: clock.now}));
  await fill(type, ['a/1', 'a/2', 'a/3', 'a/4']);
  const chunk = await type.list({freshness: 'recent', limit: 2});
  clock.advance(historyMillis - 1000);
  t.deepEqual(names(await type.list({freshness: 'any', limit: 2, continueToken: chunk.continueToken!})), ['a/3', 'a/4']);
  clock.advance(2000);
  await fill(type, ['a/2-new']);
  const error = told(await t.throwsAsync(async () => type.list({freshness: 'any', limit: 2, continueToken: chunk.continueToken!})));
  if (!StatusError.is(error)) return t.fail(String(error));
  t.is(error.code, 410);
  t.is(error.reason, 'Expired');
  t.true(error.message.startsWith('The provided continue parameter is too old to display a consistent list result.'));
  const rest = await pages(type, {freshness: 'any', limit: 2, continueToken: error.toStatus().metadata.continue});
  t.deepEqual(names(rest[0]!), ['a/2-new', 'a/3']);
  t.is(rest[0]!.remaining, 1, 'what is still to come is counted from there on');
  t.true(rest[0]!.revision > chunk.revision);
});

test('a token whose time was moved into the future expires as it would have without', async (t) => {
  const type = widgets(await startStorage(t, await memoryStore(t)));
  await fill(type, ['a/1', 'a/2', 'a/3']);
  const chunk = await type.list({freshness: 'recent', limit: 1});
  const position = JSON.parse(Buffer.from(chunk.continueToken!, 'base64url').toString()) as object;
  const continueToken = Buffer.from(JSON.stringify({...position, t: 8e15})).toString('base64url');
  const next = await type.list({freshness: 'any', limit: 1, continueToken});
  t.deepEqual(names(next), ['a/2']);
  // The next chunk's token begins where this one was used, not in the future.
  const {t: since} = JSON.parse(Buffer.from(next.continueToken!, 'base64url').toString()) as {t: number};
  t.true(since < 8e15);
});

test('a token is refused for anything but the list that it came from', async (t) => {
  const storage = await startStorage(t, await memoryStore(t));
  const type = widgets(storage);
  await fill(type, ['a/1', 'a/2', 'b/1']);
  const {continueToken} = await type.list({freshness: 'recent', limit: 1, namespace: 'a'});
  const other = storage.type({type: 'others', namespaced: true, selectableFields: () => ({})});
  const forged = Buffer.from(JSON.stringify({v: 1, rv: 'x', k: 'a', t: 0, s: ''})).toString('base64url');
  const attempts: [TypeStorage, Partial<ListQuery>][] = [
    [type, {continueToken}],
    [type, {continueToken, namespace: 'b'}],
    [type, {continueToken, namespace: 'a', labelSelector: parseLabelSelector('app=1')}],
    [other, {continueToken, namespace: 'a'}],
    ...['x', '%%%', Buffer.from('null').toString('base64url'), Buffer.from('[]').toString('base64url'), forged].map(
      (token): [TypeStorage, Partial<ListQuery>] => [type, {continueToken: token}],
    ),
  ];
  for (const [target, query] of attempts) {
    const error = told(await t.throwsAsync(async () => target.list({freshness: 'any', limit: 1, ...query})));
    t.true(
      StatusError.is(error) &&
        error.code === 400 &&
        error.reason === 'BadRequest' &&
        /^(?:invalid continue token: )?continue key is not valid/.test(error.message),
      String(error),
    );
  }
  t.deepEqual(names(await type.list({freshness: 'any', limit: 5, namespace: 'a', continueToken: continueToken!})), ['a/2']);
});

test('pages at many versions are served although only a few snapshots are kept', async (t) => {
  const storage = await startStorage(t, await memoryStore(t), {maximumSnapshots: 2});
  const type = widgets(storage);
  await fill(type, ['a/1', 'a/2', 'a/3']);
  const first: ListResult[] = [];
  for (let round = 0; round < 6; round++) {
    first.push(await type.list({freshness: 'recent', limit: 1}));
    await type.update(widget('a', '3', {data: round}), (await type.get('a', '3', 'recent'))!, 'a', '3');
  }
  t.is(storage.health().types[0]!.snapshots, 2);
  for (const [round, {continueToken, revision}] of first.entries()) {
    const rest = await type.list({freshness: 'any', continueToken: continueToken!});
    t.is(rest.revision, revision);
    t.deepEqual(rest.items[1]!.object().spec, round === 0 ? {node: 'node-3'} : {data: round - 1});
  }
});

test('a history that exceeds its bound in events or bytes is cut, and what was cut is a 410', async (t) => {
  for (const bounds of [{maximumEvents: 3}, {maximumEventBytes: 2000}]) {
    const storage = await startStorage(t, await memoryStore(t), bounds);
    const type = widgets(storage);
    await type.list({freshness: 'recent'});
    const revisions: number[] = [];
    for (let index = 0; index < 8; index++)
      revisions.push((await type.create(widget('a', `x${index}`, {data: 'd'.repeat(300)}), 'a', `x${index}`)).revision);
    const {events, eventBytes} = storage.health().types[0]!;
    t.true(events === 3 && eventBytes < 2500, JSON.stringify({events, eventBytes}));
    t.is((await type.list({freshness: {exact: revisions.at(-3)!}})).items.length, 6);
    const error = told(await t.throwsAsync(async () => type.list({freshness: {exact: revisions[0]!}})));
    t.true(StatusError.is(error) && error.code === 410);
  }
});

test('the histories of all types share a bound: the longest are cut, and short ones stay whole', async (t) => {
  const storage = await startStorage(t, await memoryStore(t), {maximumHistoryBytes: 6000});
  const [long, short] = [widgets(storage), widgets(storage, {type: 'short.example.com'})];
  for (const type of [long, short]) await type.list({freshness: 'recent'});
  const write = (type: TypeStorage, name: string) => type.create(widget('a', name, {data: 'd'.repeat(300)}), 'a', name);
  const first = await write(short, 'first');
  await write(short, 'second');
  const cut = await write(long, 'x');
  for (let index = 0; index < 40; index++) await write(long, `x${index}`);
  const held = storage.health().types.map(({events, eventBytes}) => ({events, eventBytes}));
  t.true(held.reduce((sum, {eventBytes}) => sum + eventBytes, 0) <= 6000, JSON.stringify(held));
  t.is((await short.list({freshness: {exact: first.revision}})).items.length, 1);
  const error = told(await t.throwsAsync(async () => long.list({freshness: {exact: cut.revision}})));
  t.true(StatusError.is(error) && error.code === 410);
  // What a type held is free once it is gone.
  storage.remove('widgets.example.com');
  for (let index = 0; index < 5; index++) await write(short, `y${index}`);
  t.is((await short.list({freshness: {exact: first.revision}})).items.length, 1);
});

test('a label index answers as a scan does while objects change', async (t) => {
  const type = widgets(await startStorage(t, await memoryStore(t)));
  const labelsOf = (index: number) => ({app: `app-${index % 5}`, tier: index % 2 ? 'front' : 'back'});
  for (let index = 0; index < 400; index++) {
    const namespace = index % 3 ? 'a' : 'b';
    await type.create(widget(namespace, `x${index}`, {labels: labelsOf(index)}), namespace, `x${index}`);
  }
  const compare = async () => {
    const all = await type.list({freshness: 'recent'});
    for (const text of ['app=app-1', 'app=app-1,tier=front', 'tier in (back)', 'app=app-9', 'app==app-2,tier!=front', 'other=x']) {
      const labelSelector = parseLabelSelector(text);
      for (const namespace of [undefined, 'a']) {
        const expected = all.items.filter((item) => labelSelector.matches(item.labels()) && (!namespace || item.namespace === namespace));
        const query = {freshness: 'recent' as const, labelSelector, ...(namespace ? {namespace} : {})};
        t.deepEqual(
          names(await type.list(query)),
          expected.map(({key}) => key),
          text,
        );
        t.deepEqual(
          (await pages(type, {...query, limit: 7})).flatMap(names),
          expected.map(({key}) => key),
          text,
        );
      }
    }
  };
  await compare();
  for (const key of ['a/x1', 'a/x2', 'b/x3', 'b/x6']) {
    const [namespace, name] = key.split('/') as [string, string];
    const current = (await type.get(namespace, name, 'recent'))!;
    if (name === 'x6') await type.delete(namespace, name, current.revision);
    else await type.update(widget(namespace, name, name === 'x3' ? {} : {labels: {app: 'app-9'}}), current, namespace, name);
  }
  await type.create(widget('a', 'x3', {labels: {app: 'app-1'}}), 'a', 'x3');
  await compare();
});

test('selectable fields follow a change of the type', async (t) => {
  const storage = await startStorage(t, await memoryStore(t));
  const type = widgets(storage);
  await fill(type, ['a/x']);
  const fieldSelector = parseFieldSelector('spec.node=other');
  t.deepEqual(names(await type.list({freshness: 'recent', fieldSelector})), []);
  t.is(storage.type({type: 'widgets.example.com', namespaced: true, selectableFields: () => ({'spec.node': 'other'})}), type);
  t.deepEqual(names(await type.list({freshness: 'recent', fieldSelector})), ['a/x']);
});
