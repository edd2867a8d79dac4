import {testOnEachStore} from '../helpers/each-store.js';
import {answer, assertFailure} from './answers.js';
import {configMap, gadget, gadgets, withFixtures, type ReadList, type ReadObject} from './fixtures.js';

const eachStore = testOnEachStore(withFixtures);

eachStore(
  'a resourceVersion is a text that goes back unchanged into updates, reads and watches [A-RV-1] [A-QP-11]',
  async (t, {client, path}) => {
    const collection = path('configmaps');
    const made = answer<ReadObject>(t, await client.post(collection, configMap('one')), 201);
    const version = made.metadata.resourceVersion;
    t.is(typeof version, 'string');
    t.deepEqual(answer<ReadObject>(t, await client.get(`${collection}/one?resourceVersion=${version}`), 200), made);
    t.true(answer<ReadList>(t, await client.get(`${collection}?resourceVersion=${version}`), 200).items.length === 1);
    const changed = answer<ReadObject>(
      t,
      await client.put(`${collection}/one`, configMap('one', {a: '1'}, {resourceVersion: version})),
      200,
    );
    const events = client.watch(`${collection}?watch=1&resourceVersion=${version}`);
    const {value} = await events.next();
    t.deepEqual(value, {type: 'MODIFIED', object: changed});
    await events.return(undefined);
    assertFailure(t, await client.delete(`${collection}?resourceVersion=x`), 400, 'BadRequest');
    answer(t, await client.delete(`${collection}?resourceVersion=${version}`), 200);
    t.is((await client.get(collection)).json<ReadList>().items.length, 0);
  },
);

eachStore('every change gives an object a version that it never had [A-RV-2]', async (t, {client, path}) => {
  const item = `${path('configmaps')}/one`;
  const versions = [answer<ReadObject>(t, await client.post(path('configmaps'), configMap('one')), 201).metadata.resourceVersion];
  for (let round = 0; round < 5; round++) {
    versions.push(answer<ReadObject>(t, await client.put(item, configMap('one', {round: String(round)})), 200).metadata.resourceVersion);
    versions.push(answer<ReadObject>(t, await client.patch(item, {data: {patched: String(round)}}), 200).metadata.resourceVersion);
  }
  await client.delete(item);
  versions.push(answer<ReadObject>(t, await client.post(path('configmaps'), configMap('one')), 201).metadata.resourceVersion);
  t.is(new Set(versions).size, versions.length);
  t.deepEqual(
    versions,
    [...versions].sort((a, b) => Number(BigInt(a) - BigInt(b))),
  );
});

eachStore('reading an object, or changing others, leaves its version [A-RV-3]', async (t, {client, path}) => {
  const collection = path('configmaps');
  const made = answer<ReadObject>(t, await client.post(collection, configMap('one')), 201);
  await client.post(collection, configMap('two'));
  await client.patch(`${collection}/two`, {data: {a: '1'}});
  await client.delete(`${collection}/two`);
  for (const target of [`${collection}/one`, `${collection}/one?resourceVersion=0`]) {
    t.is(answer<ReadObject>(t, await client.get(target), 200).metadata.resourceVersion, made.metadata.resourceVersion);
  }
  t.is(answer<ReadList>(t, await client.get(collection), 200).items[0]!.metadata.resourceVersion, made.metadata.resourceVersion);
});

eachStore('a write that changes nothing keeps the version and makes no event [A-RV-4]', async (t, {client, path}) => {
  const collection = path('configmaps');
  const item = `${collection}/one`;
  const made = answer<ReadObject>(t, await client.post(collection, configMap('one', {a: '1'}, {labels: {a: 'b'}})), 201);
  const version = made.metadata.resourceVersion;
  const writes = [
    client.put(item, made),
    client.put(item, configMap('one', {a: '1'}, {labels: {a: 'b'}})),
    client.patch(item, {}),
    client.patch(item, {data: {a: '1'}, metadata: {annotations: null}}),
    client.patch(
      item,
      [
        {op: 'test', path: '/data/a', value: '1'},
        {op: 'replace', path: '/data/a', value: '1'},
      ],
      'application/json-patch+json',
    ),
    client.patch(item, {data: {a: '1'}}, 'application/strategic-merge-patch+json'),
  ];
  for (const write of writes) t.is(answer<ReadObject>(t, await write, 200).metadata.resourceVersion, version);
  const last = answer<ReadObject>(t, await client.patch(item, {data: {a: '2'}}), 200);
  const events = client.watch(`${collection}?watch=1&resourceVersion=${version}`);
  t.deepEqual((await events.next()).value, {type: 'MODIFIED', object: last});
  await events.return(undefined);
});

