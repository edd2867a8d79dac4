import {testOnEachStore} from '../helpers/each-store.js';
import {answer, assertFailure} from './answers.js';
import {
  configMap,
  gadget,
  gadgets,
  namesOf,
  uniqueName,
  widget,
  widgetsVersion,
  withFixtures,
  type ReadList,
  type ReadObject,
} from './fixtures.js';

const eachStore = testOnEachStore(withFixtures);
const timestampForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

eachStore('a second create of a name fails with 409 and leaves the first object as it is [A-NAME-1]', async (t, {client, path}) => {
  const collection = path('configmaps');
  const first = answer<ReadObject>(t, await client.post(collection, configMap('one', {a: '1'})), 201);
  const status = assertFailure(
    t,
    await client.post(collection, configMap('one', {a: '2'})),
    409,
    'AlreadyExists',
    /configmaps "one" already exists/,
  );
  t.deepEqual(status.details, {name: 'one', kind: 'configmaps'});
  t.deepEqual(answer<ReadObject>(t, await client.get(`${collection}/one`), 200), first);
});

eachStore('of many creates of one name at once exactly one succeeds [A-NAME-1]', async (t, {client, path}) => {
  const collection = path('configmaps');
  const responses = await Promise.all(
    Array.from({length: 12}, (_, index) => client.post(collection, configMap('one', {by: String(index)}))),
  );
  const winners = responses.flatMap(({status}, index) => (status === 201 ? [index] : []));
  t.is(winners.length, 1);
  t.deepEqual(responses.map(({status}) => status).sort(), [201, ...Array.from({length: 11}, () => 409)]);
  t.is((await client.get(`${collection}/one`)).json<ReadObject>().data?.['by'], String(winners[0]));
});

eachStore(
  'the same name in two namespaces, or of two kinds, is two objects [A-NAME-2] [A-NAME-3]',
  async (t, {client, path, namespace}) => {
    const here = answer<ReadObject>(t, await client.post(path('configmaps'), configMap(namespace, {where: 'here'})), 201);
    const there = answer<ReadObject>(
      t,
      await client.post('/api/v1/namespaces/default/configmaps', configMap(namespace, {where: 'there'})),
      201,
    );
    const secret = answer<ReadObject>(t, await client.post(path('secrets'), {metadata: {name: namespace}}), 201);
    t.is(new Set([here, there, secret].map(({metadata}) => metadata.uid)).size, 3);
    answer(t, await client.delete(`${path('configmaps')}/${namespace}`), 200);
    t.deepEqual(answer<ReadObject>(t, await client.get(`/api/v1/namespaces/default/configmaps/${namespace}`), 200), there);
    t.deepEqual(answer<ReadObject>(t, await client.get(`${path('secrets')}/${namespace}`), 200), secret);
  },
);

eachStore(
  'the name of a deleted object may be taken again, by an object with another uid [A-NAME-4] [A-META-6]',
  async (t, {client, path}) => {
    const collection = path('configmaps');
    const first = answer<ReadObject>(t, await client.post(collection, configMap('one')), 201);
    answer(t, await client.delete(`${collection}/one`), 200);
    const second = answer<ReadObject>(t, await client.post(collection, configMap('one')), 201);
    const third = answer<ReadObject>(t, await client.post(collection, configMap('two')), 201);
    t.is(new Set([first, second, third].map(({metadata}) => metadata.uid)).size, 3);
  },
);

eachStore(
  'names of a cluster-scoped kind are unique in the whole cluster, and there is no path for it in a namespace [A-NAME-5] [A-NAME-6]',
  async (t, {client, namespace}) => {
    const body = gadget();
    answer(t, await client.post(gadgets, body), 201);
    assertFailure(t, await client.post(gadgets, body), 409, 'AlreadyExists');
    assertFailure(t, await client.post('/api/v1/namespaces', {metadata: {name: namespace}}), 409, 'AlreadyExists');
    const below = `/apis/semantics.example.com/v1/namespaces/${namespace}/gadgets`;
    for (const target of [below, `${below}/${body.metadata.name}`, `/api/v1/namespaces/${namespace}/namespaces`])
      assertFailure(t, await client.get(target), 404, 'NotFound');
    assertFailure(t, await client.post(below, gadget()), 404, 'NotFound');
  },
);

