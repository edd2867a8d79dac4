import {testOnEachStore} from '../helpers/each-store.js';
import {answer, assertFailure, type Failure} from './answers.js';
import {
  configMap,
  gadget,
  gadgets,
  namesOf,
  reservationsVersion,
  uniqueName,
  withFixtures,
  withoutType,
  type ReadList,
  type ReadObject,
} from './fixtures.js';

const eachStore = testOnEachStore(withFixtures);

eachStore(
  'GET of an object answers 200 with that object, GET of a collection 200 with all of it [A-SVC-9] [A-SVC-10] [A-OPS-1]',
  async (t, {client, path}) => {
    const collection = path('configmaps');
    const first = answer<ReadObject>(t, await client.post(collection, configMap('first', {a: '1'})), 201);
    const second = answer<ReadObject>(t, await client.post(collection, configMap('second', {a: '2'})), 201);
    t.deepEqual(answer<ReadObject>(t, await client.get(`${collection}/first`), 200), first);
    const list = answer<ReadList>(t, await client.get(collection), 200);
    t.deepEqual(list.items, [first, second].map(withoutType));
  },
);

eachStore('every object that is served says its apiVersion and kind, and discovery lists its type [A-SVC-2]', async (t, {client, path}) => {
  const posts: [string, object][] = [
    [path('configmaps'), {metadata: {name: 'one'}}],
    [path('secrets'), {metadata: {name: 'one'}}],
    [path('leases', 'coordination.orch/v1'), {metadata: {name: 'one'}}],
    [path('widgets', 'examples.example.com/v1'), {metadata: {name: 'one'}, spec: {size: 'small'}}],
    [gadgets, {metadata: {name: uniqueName('typed')}, spec: {text: 'a'}}],
  ];
  for (const [collection, body] of posts) {
    const made = answer<ReadObject>(t, await client.post(collection, body), 201);
    const groupVersion = /^\/(?:api\/(v1)|apis\/([^/]+\/[^/]+))/.exec(collection)!;
    t.is(made.apiVersion, groupVersion[1] ?? groupVersion[2]!);
    const list = answer<ReadList>(t, await client.get(collection), 200);
    const said = collection.includes('.example.com/') ? [made.apiVersion, made.kind] : [undefined, undefined];
    for (const item of list.items) t.deepEqual([item.apiVersion, item.kind], said);
    const discovery = answer<{resources: {name: string; kind: string}[]}>(t, await client.get(groupVersion[0]), 200);
    t.is(discovery.resources.find(({name}) => name === collection.split('/').at(-1))?.kind, made.kind);
  }
});

eachStore('POST creates and answers 201 with the object [A-SVC-13] [A-OPS-3]', async (t, {client, path}) => {
  const collection = path('configmaps');
  const made = answer<ReadObject>(t, await client.post(collection, configMap('made', {a: '1'})), 201);
  t.deepEqual(made.data, {a: '1'});
  t.deepEqual(answer<ReadObject>(t, await client.get(`${collection}/made`), 200), made);
});

eachStore('PUT of an existing object is an update: 200, admission sees UPDATE [A-SVC-14] [A-OPS-4]', async (t, {client, path}) => {
  const collection = path('leases', 'coordination.orch/v1');
  const made = answer<ReadObject>(t, await client.post(collection, {metadata: {name: 'one', annotations: {'test/mark': ''}}}), 201);
  t.is(made.metadata.annotations?.['test/mark'], 'CREATE');
  const changed = answer<ReadObject>(t, await client.put(`${collection}/one`, {...made, spec: {holderIdentity: 'me'}}), 200);
  t.is(changed.metadata.annotations?.['test/mark'], 'UPDATE');
  t.is(changed.spec?.['holderIdentity'], 'me');
});

eachStore(
  'PUT that brings an object into being is a create: 201, admission sees CREATE, and only types that allow it do so [A-SVC-15] [A-OPS-5]',
  async (t, {client, path}) => {
    for (const [resource, groupVersion, extra] of [
      ['leases', 'coordination.orch/v1', {}],
      ['events', undefined, {involvedObject: {kind: 'ConfigMap', name: 'x', namespace: path('x').split('/')[4]}}],
    ] as const) {
      const item = `${path(resource, groupVersion)}/put`;
      const made = answer<ReadObject>(t, await client.put(item, {metadata: {name: 'put', annotations: {'test/mark': ''}}, ...extra}), 201);
      t.is(made.metadata.name, 'put');
      t.is(made.metadata.annotations?.['test/mark'], 'CREATE');
      t.deepEqual(answer<ReadObject>(t, await client.get(item), 200), made);
    }
    const missing = `${path('configmaps')}/put`;
    const status = assertFailure(t, await client.put(missing, configMap('put')), 404, 'NotFound', /configmaps "put" not found/);
    t.deepEqual(status.details, {name: 'put', kind: 'configmaps'});
    t.is((await client.get(missing)).status, 404);
  },
);

