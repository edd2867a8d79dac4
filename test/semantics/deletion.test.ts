import {testOnEachStore} from '../helpers/each-store.js';
import {answer, assertFailure, type Failure} from './answers.js';
import {configMap, namesOf, semanticsVersion, withFixtures, type ReadList, type ReadObject} from './fixtures.js';

const eachStore = testOnEachStore(withFixtures);
const hold = (...names: string[]) => ({finalizers: names.map((name) => `example.com/${name}`)});

eachStore(
  'a deletion that takes effect at once answers 200 with a Status that names the object [A-OPS-8] [A-OPS-9]',
  async (t, {client, path}) => {
    const made = answer<ReadObject>(t, await client.post(path('configmaps'), configMap('one')), 201);
    t.deepEqual(answer(t, await client.delete(`${path('configmaps')}/one`), 200), {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: {name: 'one', kind: 'configmaps', uid: made.metadata.uid},
    });
    const leases = path('leases', 'coordination.orch/v1');
    await client.post(leases, {metadata: {name: 'one'}});
    t.is(answer<Failure>(t, await client.delete(`${leases}/one`), 200).details?.group, 'coordination.orch');
  },
);

eachStore('types may answer with the object instead of a Status', async (t, {client, path}) => {
  const collection = path('vouchers', semanticsVersion);
  const made = answer<ReadObject>(t, await client.post(collection, {metadata: {name: 'one'}}), 201);
  t.deepEqual(answer<ReadObject>(t, await client.delete(`${collection}/one?propagationPolicy=Background`), 200), made);
  t.is((await client.get(`${collection}/one`)).status, 404);
});

eachStore(
  'with finalizers the first delete marks the object with the present time, and it stays to be read [A-FIN-1] [A-META-11]',
  async (t, {client, path}) => {
    const item = `${path('configmaps')}/one`;
    const made = answer<ReadObject>(t, await client.post(path('configmaps'), configMap('one', {a: '1'}, hold('a'))), 201);
    const before = Math.floor(Date.now() / 1000) * 1000;
    const marked = answer<ReadObject>(t, await client.delete(item), 200);
    const time = Date.parse(marked.metadata.deletionTimestamp!);
    t.true(time >= before && time <= Date.now());
    t.is(marked.metadata.deletionGracePeriodSeconds, 0);
    t.deepEqual(marked.data, made.data);
    t.deepEqual(answer<ReadObject>(t, await client.get(item), 200), marked);
    t.deepEqual(namesOf(answer<ReadList>(t, await client.get(path('configmaps')), 200)), ['one']);
    await client.patch(item, {metadata: {finalizers: null}});
  },
);

eachStore('a second delete changes nothing [A-META-12]', async (t, {client, path}) => {
  const item = `${path('configmaps')}/one`;
  await client.post(path('configmaps'), configMap('one', {}, hold('a')));
  const marked = answer<ReadObject>(t, await client.delete(item), 200);
  for (const query of ['', '?gracePeriodSeconds=0', '?gracePeriodSeconds=90'])
    t.deepEqual(answer<ReadObject>(t, await client.delete(item + query), 200), marked);
  answer(t, await client.delete(path('configmaps')), 200);
  t.deepEqual(answer<ReadObject>(t, await client.get(item), 200), marked);
  await client.patch(item, {metadata: {finalizers: null}});
});

eachStore(
  'a terminating object goes with its last finalizer, in whatever order and by whomever they are removed [A-FIN-2] [A-FIN-3] [A-FIN-5]',
  async (t, {client, path}) => {
    for (const [name, order] of [
      ['one', ['a', 'b']],
      ['two', ['b', 'a']],
    ] as const) {
      const item = `${path('configmaps')}/${name}`;
      await client.post(path('configmaps'), configMap(name, {}, hold('a', 'b')));
      await client.delete(item);
      const rest = hold(order[1]).finalizers;
      const one = answer<ReadObject>(t, await client.patch(item, {metadata: {finalizers: rest}}), 200);
      t.deepEqual(one.metadata.finalizers, rest);
      answer(t, await client.get(item), 200);
      const last = answer<ReadObject>(t, await client.put(item, configMap(name)), 200);
      t.is(last.metadata.finalizers, undefined);
      assertFailure(t, await client.get(item), 404, 'NotFound');
      t.deepEqual(namesOf(answer<ReadList>(t, await client.get(path('configmaps')), 200)), []);
    }
  },
);