eachStore(
  'a watch from the version of a list delivers exactly what was changed after the list [A-RV-5] [A-WATCH-1]',
  async (t, {client, path}) => {
    const collection = path('configmaps');
    await client.post(collection, configMap('before'));
    await client.post(path('secrets'), {metadata: {name: 'other'}});
    const {resourceVersion} = answer<ReadList>(t, await client.get(collection), 200).metadata;
    const made = answer<ReadObject>(t, await client.post(collection, configMap('after')), 201);
    const changed = answer<ReadObject>(t, await client.patch(`${collection}/before`, {data: {a: '1'}}), 200);
    await client.delete(`${collection}/after`);
    const events = client.watch(`${collection}?watch=1&resourceVersion=${resourceVersion}`);
    t.deepEqual((await events.next()).value, {type: 'ADDED', object: made});
    t.deepEqual((await events.next()).value, {type: 'MODIFIED', object: changed});
    const gone = (await events.next()).value as {type: string; object: ReadObject};
    t.is(gone.type, 'DELETED');
    t.deepEqual(
      {...gone.object, metadata: {...gone.object.metadata, resourceVersion: ''}},
      {...made, metadata: {...made.metadata, resourceVersion: ''}},
    );
    t.true(BigInt(gone.object.metadata.resourceVersion) > BigInt(changed.metadata.resourceVersion));
    await events.return(undefined);
  },
);

eachStore('an update with an old version is a conflict, whatever the type, and changes nothing', async (t, {client, path}) => {
  const body = gadget();
  for (const [collection, wanted, change] of [
    [path('configmaps'), configMap('one', {a: '1'}), {data: {a: '2'}}],
    [gadgets, body, {spec: {text: 'new'}}],
  ] as const) {
    const item = `${collection}/${wanted.metadata.name}`;
    const made = answer<ReadObject>(t, await client.post(collection, wanted), 201);
    const changed = answer<ReadObject>(t, await client.patch(item, change), 200);
    assertFailure(
      t,
      await client.put(item, made),
      409,
      'Conflict',
      /the object has been modified; please apply your changes to the latest version and try again/,
    );
    const {resourceVersion} = made.metadata;
    assertFailure(t, await client.patch(item, {metadata: {resourceVersion, labels: {a: 'b'}}}), 409, 'Conflict');
    t.deepEqual(answer<ReadObject>(t, await client.get(item), 200), changed);
    answer(t, await client.put(item, {...changed, metadata: {...changed.metadata, labels: {a: 'b'}}}), 200);
  }
});

eachStore('without a version the last update wins, except for types that demand one', async (t, {client, path}) => {
  const configMaps = path('configmaps');
  await client.post(configMaps, configMap('one'));
  t.deepEqual(answer<ReadObject>(t, await client.put(`${configMaps}/one`, configMap('one', {a: '1'})), 200).data, {a: '1'});
  t.deepEqual(answer<ReadObject>(t, await client.put(`${configMaps}/one`, configMap('one', {a: '2'}, {resourceVersion: '0'})), 200).data, {
    a: '2',
  });
  for (const collection of [path('leases', 'coordination.orch/v1'), path('vouchers', 'semantics.example.com/v1')]) {
    const made = answer<ReadObject>(t, await client.post(collection, {metadata: {name: 'one', resourceVersion: '0'}}), 201);
    for (const resourceVersion of [undefined, '', '0']) {
      const status = assertFailure(
        t,
        await client.put(`${collection}/one`, {metadata: {name: 'one', resourceVersion}}),
        422,
        'Invalid',
        /must be specified for an update/,
      );
      t.is(status.details?.causes?.[0]?.field, 'metadata.resourceVersion');
    }
    answer(
      t,
      await client.put(`${collection}/one`, {metadata: {name: 'one', resourceVersion: made.metadata.resourceVersion, labels: {a: 'b'}}}),
      200,
    );
    answer(t, await client.patch(`${collection}/one`, {metadata: {labels: {a: 'c'}}}), 200);
  }
});

eachStore('a create may not carry a version', async (t, {client, path}) => {
  assertFailure(
    t,
    await client.post(path('configmaps'), configMap('one', {}, {resourceVersion: '1'})),
    400,
    'BadRequest',
    /resourceVersion should not be set on objects to be created/,
  );
});

eachStore('patches without a version are applied again when others write meanwhile: none is lost', async (t, {client, path}) => {
  const item = `${path('configmaps')}/one`;
  await client.post(path('configmaps'), configMap('one'));
  const responses = await Promise.all(Array.from({length: 12}, (_, index) => client.patch(item, {data: {[`key-${index}`]: 'x'}})));
  t.deepEqual(
    responses.map(({status}) => status),
    responses.map(() => 200),
  );
  t.is(Object.keys(answer<ReadObject>(t, await client.get(item), 200).data ?? {}).length, 12);
});