eachStore('a PUT that would create is bound to a uid, not to a version', async (t, {client, path}) => {
  const item = `${path('leases', 'coordination.orch/v1')}/gone`;
  assertFailure(t, await client.put(item, {metadata: {name: 'gone', uid: 'c0ffee'}}), 409, 'Conflict', /Precondition failed: UID/);
  answer(t, await client.put(item, {metadata: {name: 'gone', resourceVersion: '4'}}), 201);
});

eachStore('PATCH changes a part and answers 200 with the object [A-SVC-16] [A-OPS-6]', async (t, {client, path}) => {
  const collection = path('configmaps');
  await client.post(collection, configMap('one', {a: '1', b: '2'}));
  const patched = answer<ReadObject>(t, await client.patch(`${collection}/one`, {data: {b: '3'}}), 200);
  t.deepEqual(patched.data, {a: '1', b: '3'});
  assertFailure(t, await client.patch(`${collection}/none`, {data: {}}), 404, 'NotFound');
});

eachStore('a patch that creates the object, which only apply does, answers 201, the next one 200 [A-OPS-7]', async (t, {client, path}) => {
  const item = `${path('configmaps')}/applied`;
  const apply = (a: string) =>
    client.patch(
      `${item}?fieldManager=tests`,
      {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'applied'}, data: {a}},
      'application/apply-patch+yaml',
    );
  const made = answer<ReadObject>(t, await apply('1'), 201);
  t.deepEqual(answer<ReadObject>(t, await client.get(item), 200), made);
  t.deepEqual(answer<ReadObject>(t, await apply('2'), 200).data, {a: '2'});
});

eachStore('DELETE of an object removes it, and only it [A-SVC-17]', async (t, {client, path}) => {
  const collection = path('configmaps');
  for (const name of ['one', 'two']) await client.post(collection, configMap(name));
  answer(t, await client.delete(`${collection}/one`), 200);
  assertFailure(t, await client.get(`${collection}/one`), 404, 'NotFound');
  assertFailure(t, await client.delete(`${collection}/one`), 404, 'NotFound');
  t.deepEqual(namesOf((await client.get(collection)).json()), ['two']);
});

eachStore(
  'deletecollection removes every object of the collection that the selectors match, and no other [A-SVC-22]',
  async (t, {client, path, namespace}) => {
    const collection = path('configmaps');
    for (const [name, colour] of [
      ['a', 'red'],
      ['b', 'blue'],
      ['c', 'red'],
    ] as const)
      await client.post(collection, configMap(name, {}, {labels: {colour}}));
    const elsewhere = `/api/v1/namespaces/default/configmaps/${namespace}`;
    await client.post('/api/v1/namespaces/default/configmaps', configMap(namespace, {}, {labels: {colour: 'red'}}));
    await client.post(path('secrets'), {metadata: {name: 'a', labels: {colour: 'red'}}});
    answer(t, await client.delete(`${collection}?labelSelector=colour%3Dred`), 200);
    t.deepEqual(namesOf((await client.get(collection)).json()), ['b']);
    answer(t, await client.delete(collection), 200);
    t.deepEqual(namesOf((await client.get(collection)).json()), []);
    answer(t, await client.get(elsewhere), 200);
    answer(t, await client.get(`${path('secrets')}/a`), 200);
  },
);

eachStore('a body of a list kind is refused and nothing in it is created [A-SVC-20]', async (t, {client, path}) => {
  const collection = path('configmaps');
  for (const kind of ['ConfigMapList', 'List']) {
    const body = {apiVersion: 'v1', kind, items: [configMap('one'), configMap('two')]};
    assertFailure(t, await client.post(collection, body), 400, 'BadRequest');
  }
  t.deepEqual(namesOf((await client.get(collection)).json()), []);
});

eachStore('PUT and PATCH of a collection and POST to an item are refused [A-SVC-21]', async (t, {client, path}) => {
  const collection = path('configmaps');
  await client.post(collection, configMap('one', {a: '1'}));
  assertFailure(t, await client.put(collection, configMap('one')), 405, 'MethodNotAllowed');
  assertFailure(t, await client.patch(collection, {data: {a: '2'}}), 405, 'MethodNotAllowed');
  assertFailure(t, await client.post(`${collection}/one`, configMap('one')), 405, 'MethodNotAllowed');
  assertFailure(t, await client.post(`${collection}/two`, configMap('two')), 405, 'MethodNotAllowed');
  t.deepEqual((await client.get(`${collection}/one`)).json<ReadObject>().data, {a: '1'});
  t.is((await client.get(`${collection}/two`)).status, 404);
});