eachStore('two actors that each remove their own finalizer at once leave nothing behind [A-FIN-5]', async (t, {client, path}) => {
  const item = `${path('configmaps')}/one`;
  await client.post(path('configmaps'), configMap('one', {}, hold('a', 'b')));
  await client.delete(item);
  const remove = async (name: string) => {
    for (;;) {
      const current = await client.get(item);
      if (current.status === 404) return;
      const {metadata} = current.json<ReadObject>();
      if (!metadata.finalizers?.includes(name)) return;
      const finalizers = metadata.finalizers.filter((other) => other !== name);
      const response = await client.patch(item, {metadata: {resourceVersion: metadata.resourceVersion, finalizers}});
      if (response.status !== 409) return;
    }
  };
  await Promise.all(hold('a', 'b').finalizers.map(remove));
  assertFailure(t, await client.get(item), 404, 'NotFound');
});

eachStore('removing the last finalizer of a live object does not delete it [A-FIN-4]', async (t, {client, path}) => {
  const item = `${path('configmaps')}/one`;
  await client.post(path('configmaps'), configMap('one', {a: '1'}, hold('a')));
  const freed = answer<ReadObject>(t, await client.patch(item, {metadata: {finalizers: []}}), 200);
  t.is(freed.metadata.finalizers, undefined);
  t.deepEqual(answer<ReadObject>(t, await client.get(item), 200), freed);
});

eachStore('a terminating object takes changes, but no new finalizer and no new life', async (t, {client, path}) => {
  const item = `${path('configmaps')}/one`;
  await client.post(path('configmaps'), configMap('one', {}, hold('a', 'b')));
  const marked = answer<ReadObject>(t, await client.delete(item), 200);
  t.deepEqual(
    answer<ReadObject>(t, await client.patch(item, {data: {a: '1'}, metadata: {finalizers: hold('b', 'a').finalizers}}), 200).data,
    {a: '1'},
  );
  for (const metadata of [hold('a', 'b', 'c'), hold('c')]) {
    assertFailure(t, await client.patch(item, {metadata}), 422, 'Invalid', /no new finalizers can be added if the object is being deleted/);
  }
  const revived = answer<ReadObject>(t, await client.put(item, configMap('one', {a: '2'}, hold('a'))), 200);
  t.is(revived.metadata.deletionTimestamp, marked.metadata.deletionTimestamp);
  assertFailure(t, await client.post(path('configmaps'), configMap('one')), 409, 'AlreadyExists');
  await client.patch(item, {metadata: {finalizers: null}});
});