eachStore(
  'an object of a cluster-scoped type that states a namespace is taken without it, by whatever verb',
  async (t, {client, namespace}) => {
    const body = gadget({}, {namespace});
    const path = `${gadgets}/${body.metadata.name}`;
    const namespaceOf = (object: ReadObject) => object.metadata.namespace;
    t.is(namespaceOf(answer<ReadObject>(t, await client.post(gadgets, body), 201)), undefined);
    t.is(namespaceOf(answer<ReadObject>(t, await client.put(path, body), 200)), undefined);
    t.is(namespaceOf(answer<ReadObject>(t, await client.patch(path, {metadata: {namespace}}), 200)), undefined);
    const applied = await client.patch(`${path}?fieldManager=somebody&force=true`, body, 'application/apply-patch+yaml');
    t.is(namespaceOf(answer<ReadObject>(t, applied, 200)), undefined);
    t.is(namespaceOf(answer<ReadObject>(t, await client.get(path), 200)), undefined);
  },
);

eachStore('a namespace lives at the cluster scope and carries no namespace itself [A-NAME-11]', async (t, {client, namespace}) => {
  const read = answer<ReadObject>(t, await client.get(`/api/v1/namespaces/${namespace}`), 200);
  t.deepEqual([read.kind, read.metadata.name], ['Namespace', namespace]);
  t.false(Object.hasOwn(read.metadata, 'namespace'));
});

eachStore('the name that was given is kept; it wins over generateName [A-META-1]', async (t, {client, path}) => {
  const made = answer<ReadObject>(t, await client.post(path('configmaps'), configMap('given.name-1', {}, {generateName: 'other-'})), 201);
  t.is(made.metadata.name, 'given.name-1');
});

eachStore(
  'generateName is the beginning of a name with a random end, another one each time [A-META-2] [A-META-3]',
  async (t, {client, path}) => {
    const names = new Set<string>();
    for (let round = 0; round < 5; round++) {
      const made = answer<ReadObject>(t, await client.post(path('configmaps'), {metadata: {generateName: 'made-'}}), 201);
      t.regex(made.metadata.name, /^made-[a-z0-9]{5}$/);
      names.add(made.metadata.name);
      t.deepEqual(answer<ReadObject>(t, await client.get(`${path('configmaps')}/${made.metadata.name}`), 200), made);
    }
    t.is(names.size, 5);
    const long = answer<ReadObject>(t, await client.post(path('configmaps'), {metadata: {generateName: 'a'.repeat(80)}}), 201);
    t.regex(long.metadata.name, /^a{58}[a-z0-9]{5}$/);
    assertFailure(
      t,
      await client.post(path('configmaps'), {metadata: {generateName: 'Not_Good'}}),
      422,
      'Invalid',
      /metadata\.generateName/,
    );
    const generated = answer<ReadObject>(t, await client.post('/api/v1/namespaces', {metadata: {generateName: 'made-'}}), 201);
    t.is(generated.metadata.labels?.['orch/metadata.name'], generated.metadata.name);
  },
);

eachStore(
  'an object has the namespace of its path, and no other may stand in the body [A-META-4]',
  async (t, {client, path, namespace}) => {
    for (const body of [configMap('bare'), configMap('named', {}, {namespace})]) {
      t.is(answer<ReadObject>(t, await client.post(path('configmaps'), body), 201).metadata.namespace, namespace);
    }
    const other = configMap('bare', {}, {namespace: 'default'});
    assertFailure(t, await client.post(path('configmaps'), other), 400, 'BadRequest', /namespace/);
    assertFailure(t, await client.put(`${path('configmaps')}/bare`, other), 400, 'BadRequest', /namespace/);
    assertFailure(t, await client.patch(`${path('configmaps')}/bare`, {metadata: {namespace: 'default'}}), 400, 'BadRequest', /namespace/);
    assertFailure(t, await client.put(`${path('configmaps')}/bare`, configMap('named')), 400, 'BadRequest', /name/);
  },
);

