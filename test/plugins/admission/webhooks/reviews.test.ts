import {eventually} from '../../../helpers/eventually.js';
import {assertFailure} from '../../../semantics/answers.js';
import {patching, testHooksOnEachStore} from './hook-tests.js';

const eachStore = testHooksOnEachStore({disableAdmissionPlugins: ['ServiceAccount']});
const both = ['mutating', 'validating'] as const;
const rule = (resource: string, change: object = {}) => ({
  operations: ['*'],
  apiGroups: ['*'],
  apiVersions: ['*'],
  resources: [resource],
  ...change,
});
const pod = (name: string) => ({metadata: {name}, spec: {containers: [{name: 'c', image: 'i'}]}});

eachStore(
  'a review says what is done, to what, by whom and with which options [B-HOOK-41] [B-HOOK-42] [B-HOOK-43] [B-HOOK-45] [B-HOOK-46] [B-HOOK-47] [B-HOOK-48] [B-HOOK-49] [B-HOOK-50]',
  async (t, {client, path, namespace}, hooks) => {
    const types: (string | undefined)[] = [];
    for (const kind of both)
      await hooks.configure(kind, [
        {
          name: `${kind}.example.com`,
          answer: (_review, _response, request) => (types.push(`${request.method} ${request.headers['content-type']}`), {allowed: true}),
        },
      ]);
    const collection = path('configmaps');
    await client.post(`${collection}?fieldManager=me`, {metadata: {name: 'one'}, data: {a: '1'}});
    await client.patch(`${collection}/one`, {data: {a: '2'}});
    await client.delete(`${collection}/one?gracePeriodSeconds=0`);
    t.deepEqual([...new Set(types)], ['POST application/json']);
    for (const kind of both) {
      const seen = hooks.reviews(`${kind}.example.com`);
      t.is(new Set(seen.map(({request}) => request.uid)).size, 3);
      t.true(
        seen.every(
          (review) =>
            review.apiVersion === 'admission.orch/v1' && review['kind'] === 'AdmissionReview' && typeof review.request.uid === 'string',
        ),
      );
      const resource = {group: '', version: 'v1', resource: 'configmaps'};
      const gvk = {group: '', version: 'v1', kind: 'ConfigMap'};
      const common = {name: 'one', namespace, dryRun: false, kind: gvk, resource, requestKind: gvk, requestResource: resource};
      const optionsOf = (operation: string, more: object = {}) => ({kind: `${operation}Options`, apiVersion: 'meta.orch/v1', ...more});
      const [create, update, remove] = seen.map(({request}) => request);
      t.like(create, {...common, operation: 'CREATE', oldObject: null, options: optionsOf('Create', {fieldManager: 'me'})});
      t.deepEqual(create!.object!['data'], {a: '1'});
      t.like(update, {...common, operation: 'UPDATE', options: optionsOf('Update')});
      t.deepEqual([update!.object!['data'], update!.oldObject!['data']], [{a: '2'}, {a: '1'}]);
      t.like(remove, {...common, operation: 'DELETE', object: null, options: optionsOf('Delete', {gracePeriodSeconds: 0})});
      t.deepEqual(remove!.oldObject!['data'], {a: '2'});
      t.false(Object.hasOwn(create!, 'subResource'));
      t.like(create!['userInfo'], {groups: ['system:masters', 'system:authenticated']});
    }
  },
);

eachStore(
  'a review names the user with uid, groups and extra, also one that is impersonated [B-HOOK-46]',
  async (t, {server, path}, hooks) => {
    await hooks.configure('validating', [{name: 'a.example.com'}]);
    const headers = {
      'impersonate-user': 'ada',
      'impersonate-uid': '17',
      'impersonate-group': ['system:masters', 'engines'],
      'impersonate-extra-scopes': ['read', 'write'],
    };
    const response = await server.client.request('POST', path('configmaps'), {body: {metadata: {name: 'one'}}, headers} as never);
    t.is(response.status, 201, response.body.toString());
    t.deepEqual(hooks.reviews('a.example.com')[0]!.request['userInfo'], {
      username: 'ada',
      uid: '17',
      groups: ['system:masters', 'engines', 'system:authenticated'],
      extra: {scopes: ['read', 'write']},
    });
  },
);