eachStore(
  'options of a deletion come as parameters or in the body, and the body may be absent [A-OPS-10] [A-OPS-12]',
  async (t, {client, path}) => {
    const collection = path('configmaps');
    const options = (more: object) => ({body: {kind: 'DeleteOptions', apiVersion: 'v1', ...more}});
    for (const [name, body] of [
      ['a', undefined],
      ['b', {}],
      ['c', options({}).body],
      ['d', {apiVersion: 'meta.orch/v1', kind: 'DeleteOptions', gracePeriodSeconds: 0}],
    ] as const) {
      await client.post(collection, configMap(name));
      answer(t, await client.delete(`${collection}/${name}`, body === undefined ? {} : {body}), 200);
      t.is((await client.get(`${collection}/${name}`)).status, 404);
    }
    await client.post(collection, configMap('e'));
    const yaml = await client.delete(`${collection}/e`, {body: 'dryRun: [All]\n', headers: {'content-type': 'application/yaml'}});
    answer(t, yaml, 200);
    for (const [query, body] of [
      ['?dryRun=All', {}],
      ['', {dryRun: ['All']}],
    ] as const) {
      answer(t, await client.delete(`${collection}/e${query}`, {body}), 200);
      answer(t, await client.delete(collection + query, {body}), 200);
    }
    for (const bad of [
      '[]',
      '"x"',
      '{"kind":"ConfigMap"}',
      '{"gracePeriodSeconds":"1"}',
      '{"preconditions":[]}',
      '{"propagationPolicy":1}',
      '{"dryRun":"All"}',
      '{',
      '{"orphanDependents":"yes"}',
    ]) {
      assertFailure(t, await client.delete(`${collection}/e`, {body: bad}), 400, 'BadRequest');
      assertFailure(t, await client.delete(collection, {body: bad}), 400, 'BadRequest');
    }
    assertFailure(t, await client.delete(`${collection}/e?gracePeriodSeconds=soon`), 400, 'BadRequest', /parsing "soon"/);
    answer(t, await client.get(`${collection}/e`), 200);
  },
);

eachStore(
  'gracePeriodSeconds, as a parameter or in the body, says how long an object of a type with a grace period has [A-QP-23] [A-OPS-12]',
  async (t, {client, path}) => {
    const collection = path('jobs', semanticsVersion);
    for (const name of ['a', 'b', 'c', 'd', 'e']) await client.post(collection, {metadata: {name}});
    const now = Date.now();
    const grace = async (response: ReturnType<typeof client.delete>): Promise<number> => {
      const {metadata} = answer<ReadObject>(t, await response, 200);
      const seconds = (Date.parse(metadata.deletionTimestamp!) - now) / 1000;
      t.true(Math.abs(seconds - metadata.deletionGracePeriodSeconds!) < 3, `${seconds} s`);
      return metadata.deletionGracePeriodSeconds!;
    };
    t.is(await grace(client.delete(`${collection}/a`)), 30);
    t.is(await grace(client.delete(`${collection}/b?gracePeriodSeconds=100`)), 100);
    t.is(await grace(client.delete(`${collection}/c`, {body: {gracePeriodSeconds: 200}})), 200);
    // A second deletion may shorten the time, not lengthen it.
    t.is(await grace(client.delete(`${collection}/b?gracePeriodSeconds=60`)), 60);
    t.is(await grace(client.delete(`${collection}/b?gracePeriodSeconds=90`)), 60);
    t.is(answer<{kind: string}>(t, await client.delete(`${collection}/a?gracePeriodSeconds=0`), 200).kind, 'Status');
    t.is((await client.get(`${collection}/a`)).status, 404);
    answer(t, await client.delete(`${collection}?gracePeriodSeconds=300&fieldSelector=metadata.name%3Dd`), 200);
    t.is(answer<ReadObject>(t, await client.get(`${collection}/d`), 200).metadata.deletionGracePeriodSeconds, 300);
    answer(t, await client.delete(collection, {body: {gracePeriodSeconds: 0}}), 200);
    t.deepEqual(namesOf(answer<ReadList>(t, await client.get(collection), 200)), []);
  },
);