eachStore(
  "uid, creationTimestamp and resourceVersion are the server's: what a create says of the first two does not count [A-META-5] [A-META-8] [A-META-9]",
  async (t, {client, path}) => {
    const before = Math.floor(Date.now() / 1000) * 1000;
    const wanted = {uid: 'mine', creationTimestamp: '2001-01-01T00:00:00Z', generation: 17, selfLink: '/x', deletionGracePeriodSeconds: 3};
    for (const [collection, body] of [
      [path('configmaps'), configMap('one', {}, wanted)],
      [path('widgets', widgetsVersion), widget('one', {size: 'small'}, wanted)],
    ] as const) {
      const {metadata} = answer<ReadObject>(t, await client.post(collection, body), 201);
      t.regex(metadata.uid, /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/);
      t.regex(metadata.creationTimestamp, timestampForm);
      const created = Date.parse(metadata.creationTimestamp);
      t.true(created >= before && created <= Date.now(), metadata.creationTimestamp);
      t.regex(metadata.resourceVersion, /^[1-9]\d*$/);
      t.false(Object.hasOwn(metadata, 'selfLink') || Object.hasOwn(metadata, 'deletionGracePeriodSeconds'));
      // Nobody counts the changes of a ConfigMap: as in Kubernetes, it says what its creator did.
      t.is(metadata.generation, collection.endsWith('widgets') ? 1 : wanted.generation);
    }
  },
);

eachStore('uid and creationTimestamp stay the same through updates and patches [A-META-7] [A-META-9]', async (t, {client, path}) => {
  const item = `${path('configmaps')}/one`;
  const made = answer<ReadObject>(t, await client.post(path('configmaps'), configMap('one')), 201);
  const writes = [
    () => client.put(item, configMap('one', {a: '1'})),
    () => client.put(item, configMap('one', {a: '2'}, {creationTimestamp: '2001-01-01T00:00:00Z', generation: 9})),
    () => client.patch(item, {data: {a: '3'}}),
    () => client.patch(item, [{op: 'replace', path: '/metadata/creationTimestamp', value: null}], 'application/json-patch+json'),
    () => client.patch(item, {metadata: {creationTimestamp: '2001-01-01T00:00:00Z', labels: {a: 'b'}}}),
  ];
  for (const write of writes) {
    const {metadata} = answer<ReadObject>(t, await write(), 200);
    t.deepEqual([metadata.uid, metadata.creationTimestamp], [made.metadata.uid, made.metadata.creationTimestamp]);
    t.false(Object.hasOwn(metadata, 'generation'));
  }
});

eachStore('another uid is a conflict in a PUT, and cannot be patched in', async (t, {client, path}) => {
  const item = `${path('configmaps')}/one`;
  const made = answer<ReadObject>(t, await client.post(path('configmaps'), configMap('one')), 201);
  const message = new RegExp(`UID in precondition: other, UID in object meta: ${made.metadata.uid}`);
  assertFailure(t, await client.put(item, configMap('one', {}, {uid: 'other'})), 409, 'Conflict', message);
  assertFailure(
    t,
    await client.patch(item, {metadata: {uid: 'other'}}),
    422,
    'Invalid',
    /metadata\.uid: Invalid value: "other": field is immutable/,
  );
  answer(t, await client.put(item, configMap('one', {a: '1'}, {uid: made.metadata.uid})), 200);
});

eachStore('nothing that a client writes makes a live object terminating [A-META-10] [A-META-13]', async (t, {client, path}) => {
  const item = `${path('configmaps')}/one`;
  const doomed = {deletionTimestamp: '2001-01-01T00:00:00Z', deletionGracePeriodSeconds: 5, finalizers: ['example.com/hold']};
  const made = answer<ReadObject>(t, await client.post(path('configmaps'), configMap('one', {}, doomed)), 201);
  t.false(Object.hasOwn(made.metadata, 'deletionTimestamp'));
  assertFailure(
    t,
    await client.put(item, configMap('one', {}, doomed)),
    422,
    'Invalid',
    /metadata\.deletionTimestamp: Invalid value: .*field is immutable/,
  );
  assertFailure(t, await client.patch(item, {metadata: doomed}), 422, 'Invalid', /deletionTimestamp/);
  const read = answer<ReadObject>(t, await client.get(item), 200);
  t.false(Object.hasOwn(read.metadata, 'deletionTimestamp'));
  t.is(read.metadata.resourceVersion, made.metadata.resourceVersion);
});