eachStore(
  'a dry run is told to webhooks without side effects, and stores nothing [B-HOOK-33] [B-HOOK-50] [A-DRY-5] [A-DRY-6]',
  async (t, {client, path}, hooks) => {
    await hooks.configure('mutating', [
      {name: 'm.example.com', sideEffects: 'NoneOnDryRun', answer: () => patching([{op: 'add', path: '/data', value: {set: 'yes'}}])},
    ]);
    await hooks.configure('validating', [
      {name: 'v.example.com', answer: ({request}) => ({allowed: request.object!.metadata.name !== 'no'})},
    ]);
    const made = await client.post(`${path('configmaps')}?dryRun=All`, {metadata: {name: 'yes'}});
    t.is(made.status, 201);
    t.deepEqual(made.json<{data: unknown}>().data, {set: 'yes'});
    t.is((await client.post(`${path('configmaps')}?dryRun=All`, {metadata: {name: 'no'}})).status, 400);
    for (const name of ['m.example.com', 'v.example.com']) for (const {request} of hooks.reviews(name)) t.is(request['dryRun'], true);
    t.is((await client.get(`${path('configmaps')}/yes`)).status, 404);
  },
);

eachStore(
  'objects of a collection are reviewed one by one when it is deleted, without the name that the request does not have; one that is refused stays [B-HOOK-45]',
  async (t, {client, path}, hooks) => {
    await hooks.configure('validating', [
      {
        name: 'a.example.com',
        rules: [rule('configmaps', {operations: ['DELETE']})],
        answer: ({request}) => ({
          allowed: request.oldObject?.metadata.name !== 'stays',
          status: {code: 403, reason: 'Forbidden', message: 'kept'},
        }),
      },
    ]);
    for (const name of ['goes', 'stays']) await client.post(path('configmaps'), {metadata: {name, labels: {mine: 'yes'}}});
    assertFailure(
      t,
      await client.delete(`${path('configmaps')}?labelSelector=mine%3Dyes`),
      403,
      'Forbidden',
      /"a\.example\.com" denied the request: kept$/,
    );
    const names = hooks.reviews('a.example.com').map(({request}) => [request.operation, request.name, request.oldObject?.metadata.name]);
    t.deepEqual(names.sort(), [
      ['DELETE', undefined, 'goes'],
      ['DELETE', undefined, 'stays'],
    ]);
    const left = (await client.get(`${path('configmaps')}?labelSelector=mine%3Dyes`)).json<{items: {metadata: {name: string}}[]}>();
    t.deepEqual(
      left.items.map(({metadata}) => metadata.name),
      ['stays'],
    );
  },
);

eachStore(
  'subresources are reviewed as what their bodies are [B-HOOK-15] [B-HOOK-16] [B-HOOK-18] [B-HOOK-43]',
  async (t, {client, path}, hooks) => {
    await hooks.configure('validating', [
      {name: 'all.example.com', rules: [rule('*/*')]},
      {name: 'status.example.com', rules: [rule('*/status', {scope: 'Namespaced'})]},
      {name: 'pods.example.com', rules: [rule('pods/*')]},
    ]);
    const apps = path('deployments', 'apps/v1');
    const labels = {app: 'a'};
    await client.post(apps, {
      metadata: {name: 'd'},
      spec: {replicas: 1, selector: {matchLabels: labels}, template: {metadata: {labels}, spec: pod('x').spec}},
    });
    await client.patch(`${apps}/d/scale`, {spec: {replicas: 4}});
    await client.patch(`${apps}/d/status`, {status: {replicas: 3}});
    await client.post(path('pods'), pod('p'));
    await client.post(`${path('pods')}/p/eviction`, {apiVersion: 'policy/v1', kind: 'Eviction', metadata: {name: 'p'}});
    await client.request('GET', `${path('pods')}/p/exec?command=ls&container=c&stdout=true`);
    const seen = hooks.reviews('all.example.com').map(({request}) => request);
    const scale = seen.find((request) => request['subResource'] === 'scale')!;
    const gvk = {group: 'autoscaling', version: 'v1', kind: 'Scale'};
    t.like(scale, {
      operation: 'UPDATE',
      name: 'd',
      kind: gvk,
      requestKind: gvk,
      requestSubResource: 'scale',
      resource: {group: 'apps', version: 'v1', resource: 'deployments'},
    });
    t.deepEqual([scale.object!['spec'], scale.oldObject!['spec']], [{replicas: 4}, {replicas: 1}]);
    t.is(scale.oldObject!['kind'], 'Scale');
    const status = hooks.reviews('status.example.com').map(({request}) => request);
    t.deepEqual(
      status.map((request) => [request['subResource'], request.object!['kind']]),
      [['status', 'Deployment']],
    );
    const ofPods = hooks.reviews('pods.example.com').map(({request}) => request);
    t.like(
      ofPods.find((request) => request['subResource'] === 'eviction'),
      {operation: 'CREATE', name: 'p', kind: {group: 'policy', version: 'v1', kind: 'Eviction'}, oldObject: null},
    );
    const exec = ofPods.find((request) => request['subResource'] === 'exec')!;
    t.like(exec, {
      operation: 'CONNECT',
      name: 'p',
      oldObject: null,
      options: null,
      kind: {group: '', version: 'v1', kind: 'PodExecOptions'},
    });
    t.like(exec.object, {kind: 'PodExecOptions', container: 'c', command: ['ls'], stdout: true});
  },
);