eachStore(
  'propagationPolicy decides about dependents: Orphan and Foreground make the object wait, Background does not [A-QP-24] [A-OPS-12]',
  async (t, {client, path}) => {
    const collection = path('configmaps');
    const cases: [string, object | undefined, string[] | undefined][] = [
      ['?propagationPolicy=Orphan', undefined, ['orphan']],
      ['?propagationPolicy=Foreground', undefined, ['foregroundDeletion']],
      ['?propagationPolicy=Background', undefined, undefined],
      ['', {propagationPolicy: 'Orphan'}, ['orphan']],
      ['', {propagationPolicy: 'Foreground'}, ['foregroundDeletion']],
      ['', {propagationPolicy: 'Background'}, undefined],
      ['?orphanDependents=true', undefined, ['orphan']],
      ['?orphanDependents=false', undefined, undefined],
      ['', {orphanDependents: true}, ['orphan']],
      ['', {orphanDependents: false}, undefined],
      ['', undefined, undefined],
    ];
    for (const [index, [query, body, finalizers]] of cases.entries()) {
      const item = `${collection}/c-${index}`;
      await client.post(collection, configMap(`c-${index}`));
      const response = await client.delete(item + query, body ? {body} : {});
      if (finalizers) {
        const {metadata} = answer<ReadObject>(t, response, 200);
        t.deepEqual(metadata.finalizers, finalizers);
        t.truthy(metadata.deletionTimestamp);
        await client.patch(item, {metadata: {finalizers: null}});
      }
      t.is((await client.get(item)).status, 404, `${query} ${JSON.stringify(body)}`);
    }
    await client.post(collection, configMap('all'));
    answer(t, await client.delete(`${collection}?propagationPolicy=Foreground`), 200);
    t.deepEqual(answer<ReadObject>(t, await client.get(`${collection}/all`), 200).metadata.finalizers, ['foregroundDeletion']);
    // Another policy takes the place of the one before.
    t.deepEqual(answer<ReadObject>(t, await client.delete(`${collection}/all?propagationPolicy=Orphan`), 200).metadata.finalizers, [
      'orphan',
    ]);
    t.is(answer<{kind: string}>(t, await client.delete(`${collection}/all?propagationPolicy=Background`), 200).kind, 'Status');
    await client.post(collection, configMap('two', {}, {finalizers: ['orphan', 'example.com/a']}));
    t.deepEqual(answer<ReadObject>(t, await client.delete(`${collection}/two?propagationPolicy=Foreground`), 200).metadata.finalizers, [
      'example.com/a',
      'foregroundDeletion',
    ]);
    await client.patch(`${collection}/two`, {metadata: {finalizers: null}});
    await client.post(collection, configMap('three'));
    assertFailure(t, await client.delete(`${collection}/three?propagationPolicy=Sideways`), 422, 'Invalid', /propagationPolicy/);
    assertFailure(
      t,
      await client.delete(`${collection}/three`, {body: {propagationPolicy: 'Orphan', orphanDependents: true}}),
      422,
      'Invalid',
      /cannot be both set/,
    );
    const vouchers = path('vouchers', semanticsVersion);
    await client.post(vouchers, {metadata: {name: 'one'}});
    t.deepEqual(answer<ReadObject>(t, await client.delete(`${vouchers}/one`), 200).metadata.finalizers, ['orphan']);
  },
);

eachStore('preconditions bind a deletion to a uid or a version', async (t, {client, path}) => {
  const item = `${path('configmaps')}/one`;
  const first = answer<ReadObject>(t, await client.post(path('configmaps'), configMap('one')), 201);
  const {metadata} = answer<ReadObject>(t, await client.patch(item, {data: {a: '1'}}), 200);
  for (const preconditions of [
    {uid: 'other'},
    {resourceVersion: first.metadata.resourceVersion},
    {uid: metadata.uid, resourceVersion: first.metadata.resourceVersion},
  ]) {
    assertFailure(t, await client.delete(item, {body: {preconditions}}), 409, 'Conflict', /in the precondition/);
    assertFailure(t, await client.delete(`${item}?dryRun=All`, {body: {preconditions}}), 409, 'Conflict', /in the precondition/);
  }
  answer(t, await client.delete(item, {body: {preconditions: {uid: metadata.uid, resourceVersion: metadata.resourceVersion}}}), 200);
  t.is((await client.get(item)).status, 404);
});

eachStore('of many deletions at once one succeeds and the others find nothing', async (t, {client, path}) => {
  const item = `${path('configmaps')}/one`;
  await client.post(path('configmaps'), configMap('one'));
  const codes = (await Promise.all(Array.from({length: 8}, () => client.delete(item)))).map(({status}) => status).sort();
  t.deepEqual(codes, [200, ...Array<number>(7).fill(404)]);
});