eachStore('finalizers are a list that may be put in another order [A-META-14]', async (t, {client, path}) => {
  const item = `${path('configmaps')}/one`;
  const made = answer<ReadObject>(
    t,
    await client.post(path('configmaps'), configMap('one', {}, {finalizers: ['example.com/a', 'example.com/b']})),
    201,
  );
  t.deepEqual(made.metadata.finalizers, ['example.com/a', 'example.com/b']);
  const turned = answer<ReadObject>(t, await client.patch(item, {metadata: {finalizers: ['example.com/b', 'example.com/a']}}), 200);
  t.deepEqual(turned.metadata.finalizers, ['example.com/b', 'example.com/a']);
  t.not(turned.metadata.resourceVersion, made.metadata.resourceVersion);
  assertFailure(t, await client.patch(item, {metadata: {finalizers: ['no good']}}), 422, 'Invalid', /metadata\.finalizers/);
  assertFailure(
    t,
    await client.patch(item, {metadata: {finalizers: ['orphan', 'foregroundDeletion']}}),
    422,
    'Invalid',
    /cannot be both set/,
  );
});

eachStore('owner references are kept with their blockOwnerDeletion [A-META-16]', async (t, {client, path}) => {
  const owner = {apiVersion: 'v1', kind: 'ConfigMap', name: 'boss', uid: 'd3b07384-d9a0-4c9b-9a3e-0123456789ab'};
  const ownerReferences = [
    {...owner, blockOwnerDeletion: true, controller: true},
    {...owner, name: 'aide', blockOwnerDeletion: false},
  ];
  for (const [collection, body] of [
    [path('configmaps'), configMap('one', {}, {ownerReferences})],
    [path('widgets', widgetsVersion), widget('one', {size: 'small'}, {ownerReferences})],
  ] as const) {
    answer(t, await client.post(collection, body), 201);
    t.deepEqual(answer<ReadObject>(t, await client.get(`${collection}/one`), 200).metadata.ownerReferences, ownerReferences);
  }
  const two = [ownerReferences[0], {...ownerReferences[0], name: 'other'}];
  assertFailure(
    t,
    await client.post(path('configmaps'), configMap('two', {}, {ownerReferences: two})),
    422,
    'Invalid',
    /Only one reference can have Controller set to true/,
  );
  assertFailure(
    t,
    await client.post(path('configmaps'), configMap('two', {}, {ownerReferences: [{apiVersion: 'v1', kind: 'ConfigMap', name: 'x'}]})),
    422,
    'Invalid',
    /uid(?:: Invalid value: "":)? must not be empty/,
  );
});

eachStore(
  'labels and annotations are maps of texts, kept as they were sent; label keys and values have their form [A-META-17]',
  async (t, {client, path}) => {
    const labels = {plain: 'Value_1.x', 'example.com/key': '', a: '1'};
    const annotations = {any: 'thing ☃ "quoted"\n\u0001', 'example.com/json': '{"a":[1,2]}'};
    answer(t, await client.post(path('configmaps'), configMap('one', {}, {labels, annotations})), 201);
    const read = answer<ReadObject>(t, await client.get(`${path('configmaps')}/one`), 200);
    t.deepEqual(read.metadata.labels, labels);
    t.deepEqual(read.metadata.annotations, annotations);
    for (const [metadata, message] of [
      [{labels: {'bad key': 'x'}}, /metadata\.labels/],
      [{labels: {key: 'bad value'}}, /metadata\.labels/],
      [{labels: {key: 'x'.repeat(64)}}, /metadata\.labels/],
      [{annotations: {'bad key': 'x'}}, /metadata\.annotations/],
      [{annotations: {big: 'x'.repeat(256 * 1024)}}, /metadata\.annotations/],
    ] as const) {
      assertFailure(t, await client.post(path('configmaps'), configMap('two', {}, metadata)), 422, 'Invalid', message);
    }
    assertFailure(t, await client.post(path('configmaps'), configMap('two', {}, {labels: {a: 1}})), 400, 'BadRequest', /metadata\.labels/);
  },
);

eachStore('a name must be a DNS subdomain of at most 253 characters [B-LIM-5]', async (t, {client, path}) => {
  answer(t, await client.post(path('configmaps'), configMap('a'.repeat(253))), 201);
  for (const name of ['a'.repeat(254), 'Upper', 'under_score', '-start', 'end-', 'dot..dot', 'a b', '']) {
    const status = assertFailure(t, await client.post(path('configmaps'), configMap(name)), 422, 'Invalid', /metadata\.name/);
    t.true(status.details?.causes?.every(({field}) => field === 'metadata.name'));
  }
});

