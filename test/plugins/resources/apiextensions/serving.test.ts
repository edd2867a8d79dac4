import test from 'ava';
import {defineAdmission, definePlugin} from '@orch-api/orch/sdk';
import {startTestServer, type TestClient} from '@orch-api/orch/testing';
import {until} from '../../../helpers/eventually.js';
import {testOnEachStore} from '../../../helpers/each-store.js';
import {
  awaitCondition,
  change,
  condition,
  definition,
  definitionsPath,
  establish,
  faultsOf,
  freshGroup,
  readDefinition,
  version,
  widgetOf,
  type Json,
  type StoredDefinition,
} from './definition-fixture.js';

const storeTest = testOnEachStore();

interface Discovered {
  readonly resources: readonly Json[];
}

const discovery = async (client: TestClient, groupVersion: string) =>
  (await client.get(`/apis/${groupVersion}`)).json<Discovered>().resources ?? [];

storeTest(
  'definitions are served cluster-wide under their own group [A-CRD-1] [A-CRDE-1] [A-CRDE-2] [A-CRDE-4] [A-CRDE-5] [A-CRDE-6] [A-CRDE-7]',
  async (t, {client}) => {
    const group = freshGroup();
    const name = `widgets.${group}`;
    const created = await client.post(definitionsPath, definition(group));
    t.is(created.status, 201);
    t.is(created.json<StoredDefinition>().apiVersion, 'apiextensions.orch/v1');
    const list = (await client.get(definitionsPath)).json<{kind: string; items: StoredDefinition[]}>();
    t.is(list.kind, 'CustomResourceDefinitionList');
    t.true(list.items.some(({metadata}) => metadata.name === name));
    t.is((await client.get('/apis/apiextensions.orch/v1/namespaces/default/customresourcedefinitions')).status, 404);
    const read = await awaitCondition(client, name, 'Established', 'True');
    t.is((await client.put(`${definitionsPath}/${name}`, read)).status, 200);
    t.is((await client.patch(`${definitionsPath}/${name}`, {metadata: {labels: {a: 'b'}}})).status, 200);
    t.is((await client.delete(`${definitionsPath}?labelSelector=a%3Db`)).status, 200);
    await until('the deletion', async () => (await client.get(`${definitionsPath}/${name}`)).status === 404);
  },
);

storeTest(
  'a definition gets its conditions and names, and at once its type is served [A-CRD-4] [A-CRD-5] [A-CRD-106] [A-CRD-107] [A-CRD-109] [A-CRD-111] [A-OTHER-1]',
  async (t, {client, path}) => {
    const group = freshGroup();
    const stored = await establish(
      client,
      definition(group, [version()], {names: {plural: 'widgets', kind: 'Widget', shortNames: ['wd'], categories: ['all']}}),
    );
    const made = await client.post(path('widgets', `${group}/v1`), {apiVersion: `${group}/v1`, kind: 'Widget', metadata: {name: 'w'}});
    t.is(made.status, 201);
    t.is(made.json<{kind: string}>().kind, 'Widget');
    t.deepEqual(stored.status.acceptedNames, {
      plural: 'widgets',
      singular: 'widget',
      shortNames: ['wd'],
      kind: 'Widget',
      listKind: 'WidgetList',
      categories: ['all'],
    });
    t.deepEqual(stored.status.storedVersions, ['v1']);
    for (const [type, reason, message] of [
      ['NamesAccepted', 'NoConflicts', 'no conflicts found'],
      ['Established', 'InitialNamesAccepted', 'the initial names have been accepted'],
    ] as const) {
      const {lastTransitionTime, ...rest} = condition(stored, type)!;
      t.deepEqual(rest, {type, status: 'True', reason, message});
      t.regex(lastTransitionTime, /^\d{4}-.*Z$/);
    }
  },
);