eachStore('across all namespaces a namespaced type is listed and watched, and nothing else [A-PATH-9]', async (t, {client, path}) => {
  await client.post(path('configmaps'), configMap('one'));
  const everywhere = '/api/v1/configmaps';
  t.true(answer<ReadList>(t, await client.get(everywhere), 200).items.length >= 1);
  t.is((await client.get(`${everywhere}?watch=1&timeoutSeconds=1`)).status, 200);
  assertFailure(t, await client.post(everywhere, configMap('two', {}, {namespace: 'default'})), 405, 'MethodNotAllowed');
  assertFailure(t, await client.delete(everywhere), 405, 'MethodNotAllowed');
  for (const method of ['PUT', 'PATCH'])
    assertFailure(t, await client.request(method, everywhere, {body: configMap('one')}), 405, 'MethodNotAllowed');
  assertFailure(t, await client.get(`${everywhere}/one`), 404, 'NotFound');
  answer(t, await client.get(`${path('configmaps')}/one`), 200);
});

eachStore('a subresource belongs to one named object [A-PATH-10]', async (t, {client, path}) => {
  const collection = path('reservations', reservationsVersion);
  await client.post(collection, {metadata: {name: 'one'}, spec: {room: 'a', from: '2026-01-01T10:00:00Z'}});
  answer(t, await client.get(`${collection}/one/status`), 200);
  // Without a name the word is taken for one.
  assertFailure(t, await client.get(`${collection}/status`), 404, 'NotFound');
  assertFailure(t, await client.get(`/apis/${reservationsVersion}/reservations/status`), 404, 'NotFound');
  assertFailure(t, await client.get(`${collection}//status`), 404, 'NotFound');
  assertFailure(t, await client.get(`${collection}/one/status/more`), 404, 'NotFound');
});

eachStore('a subresource serves the verbs that its type gives it, and no other [A-PATH-11]', async (t, {client, path, namespace}) => {
  const item = `${path('reservations', reservationsVersion)}/one`;
  await client.post(path('reservations', reservationsVersion), {metadata: {name: 'one'}, spec: {room: 'a', from: '2026-01-01T10:00:00Z'}});
  const current = answer<ReadObject>(t, await client.get(`${item}/status`), 200);
  answer(t, await client.put(`${item}/status`, current), 200);
  answer(t, await client.patch(`${item}/status`, {status: {phase: 'Confirmed'}}), 200);
  assertFailure(t, await client.post(`${item}/status`, current), 405, 'MethodNotAllowed');
  assertFailure(t, await client.delete(`${item}/status`), 405, 'MethodNotAllowed');
  assertFailure(t, await client.get(`/api/v1/namespaces/${namespace}/finalize`), 405, 'MethodNotAllowed');
  assertFailure(t, await client.get(`${item}/scale`), 404, 'NotFound');
  assertFailure(t, await client.get(`${path('configmaps')}/one/status`), 404, 'NotFound');
});

eachStore('a type serves its own verbs only: namespaces are not deleted as a collection', async (t, {client}) => {
  const status: Failure = assertFailure(t, await client.delete('/api/v1/namespaces'), 405, 'MethodNotAllowed');
  t.deepEqual(status.details, {});
});

eachStore('HEAD of what is no resource answers what GET does, without the body', async (t, {client}) => {
  for (const target of ['/apis', '/api/v1', '/version', '/livez']) {
    const got = await client.get(target);
    const head = await client.request('HEAD', target);
    t.is(head.status, 200, target);
    t.is(head.body.length, 0);
    t.deepEqual(
      [head.headers['content-type'], head.headers['content-length']],
      [got.headers['content-type'], got.headers['content-length']],
      target,
    );
  }
  t.is((await client.request('HEAD', '/nothing')).status, 404);
});

eachStore('the same holds for types that are no more than a schema', async (t, {client}) => {
  const body = gadget();
  const item = `${gadgets}/${body.metadata.name}`;
  const made = answer<ReadObject>(t, await client.post(gadgets, body), 201);
  t.deepEqual(answer<ReadObject>(t, await client.get(item), 200), made);
  t.is(answer<ReadObject>(t, await client.put(item, {...body, spec: {text: 'other'}}), 200).spec?.['text'], 'other');
  t.is(answer<ReadObject>(t, await client.patch(item, {spec: {small: 3}}), 200).spec?.['small'], 3);
  answer(t, await client.delete(item), 200);
  assertFailure(t, await client.get(item), 404, 'NotFound', /gadgets\.semantics\.example\.com "gadget-\d+" not found/);
});