eachStore('a webhook can refuse a connection, and cannot patch its options [B-HOOK-10]', async (t, {client, path}, hooks) => {
  await client.post(path('pods'), pod('p'));
  await hooks.configure('mutating', [
    {
      name: 'm.example.com',
      rules: [rule('pods/attach', {operations: ['CONNECT']})],
      answer: () => patching([{op: 'add', path: '/stdin', value: true}]),
    },
  ]);
  await hooks.configure('validating', [
    {
      name: 'v.example.com',
      rules: [rule('pods/exec', {operations: ['CONNECT']})],
      answer: () => ({allowed: false, status: {code: 403, reason: 'Forbidden', message: 'no shells'}}),
    },
  ]);
  assertFailure(t, await client.request('GET', `${path('pods')}/p/exec?command=ls`), 403, 'Forbidden', /denied the request: no shells$/);
  assertFailure(
    t,
    await client.request('GET', `${path('pods')}/p/attach`),
    500,
    'InternalError',
    /attempted to modify the object, which is not supported for this operation$/,
  );
});

eachStore('a Scale that a mutating webhook changes is what counts [B-HOOK-3]', async (t, {client, path}, hooks) => {
  await hooks.configure('mutating', [
    {
      name: 'm.example.com',
      rules: [rule('deployments/scale')],
      answer: () => patching([{op: 'replace', path: '/spec/replicas', value: 2}]),
    },
  ]);
  const apps = path('deployments', 'apps/v1');
  const labels = {app: 'a'};
  await client.post(apps, {
    metadata: {name: 'd'},
    spec: {replicas: 1, selector: {matchLabels: labels}, template: {metadata: {labels}, spec: pod('x').spec}},
  });
  const scaled = await client.patch(`${apps}/d/scale`, {spec: {replicas: 9}});
  t.is(scaled.json<{spec: {replicas: number}}>().spec.replicas, 2);
  t.is((await client.get(`${apps}/d`)).json<{spec: {replicas: number}}>().spec.replicas, 2);
});

eachStore(
  'namespaces are reviewed with their own name and chosen by their own labels [B-HOOK-17] [B-HOOK-21] [B-HOOK-45]',
  async (t, {client, namespace}, hooks) => {
    await hooks.configure('validating', [
      {name: 'n.example.com', rules: [rule('namespaces', {scope: 'Cluster'})], namespaceSelector: {matchLabels: {of: namespace}}},
    ]);
    await client.post('/api/v1/namespaces', {metadata: {name: `${namespace}-a`, labels: {of: namespace}}});
    await client.post('/api/v1/namespaces', {metadata: {name: `${namespace}-b`}});
    await client.delete(`/api/v1/namespaces/${namespace}-a`);
    t.deepEqual(
      hooks
        .reviews('n.example.com')
        .map(({request}) => [request.operation, request.name, request.namespace])
        .slice(0, 2),
      [
        ['CREATE', `${namespace}-a`, `${namespace}-a`],
        ['DELETE', `${namespace}-a`, `${namespace}-a`],
      ],
    );
  },
);

eachStore('the labels of a namespace decide as they are now [B-HOOK-21]', async (t, {client, path, namespace}, hooks) => {
  await hooks.configure('validating', [
    {name: 'a.example.com', namespaceSelector: {matchLabels: {watched: namespace}}, answer: () => ({allowed: false})},
  ]);
  const create = () => client.post(`${path('configmaps')}?dryRun=All`, {metadata: {name: 'one'}});
  t.is((await create()).status, 201);
  await client.patch(`/api/v1/namespaces/${namespace}`, {metadata: {labels: {watched: namespace}}});
  const refused = await eventually(create, ({status}) => status !== 201, 1000);
  t.is(refused.status, 400);
});