storeTest(
  'names of a definition are those of discovery and of lists [A-CRD-6] [A-CRD-7] [A-CRD-8] [A-CRD-9] [A-CRD-10] [A-CRD-11]',
  async (t, {client, path}) => {
    const group = freshGroup();
    await establish(
      client,
      definition(group, [version()], {
        names: {plural: 'widgets', kind: 'Widget', listKind: 'Widgetry', shortNames: ['wd'], categories: ['all']},
      }),
    );
    const [resource] = await discovery(client, `${group}/v1`);
    const {name, singularName, kind, shortNames, categories, namespaced, verbs} = resource!;
    t.deepEqual(
      {name, singularName, kind, shortNames, categories, namespaced},
      {name: 'widgets', singularName: 'widget', kind: 'Widget', shortNames: ['wd'], categories: ['all'], namespaced: true},
    );
    t.deepEqual([...(verbs as string[])].sort(), ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']);
    t.is((await client.get(path('widgets', `${group}/v1`))).json<{kind: string}>().kind, 'Widgetry');
    const other = freshGroup();
    await establish(client, definition(other));
    t.is((await client.get(path('widgets', `${other}/v1`))).json<{kind: string}>().kind, 'WidgetList');
  },
);

storeTest('the scope decides where objects are [A-CRD-13] [A-CRD-14] [A-CR-1]', async (t, {client, path}) => {
  const namespaced = freshGroup();
  await establish(client, definition(namespaced));
  t.is((await client.get(path('widgets', `${namespaced}/v1`))).status, 200);
  t.is((await client.post(`/apis/${namespaced}/v1/widgets`, widgetOf(namespaced))).status, 405);
  const cluster = freshGroup();
  await establish(client, definition(cluster, [version()], {scope: 'Cluster'}));
  t.is((await client.post(`/apis/${cluster}/v1/widgets`, widgetOf(cluster))).status, 201);
  t.is((await client.get(path('widgets', `${cluster}/v1`))).status, 404);
});

storeTest('all generic verbs work on custom resources [A-CR-4] [A-CR-2] [A-CR-3]', async (t, {client, path}) => {
  const group = freshGroup();
  await establish(client, definition(group));
  const url = path('widgets', `${group}/v1`);
  const body = (spec: Json) => ({apiVersion: `${group}/v1`, kind: 'Widget', metadata: {name: 'w', labels: {a: 'b'}}, spec});
  const stop = new AbortController();
  const events = client.watch(`${url}?watch=true&resourceVersion=0`, {signal: stop.signal});
  t.is((await client.post(url, body({n: 1}))).status, 201);
  t.is((await events.next()).value?.type, 'ADDED');
  stop.abort();
  const read = (await client.get(`${url}/w`)).json<Json & {metadata: Json}>();
  t.is(read.metadata['generation'], 1);
  t.is((await client.put(`${url}/w`, {...body({n: 2}), metadata: read.metadata})).json<{metadata: Json}>().metadata['generation'], 2);
  t.deepEqual(faultsOf(await client.put(`${url}/w`, body({n: 3}))), [
    'metadata.resourceVersion: Invalid value: 0: must be specified for an update',
  ]);
  t.is((await client.patch(`${url}/w`, {spec: {n: 4}})).json<{spec: Json}>().spec['n'], 4);
  t.is(
    (await client.patch(`${url}/w`, [{op: 'replace', path: '/spec/n', value: 5}], 'application/json-patch+json')).json<{spec: Json}>().spec[
      'n'
    ],
    5,
  );
  t.is((await client.patch(`${url}/w`, {spec: {}}, 'application/strategic-merge-patch+json')).status, 415);
  t.is(
    (
      await client.patch(
        `${url}/x?fieldManager=m`,
        {apiVersion: `${group}/v1`, kind: 'Widget', metadata: {name: 'x'}},
        'application/apply-patch+yaml',
      )
    ).status,
    201,
  );
  t.is((await client.get(`${url}/w/status`)).status, 404);
  t.is((await client.get(`${url}/w/scale`)).status, 404);
  t.is((await client.delete(`${url}/x`)).status, 200);
  t.is((await client.delete(`${url}?labelSelector=a%3Db`)).status, 200);
  t.deepEqual((await client.get(url)).json<{items: unknown[]}>().items, []);
});

storeTest(
  'served versions are served, deprecated ones with a warning, all in order of preference [A-CRD-32] [A-CRD-33] [A-CRD-34] [A-CRD-35] [A-CRD-55] [A-CRD-56] [A-CRD-57]',
  async (t, {client, path}) => {
    const group = freshGroup();
    const extra = (name: string, more: Json = {}) => version(undefined, {name, storage: false, ...more});
    await establish(
      client,
      definition(group, [
        version(),
        extra('foo10'),
        extra('foo1'),
        extra('v11beta1'),
        extra('v11beta2', {deprecated: true, deprecationWarning: 'go to v10'}),
        extra('v2', {deprecated: true}),
        extra('v10'),
        extra('v3', {served: false}),
        extra('v12alpha1'),
      ]),
    );
    const {versions} = (await client.get(`/apis/${group}`)).json<{versions: {version: string}[]}>();
    t.deepEqual(
      versions.map((entry) => entry.version),
      ['v10', 'v2', 'v1', 'v11beta2', 'v11beta1', 'v12alpha1', 'foo1', 'foo10'],
    );
    t.is((await client.get(`/apis/${group}/v3`)).status, 404);
    const warningOf = async (name: string) => (await client.get(path('widgets', `${group}/${name}`))).headers['warning'];
    t.is(await warningOf('v1'), undefined);
    t.is(await warningOf('v11beta2'), '299 - "go to v10"');
    t.is(await warningOf('v2'), `299 - "${group}/v2 Widget is deprecated; use ${group}/v10 Widget"`);
  },
);

storeTest('the warning of a deprecated version names the best one that is served, better and not deprecated', async (t, {client, path}) => {
  const group = freshGroup();
  const extra = (name: string, more: Json = {}) => version(undefined, {name, storage: false, ...more});
  await establish(
    client,
    definition(group, [
      extra('v2', {served: false}),
      version({type: 'object'}, {deprecated: true}),
      extra('v1beta1', {deprecated: true}),
      extra('v1alpha2'),
      extra('v1alpha1', {deprecated: true}),
      extra('other', {deprecated: true}),
    ]),
  );
  const warningOf = async (name: string) => (await client.get(path('widgets', `${group}/${name}`))).headers['warning'];
  t.is(await warningOf('v1'), `299 - "${group}/v1 Widget is deprecated"`);
  t.is(await warningOf('v1beta1'), `299 - "${group}/v1beta1 Widget is deprecated"`);
  t.is(await warningOf('v1alpha1'), `299 - "${group}/v1alpha1 Widget is deprecated; use ${group}/v1alpha2 Widget"`);
  t.is(await warningOf('other'), `299 - "${group}/other Widget is deprecated; use ${group}/v1alpha2 Widget"`);
  t.is(await warningOf('v1alpha2'), undefined);
});

storeTest(
  'each version has its own schema, and without conversion versions differ in nothing but their name [A-CRD-16] [A-CRD-37] [A-CRD-38]',
  async (t, {client, path}) => {
    const group = freshGroup();
    const spec = (type: string) => ({type: 'object', properties: {a: {type, 'x-kubernetes-preserve-unknown-fields': true}}});
    await establish(client, definition(group, [version(spec('string')), version(spec('integer'), {name: 'v2', storage: false})]));
    const body = (name: string, a: unknown) => ({apiVersion: `${group}/${name}`, kind: 'Widget', metadata: {name: `w-${name}`}, spec: {a}});
    t.is((await client.post(path('widgets', `${group}/v1`), body('v1', 5))).status, 422);
    t.is((await client.post(path('widgets', `${group}/v2`), body('v2', 5))).status, 201);
    const [first, second] = await Promise.all(
      ['v1', 'v2'].map(async (name) => (await client.get(`${path('widgets', `${group}/${name}`)}/w-v2`)).json<Json & {metadata: Json}>()),
    );
    t.is(first!['apiVersion'], `${group}/v1`);
    t.deepEqual(
      {...first, apiVersion: '', metadata: {...first!.metadata, managedFields: []}},
      {...second, apiVersion: '', metadata: {...second!.metadata, managedFields: []}},
    );
  },
);

storeTest(
  'a change of the storage version is recorded; a stored version stays until it is dropped [A-CRD-111] [A-CRD-112] [A-CRD-113] [A-CRDE-3]',
  async (t, {client}) => {
    const group = freshGroup();
    const name = `widgets.${group}`;
    const other = (storage: boolean) => version(undefined, {name: 'v2', storage});
    await establish(client, definition(group, [version(), other(false)]));
    const patched = await client.patch(`${definitionsPath}/${name}`, {spec: {versions: [{...version(), storage: false}, other(true)]}});
    t.deepEqual(patched.json<StoredDefinition>().status.storedVersions, ['v1', 'v2']);
    const drop = () => client.patch(`${definitionsPath}/${name}`, {spec: {versions: [other(true)]}});
    t.deepEqual(faultsOf(await drop()), ['status.storedVersions[0]: Invalid value: "v1": must appear in spec.versions']);
    t.is(
      (await client.patch(`${definitionsPath}/${name}/status`, {spec: {scope: 'Cluster'}, status: {storedVersions: ['v2']}})).status,
      200,
    );
    t.is((await client.get(`${definitionsPath}/${name}/status`)).json<StoredDefinition>().spec['scope'], 'Namespaced');
    t.is((await drop()).status, 200);
  },
);

storeTest('an apply merges conditions by their type [A-CRD-108]', async (t, {client}) => {
  const group = freshGroup();
  const name = `widgets.${group}`;
  await establish(client, definition(group));
  const body = {
    apiVersion: 'apiextensions.orch/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name},
    status: {conditions: [{type: 'Reviewed', status: 'True', lastTransitionTime: '2024-01-02T03:04:05Z', reason: 'r', message: 'm'}]},
  };
  const applied = await client.patch(`${definitionsPath}/${name}/status?fieldManager=reviewer`, body, 'application/apply-patch+yaml');
  t.is(applied.status, 200, applied.body.toString());
  t.deepEqual(
    applied.json<StoredDefinition>().status.conditions.map(({type}) => type),
    ['NamesAccepted', 'Established', 'Reviewed'],
  );
});

storeTest('what objects are stored by cannot change once they can exist', async (t, {client}) => {
  const group = freshGroup();
  const name = `widgets.${group}`;
  await establish(client, definition(group));
  t.deepEqual(
    faultsOf(
      await client.patch(`${definitionsPath}/${name}`, {
        spec: {scope: 'Cluster', group: 'other.example.com', names: {kind: 'Gadget', plural: 'gadgets'}},
      }),
    ),
    [
      'spec.scope: Invalid value: "Cluster": field is immutable',
      'spec.names.kind: Invalid value: "Gadget": field is immutable',
      'spec.group: Invalid value: "other.example.com": field is immutable',
      'spec.names.plural: Invalid value: "gadgets": field is immutable',
    ],
  );
});

storeTest('a changed schema holds for the next objects', async (t, {client, path}) => {
  const group = freshGroup();
  await establish(client, definition(group));
  const url = `${path('widgets', `${group}/v1`)}?dryRun=All`;
  const post = (n: unknown) => client.post(url, {apiVersion: `${group}/v1`, kind: 'Widget', metadata: {name: 'w'}, spec: {n}});
  t.is((await post('text')).status, 201);
  const narrow = {spec: {versions: [version({type: 'object', properties: {n: {type: 'integer'}}})]}};
  await change(client, `widgets.${group}`, narrow, async () => (await post('text')).status === 422);
  t.is((await post(1)).status, 201);
});

storeTest('a table shows the columns of the version, or the age [A-CRD-52] [A-CRD-53] [A-CRD-54]', async (t, {client, path}) => {
  const group = freshGroup();
  const additionalPrinterColumns = [
    {name: 'Size', type: 'integer', format: 'int32', description: 'How large.', priority: 1, jsonPath: '.spec.size'},
    {name: 'Ready', type: 'string', jsonPath: '.spec.conditions[?(@.type=="Ready")].status'},
    {name: 'Since', type: 'date', jsonPath: '.metadata.creationTimestamp'},
    {name: 'None', type: 'boolean', jsonPath: '.spec.none'},
  ];
  await establish(
    client,
    definition(group, [version(undefined, {additionalPrinterColumns}), version(undefined, {name: 'v2', storage: false})]),
  );
  const spec = {
    size: 3,
    conditions: [
      {type: 'Other', status: 'x'},
      {type: 'Ready', status: 'True'},
    ],
  };
  await client.post(path('widgets', `${group}/v1`), {apiVersion: `${group}/v1`, kind: 'Widget', metadata: {name: 'w'}, spec});
  const table = async (name: string) =>
    (await client.get(path('widgets', `${group}/${name}`), {headers: {accept: 'application/json;as=Table;g=meta.orch;v=v1'}})).json<{
      columnDefinitions: Json[];
      rows: {cells: unknown[]}[];
    }>();
  const own = await table('v1');
  t.deepEqual(own.columnDefinitions[1], {name: 'Size', type: 'integer', format: 'int32', description: 'How large.', priority: 1});
  t.deepEqual(
    own.columnDefinitions.map(({name}) => name),
    ['Name', 'Size', 'Ready', 'Since', 'None'],
  );
  t.deepEqual(
    own.rows[0]!.cells.map((cell) => (/^\d+s$/.test(String(cell)) ? 'AGE' : cell)),
    ['w', 3, 'True', 'AGE', null],
  );
  t.deepEqual(
    (await table('v2')).columnDefinitions.map(({name, type}) => [name, type]),
    [
      ['Name', 'string'],
      ['Age', 'date'],
    ],
  );
});

storeTest('a status subresource keeps spec and status apart [A-CRD-39] [A-CRD-40] [A-CRD-41]', async (t, {client, path}) => {
  const group = freshGroup();
  await establish(client, definition(group, [version(undefined, {subresources: {status: {}}})]));
  const url = path('widgets', `${group}/v1`);
  const made = (
    await client.post(url, {apiVersion: `${group}/v1`, kind: 'Widget', metadata: {name: 'w'}, spec: {n: 1}, status: {s: 1}})
  ).json<Json>();
  t.false('status' in made);
  const status = await client.patch(`${url}/w/status`, {metadata: {labels: {a: 'b'}}, spec: {n: 2}, status: {s: 2}});
  const {spec, status: value, metadata} = status.json<{spec: Json; status: Json; metadata: Json}>();
  t.deepEqual([spec, value, metadata['generation']], [{n: 1}, {s: 2}, 1]);
  const main = (await client.patch(`${url}/w`, {spec: {n: 3}, status: {s: 3}})).json<{spec: Json; status: Json; metadata: Json}>();
  t.deepEqual([main.spec, main.status, main.metadata['generation']], [{n: 3}, {s: 2}, 2]);
  t.is((await client.get(`${url}/w/status`)).status, 200);
});

storeTest('a status subresource is one of a version: through another version the status is a field like any', async (t, {client, path}) => {
  const group = freshGroup();
  await establish(
    client,
    definition(group, [version(undefined, {subresources: {status: {}}}), version(undefined, {name: 'v2', storage: false})]),
  );
  const [one, two] = [path('widgets', `${group}/v1`), path('widgets', `${group}/v2`)];
  t.is((await client.post(one, widgetOf(group, 'a', {status: {phase: 'set'}}))).json<Json>()['status'], undefined);
  t.deepEqual((await client.post(two, widgetOf(group, 'b', {apiVersion: `${group}/v2`, status: {phase: 'set'}}))).json<Json>()['status'], {
    phase: 'set',
  });
  t.deepEqual((await client.patch(`${one}/b`, {status: {phase: 'other'}})).json<Json>()['status'], {phase: 'set'});
  t.deepEqual((await client.patch(`${two}/b`, {status: {phase: 'other'}})).json<Json>()['status'], {phase: 'other'});
  t.is((await client.get(`${one}/b/status`)).status, 200);
  t.is((await client.get(`${two}/b/status`)).status, 404);
});

storeTest(
  'a scale subresource reads and writes where its paths lead [A-CRD-42] [A-CRD-44] [A-CRD-45] [A-CRD-47] [A-CRD-48] [A-CRD-49]',
  async (t, {client, path}) => {
    const group = freshGroup();
    const subresources = {
      status: {},
      scale: {specReplicasPath: '.spec.size.n', statusReplicasPath: '.status.n', labelSelectorPath: '.status.selector'},
    };
    await establish(client, definition(group, [version(undefined, {subresources})]));
    const url = path('widgets', `${group}/v1`);
    await client.post(url, {apiVersion: `${group}/v1`, kind: 'Widget', metadata: {name: 'w'}, spec: {size: {n: 2}}});
    const read = async () => (await client.get(`${url}/w/scale`)).json<{apiVersion: string; kind: string; spec: Json; status: Json}>();
    const {apiVersion, kind, spec, status} = await read();
    t.deepEqual([apiVersion, kind, spec, status], ['autoscaling/v1', 'Scale', {replicas: 2}, {replicas: 0}]);
    await client.patch(`${url}/w/status`, {status: {n: 1, selector: 'a=b'}});
    t.deepEqual((await read()).status, {replicas: 1, selector: 'a=b'});
    t.deepEqual(faultsOf(await client.patch(`${url}/w/status`, {status: {selector: {matchLabels: {a: 'b'}}}})), [
      '.status.selector: Invalid value: "": .status.selector accessor error: map[matchLabels:map[a:b]] is of the type map[string]interface {}, expected string',
    ]);
    t.is((await client.patch(`${url}/w/scale`, {spec: {replicas: 5}})).status, 200);
    t.deepEqual((await client.get(`${url}/w`)).json<{spec: Json}>().spec, {size: {n: 5}});
    t.deepEqual(faultsOf(await client.patch(`${url}/w`, {spec: {size: {n: -1}}})), [
      '.spec.size.n: Invalid value: -1: should be a non-negative integer',
    ]);
    await client.post(url, {apiVersion: `${group}/v1`, kind: 'Widget', metadata: {name: 'none'}});
    t.true((await client.get(`${url}/none/scale`)).status >= 400);
  },
);

storeTest('an object without replicas can be scaled, and a Scale be put without a version', async (t, {client, path}) => {
  const group = freshGroup();
  await establish(
    client,
    definition(group, [version(undefined, {subresources: {scale: {specReplicasPath: '.spec.size.n', statusReplicasPath: '.status.n'}}})]),
  );
  const url = path('widgets', `${group}/v1`);
  const sizeOf = async (name: string) => (await client.get(`${url}/${name}`)).json<{spec?: Json}>().spec?.['size'];
  for (const name of ['patched', 'put']) await client.post(url, {apiVersion: `${group}/v1`, kind: 'Widget', metadata: {name}});
  const refused = await client.patch(`${url}/patched/scale`, {metadata: {labels: {a: 'b'}}});
  t.is(refused.status, 400);
  t.is(refused.json<{message: string}>().message, 'the spec replicas field ".spec.size.n" cannot be empty');
  const patched = await client.patch(`${url}/patched/scale`, {spec: {replicas: 3}});
  t.is(patched.status, 200);
  t.deepEqual([patched.json<{spec: Json}>().spec, await sizeOf('patched')], [{replicas: 3}, {n: 3}]);
  const scale = {apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: {name: 'put'}, spec: {replicas: 4}};
  t.is((await client.put(`${url}/put/scale`, scale)).status, 200);
  t.deepEqual(await sizeOf('put'), {n: 4});
  const stale = (await client.get(`${url}/put/scale`)).json<{metadata: {resourceVersion: string}}>().metadata.resourceVersion;
  t.is((await client.put(`${url}/put/scale`, {...scale, spec: {replicas: 5}})).status, 200);
  t.is((await client.put(`${url}/put/scale`, {...scale, metadata: {name: 'put', resourceVersion: stale}})).status, 409);
  t.deepEqual(await sizeOf('put'), {n: 5});
});

storeTest('fields for selectors select', async (t, {client, path}) => {
  const group = freshGroup();
  const spec = {type: 'object', properties: {color: {type: 'string'}, loud: {type: 'boolean'}}};
  await establish(client, definition(group, [version(spec, {selectableFields: [{jsonPath: '.spec.color'}, {jsonPath: '.spec.loud'}]})]));
  const url = path('widgets', `${group}/v1`);
  for (const [name, color] of [
    ['a', 'red'],
    ['b', 'blue'],
  ])
    await client.post(url, {apiVersion: `${group}/v1`, kind: 'Widget', metadata: {name}, spec: {color, loud: color === 'red'}});
  const names = async (selector: string) =>
    (await client.get(`${url}?fieldSelector=${encodeURIComponent(selector)}`))
      .json<{items: {metadata: Json}[]}>()
      .items.map(({metadata}) => metadata['name']);
  t.deepEqual(await names('spec.color=red'), ['a']);
  t.deepEqual(await names('spec.loud!=true'), ['b']);
  t.is((await client.get(`${url}?fieldSelector=spec.size%3D1`)).status, 400);
});

storeTest('the schema of a type is published for that group version [A-CRD-4]', async (t, {client}) => {
  const group = freshGroup();
  await establish(
    client,
    definition(group, [version({type: 'object', properties: {size: {type: 'integer', description: 'How large it is.'}}})]),
  );
  const document = await client.get(`/openapi/v3/apis/${group}/v1`);
  t.is(document.status, 200);
  t.true(document.body.includes('How large it is.'));
});

storeTest('conversion by webhook fails with a reason while it cannot be made', async (t, {client, path}) => {
  const group = freshGroup();
  const conversion = {strategy: 'Webhook', webhook: {clientConfig: {url: 'https://127.0.0.1:1/convert'}, conversionReviewVersions: ['v1']}};
  await establish(client, definition(group, [version(), version(undefined, {name: 'v2', storage: false})], {conversion}));
  t.is((await client.post(path('widgets', `${group}/v1`), {apiVersion: `${group}/v1`, kind: 'Widget', metadata: {name: 'w'}})).status, 201);
  const read = await client.get(`${path('widgets', `${group}/v2`)}/w`);
  t.is(read.status, 500);
  t.true(read.body.includes('conversion webhook'));
  t.is((await readDefinition(client, `widgets.${group}`)).spec['conversion'] !== undefined, true);
});

test('discovery shows a type when its definition says that it is established, and not before', async (t) => {
  const released = Promise.withResolvers<void>();
  const holding = definePlugin({name: 'holding'}, [
    defineAdmission({
      name: 'HoldStatus',
      operations: ['UPDATE'],
      resources: ['customresourcedefinitions/status.apiextensions.orch'],
      create: () => ({validate: () => released.promise}),
    }),
  ]);
  const server = await startTestServer({plugins: [holding]});
  t.teardown(() => server.stop());
  const {client} = server;
  const group = freshGroup();
  const path = `/apis/${group}/v1/namespaces/default/widgets`;
  t.is((await client.post(definitionsPath, definition(group))).status, 201);
  await until('the type is served', async () => (await client.post(path, widgetOf(group))).status === 201);
  t.is((await client.get(`/apis/${group}/v1`)).status, 404);
  released.resolve();
  await until('discovery has it', async () => (await client.get(`/apis/${group}/v1`)).status === 200);
  const read = await readDefinition(client, `widgets.${group}`);
  t.is(condition(read, 'Established')?.status, 'True');
  t.is((await client.put(`${definitionsPath}/widgets.${group}`, read)).status, 200);
});