eachStore('generation counts what changes outside metadata and status, where the type has it', async (t, {client, path}) => {
  const item = `${path('widgets', widgetsVersion)}/one`;
  const generation = async (response: ReturnType<typeof client.get>) => answer<ReadObject>(t, await response, 200).metadata.generation;
  t.is(answer<ReadObject>(t, await client.post(path('widgets', widgetsVersion), widget('one')), 201).metadata.generation, 1);
  t.is(await generation(client.patch(item, {metadata: {labels: {a: 'b'}}})), 1);
  t.is(await generation(client.patch(item, {spec: {size: 'large'}})), 2);
  t.is(await generation(client.patch(item, {spec: {size: 'large'}})), 2);
  t.is(await generation(client.patch(item, {metadata: {generation: 40}, spec: {size: 'medium'}})), 3);
  const body = gadget({}, {name: uniqueName('generation')});
  await client.post(gadgets, body);
  t.is(await generation(client.patch(`${gadgets}/${body.metadata.name}/status`, {status: {phase: 'Done'}})), 1);
  t.is(await generation(client.patch(`${gadgets}/${body.metadata.name}`, {status: {phase: 'Undone'}, spec: {small: 1}})), 2);
  t.is((await client.get(`${gadgets}/${body.metadata.name}`)).json<ReadObject>().status?.['phase'], 'Done');
});

eachStore('every kind of write records who owns the fields that it sets [A-META-15]', async (t, {client, path}) => {
  const collection = path('configmaps');
  const item = `${collection}/one`;
  const owner = async (manager: string, field: string) => {
    const {metadata} = answer<{metadata: {managedFields: {manager: string; fieldsV1: {'f:data'?: object}}[]}}>(
      t,
      await client.get(item),
      200,
    );
    const entry = metadata.managedFields.find((candidate) => candidate.manager === manager);
    t.true(Object.hasOwn(entry?.fieldsV1['f:data'] ?? {}, `f:${field}`), `${manager}: ${JSON.stringify(metadata.managedFields)}`);
  };
  answer(t, await client.post(`${collection}?fieldManager=creator`, configMap('one', {create: '1'})), 201);
  await owner('creator', 'create');
  answer(t, await client.put(`${item}?fieldManager=updater`, configMap('one', {create: '1', update: '1'})), 200);
  await owner('updater', 'update');
  await owner('creator', 'create');
  answer(t, await client.patch(`${item}?fieldManager=merger`, {data: {merge: '1'}}), 200);
  await owner('merger', 'merge');
  answer(t, await client.patch(`${item}?fieldManager=strategist`, {data: {strategic: '1'}}, 'application/strategic-merge-patch+json'), 200);
  await owner('strategist', 'strategic');
  answer(
    t,
    await client.patch(`${item}?fieldManager=patcher`, [{op: 'add', path: '/data/json', value: '1'}], 'application/json-patch+json'),
    200,
  );
  await owner('patcher', 'json');
  answer(
    t,
    await client.patch(
      `${item}?fieldManager=applier`,
      {apiVersion: 'v1', kind: 'ConfigMap', data: {apply: '1'}, metadata: {name: 'one'}},
      'application/apply-patch+yaml',
    ),
    200,
  );
  await owner('applier', 'apply');
  await client.patch(item, {data: {agent: '1'}}, undefined, {headers: {'user-agent': 'somebody/v1.2 (linux)'}});
  await owner('somebody', 'agent');
});

eachStore(
  'an object whose name has control characters, as its type allows, is read, listed and deleted by that name',
  async (t, {client, path}) => {
    const roles = path('roles', 'rbac.authorization.orch/v1');
    for (const name of ['line\nend', 'nul\u0000inside', 'tab\tand\u007f', ' blank ']) {
      const made = answer<ReadObject>(t, await client.post(roles, {metadata: {name}, rules: []}), 201);
      const own = `${roles}/${encodeURIComponent(name)}`;
      t.deepEqual(answer<ReadObject>(t, await client.get(own), 200), made);
      const selected = answer<ReadList>(t, await client.get(`${roles}?fieldSelector=${encodeURIComponent(`metadata.name=${name}`)}`), 200);
      t.deepEqual(namesOf(selected), [name]);
      answer(t, await client.delete(own), 200);
      assertFailure(t, await client.get(own), 404, 'NotFound');
    }
  },
);