eachStore('labels of the object before or after a write choose it [B-HOOK-19]', async (t, {client, path}, hooks) => {
  await hooks.configure('validating', [{name: 'a.example.com', objectSelector: {matchLabels: {hook: 'yes'}}}]);
  const at = `${path('configmaps')}/one`;
  await client.post(path('configmaps'), {metadata: {name: 'one'}});
  await client.patch(at, {metadata: {labels: {hook: 'yes'}}});
  await client.patch(at, {metadata: {labels: {hook: null}}});
  await client.patch(at, {data: {a: 'b'}});
  t.is(hooks.reviews('a.example.com').length, 2);
});

const definition = (group: string) => ({
  metadata: {name: `things.${group}`},
  spec: {
    group,
    scope: 'Namespaced',
    names: {plural: 'things', kind: 'Thing'},
    versions: ['v1', 'v2'].map((name) => ({
      name,
      served: true,
      storage: name === 'v1',
      schema: {openAPIV3Schema: {type: 'object', properties: {spec: {type: 'object', properties: {size: {type: 'integer', default: 1}}}}}},
    })),
  },
});

eachStore(
  'a request through another version is shown in the one that a rule names, and says which it was; Exact wants the version itself [B-HOOK-23] [B-HOOK-24] [B-HOOK-43] [B-HOOK-44]',
  async (t, {client, path, namespace}, hooks) => {
    const group = `${namespace}.example.com`;
    await client.post('/apis/apiextensions.orch/v1/customresourcedefinitions', definition(group));
    const v2 = path('things', `${group}/v2`);
    await eventually(
      () => client.get(v2),
      ({status}) => status === 200,
    );
    const ofV1 = [{operations: ['*'], apiGroups: [group], apiVersions: ['v1'], resources: ['things']}];
    const grow = () =>
      patching([
        {op: 'replace', path: '/spec/size', value: 5},
        {op: 'add', path: '/spec/unknown', value: 1},
      ]);
    await hooks.configure('mutating', [
      {name: 'equivalent.example.com', rules: ofV1, answer: grow},
      {name: 'exact.example.com', rules: ofV1, matchPolicy: 'Exact'},
    ]);
    const made = await client.post(v2, {apiVersion: `${group}/v2`, kind: 'Thing', metadata: {name: 'one'}, spec: {}});
    t.is(made.status, 201, made.body.toString());
    t.like(made.json(), {apiVersion: `${group}/v2`, spec: {size: 5}});
    t.deepEqual(made.json<{spec: unknown}>().spec, {size: 5});
    t.is(hooks.reviews('exact.example.com').length, 0);
    const {request} = hooks.reviews('equivalent.example.com')[0]!;
    t.like(request, {
      kind: {group, version: 'v1', kind: 'Thing'},
      resource: {group, version: 'v1', resource: 'things'},
      requestKind: {group, version: 'v2', kind: 'Thing'},
      requestResource: {group, version: 'v2', resource: 'things'},
      object: {apiVersion: `${group}/v1`, spec: {size: 1}},
    });
    await client.post(path('things', `${group}/v1`), {apiVersion: `${group}/v1`, kind: 'Thing', metadata: {name: 'two'}, spec: {}});
    t.is(hooks.reviews('exact.example.com').length, 1);
    t.is(hooks.reviews('equivalent.example.com').length, 2);
  },
);

eachStore(
  'a webhook gets the first review version that it names and the server knows [B-HOOK-30] [B-HOOK-41]',
  async (t, {client, path}, hooks) => {
    await hooks.configure('validating', [
      {name: 'old.example.com', admissionReviewVersions: ['v7', 'v1beta1', 'v1']},
      {name: 'new.example.com', admissionReviewVersions: ['v1', 'v1beta1']},
    ]);
    t.is((await client.post(path('configmaps'), {metadata: {name: 'one'}})).status, 201);
    t.is(hooks.reviews('old.example.com')[0]!.apiVersion, 'admission.orch/v1beta1');
    t.is(hooks.reviews('new.example.com')[0]!.apiVersion, 'admission.orch/v1');
  },
);

eachStore(
  'an answer in the older version need say no more than before: no version, no uid, no patchType',
  async (t, {client, path}, hooks) => {
    const patch = Buffer.from('[{"op":"add","path":"/data","value":{"a":"b"}}]').toString('base64');
    await hooks.configure('mutating', [
      {
        name: 'old.example.com',
        admissionReviewVersions: ['v1beta1'],
        answer: (_review, response) => (response.end(JSON.stringify({response: {allowed: true, patch}})), undefined),
      },
    ]);
    const made = await client.post(path('configmaps'), {metadata: {name: 'one'}});
    t.deepEqual(made.json<{data: unknown}>().data, {a: 'b'});
  },
);
