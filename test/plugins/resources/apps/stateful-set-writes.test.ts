import test, {type ExecutionContext} from 'ava';
import type {ApiObject, Status} from '@orch-api/orch/sdk';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import type {StatefulSet, StatefulSetStatus} from '@orch-api/orch/types/unchecked/apps/v1';
import {causesOf} from '../status-causes.js';
import {statefulSet} from './stateful-set-objects.js';

const root = '/apis/apps/v1/namespaces/default/statefulsets';
let server: TestServer;
test.before(async () => {
  server = await startTestServer();
});
test.after.always(() => server?.stop());

async function create(t: ExecutionContext, name: string, spec: Record<string, unknown> = {}): Promise<StatefulSet> {
  const response = await server.client.post(root, statefulSet(name, spec));
  t.is(response.status, 201, response.body.toString());
  return response.json<StatefulSet>();
}

const setStatus = (name: string, status: StatefulSetStatus | Record<string, unknown>) =>
  server.client.patch(`${root}/${name}/status`, {status});

test('an update changes replicas, template, update strategy and minReadySeconds and nothing else of the spec', async (t) => {
  const {metadata} = await create(t, 'fixed');
  const allowed = await server.client.patch(`${root}/fixed`, {
    spec: {
      replicas: 3,
      minReadySeconds: 5,
      updateStrategy: {type: 'OnDelete', rollingUpdate: null},
      template: {metadata: {annotations: {a: 'b'}}},
    },
  });
  t.is(allowed.status, 200, allowed.body.toString());
  t.is(allowed.json<StatefulSet>().metadata.generation, metadata.generation! + 1);
  const refusal =
    "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', " +
    "'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";
  for (const spec of [
    {serviceName: 'other'},
    {revisionHistoryLimit: 3},
    {podManagementPolicy: 'Parallel'},
    {volumeClaimTemplates: [{metadata: {name: 'x'}}]},
  ]) {
    t.deepEqual(causesOf(await server.client.patch(`${root}/fixed`, {spec})), [refusal], JSON.stringify(spec));
  }
});

test('[A-STS-36] status.replicas is always present in a returned object', async (t) => {
  t.is((await create(t, 'counted')).status?.replicas, 0);
  const [item] = (await server.client.get(`${root}?fieldSelector=metadata.name%3Dcounted`)).json<{items: StatefulSet[]}>().items;
  t.is(item?.status?.replicas, 0);
});

test('[A-STS-37] the counts of the status are int32', async (t) => {
  await create(t, 'counts');
  const status = {replicas: 5, readyReplicas: 4, currentReplicas: 3, updatedReplicas: 2, availableReplicas: 1, collisionCount: 7};
  t.like((await setStatus('counts', status)).json<StatefulSet>().status, status);
  for (const member of Object.keys(status)) t.is((await setStatus('counts', {[member]: 2 ** 31})).status, 422, member);
});

test('counts of the status are not negative, fit together, and collisions are not forgotten', async (t) => {
  await create(t, 'limits');
  await setStatus('limits', {collisionCount: 2});
  t.deepEqual(
    causesOf(await setStatus('limits', {replicas: 1, readyReplicas: 2, currentReplicas: -1, availableReplicas: 3, collisionCount: 1})),
    [
      'status.currentReplicas: Invalid value: -1: must be greater than or equal to 0',
      'status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas',
      'status.availableReplicas: Invalid value: 3: cannot be greater than status.replicas',
      'status.availableReplicas: Invalid value: 3: cannot be greater than status.readyReplicas',
      'status.collisionCount: Invalid value: 1: cannot be decremented',
    ],
  );
});

test('[A-STS-39] revisions are texts, and observedGeneration keeps all 64 bits', async (t) => {
  await create(t, 'revisions');
  const body = '{"status":{"currentRevision":"db-1","updateRevision":"db-2","observedGeneration":9007199254740993}}';
  t.is((await server.client.patch(`${root}/revisions/status`, body)).status, 200);
  const text = (await server.client.get(`${root}/revisions`)).body.toString();
  t.regex(text, /"observedGeneration":9007199254740993\b/);
  t.like((JSON.parse(text) as StatefulSet).status, {currentRevision: 'db-1', updateRevision: 'db-2'});
  t.is((await setStatus('revisions', {currentRevision: 5})).status, 422);
});

test('[A-STS-40] status.conditions merges by type in a strategic merge patch', async (t) => {
  await create(t, 'merged');
  const patch = (conditions: object[]) =>
    server.client.patch(`${root}/merged/status`, {status: {conditions}}, 'application/strategic-merge-patch+json');
  await patch([
    {type: 'Ready', status: 'False'},
    {type: 'Stalled', status: 'False'},
  ]);
  const merged = (await patch([{type: 'Ready', status: 'True'}])).json<StatefulSet>();
  const states = Object.fromEntries((merged.status?.conditions ?? []).map(({type, status}) => [type, status]));
  t.deepEqual(states, {Ready: 'True', Stalled: 'False'});
});

test('[A-STS-40] status.conditions merges by type in apply', async (t) => {
  await create(t, 'applied');
  const apply = (manager: string, type: string) => {
    const body = {apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: {name: 'applied'}, status: {conditions: [{type, status: 'True'}]}};
    return server.client.patch(`${root}/applied/status?fieldManager=${manager}`, JSON.stringify(body), 'application/apply-patch+yaml');
  };
  t.is((await apply('first', 'Ready')).status, 200);
  const merged = await apply('second', 'Stalled');
  t.is(merged.status, 200, merged.body.toString());
  t.deepEqual(
    (merged.json<StatefulSet>().status?.conditions ?? []).map(({type}) => type),
    ['Ready', 'Stalled'],
  );
});

test('[A-STS-41] a condition has type and status, which may be empty', async (t) => {
  await create(t, 'incomplete');
  const made = (await setStatus('incomplete', {conditions: [{type: 'Ready'}, {status: 'True'}]})).json<StatefulSet>();
  t.like(made.status?.conditions, [
    {type: 'Ready', status: ''},
    {type: '', status: 'True'},
  ]);
  t.is((await setStatus('incomplete', {conditions: [{type: 'Ready', status: 5}]})).status, 422);
});

test('[A-STS-42] a condition keeps all its fields', async (t) => {
  await create(t, 'complete');
  const conditions = ['True', 'False', 'Unknown'].map((status) => ({
    type: `Type${status}`,
    status,
    lastTransitionTime: '2024-05-06T07:08:09Z',
    message: 'because',
    reason: 'Reason',
  }));
  t.deepEqual((await setStatus('complete', {conditions})).json<StatefulSet>().status?.conditions, conditions);
});

test('[A-STSE-1] [A-STSE-2] a StatefulSet and its status are read by name, pretty too', async (t) => {
  await create(t, 'read');
  for (const path of [`${root}/read`, `${root}/read/status`]) {
    const response = await server.client.get(`${path}?pretty=true`);
    t.is(response.status, 200);
    t.is(response.json<ApiObject>().kind, 'StatefulSet');
    t.regex(response.body.toString(), /^\{\n {2}"/);
  }
});

test('[A-STSE-3] [A-STSE-4] [A-STSE-5] StatefulSets are listed in a namespace and in all, with every parameter', async (t) => {
  await create(t, 'listed');
  for (const path of [root, '/apis/apps/v1/statefulsets']) {
    const list = (await server.client.get(path)).json<ApiObject & {items: ApiObject[]}>();
    t.is(list.kind, 'StatefulSetList');
    t.true(list.items.some(({metadata}) => metadata.name === 'listed'));
    const {resourceVersion} = list.metadata;
    for (const query of [
      'allowWatchBookmarks=true',
      'fieldSelector=metadata.name%3Dlisted',
      'labelSelector=a%3Db',
      'limit=1',
      'pretty=true',
      'resourceVersion=0',
      `resourceVersion=${resourceVersion}&resourceVersionMatch=NotOlderThan`,
      'timeoutSeconds=10',
      'watch=false',
    ]) {
      t.is((await server.client.get(`${path}?${query}`)).status, 200, query);
    }
    t.is((await server.client.get(`${path}?continue=nonsense`)).status, 400);
  }
});

const parameters = 'fieldManager=tester&fieldValidation=Strict&pretty=true';

test('[A-STSE-6] POST creates a StatefulSet; a dry run answers with it and keeps nothing', async (t) => {
  const dry = await server.client.post(`${root}?dryRun=All&${parameters}`, statefulSet('posted'));
  t.is(dry.status, 201);
  t.is(dry.json<StatefulSet>().spec?.replicas, 1);
  t.is((await server.client.get(`${root}/posted`)).status, 404);
  t.is((await server.client.post(`${root}?${parameters}`, statefulSet('posted'))).status, 201);
  t.is((await server.client.post(`${root}?${parameters}`, statefulSet('unknown', {nonsense: 1}))).status, 400);
});

test('[A-STSE-7] writes without a body are refused', async (t) => {
  await create(t, 'bodiless');
  t.is((await server.client.post(root, '')).status, 400);
  t.is((await server.client.put(`${root}/bodiless`, '')).status, 400);
  t.is((await server.client.patch(`${root}/bodiless`, '')).status, 400);
});

for (const [id, method, subresource] of [
  ['[A-STSE-8]', 'PUT', ''],
  ['[A-STSE-9]', 'PUT', '/status'],
  ['[A-STSE-10]', 'PATCH', ''],
  ['[A-STSE-11]', 'PATCH', '/status'],
] as const) {
  test(`${id} ${method} …/statefulsets/<name>${subresource} changes what the endpoint is for, with every parameter`, async (t) => {
    const name = `${method.toLowerCase()}${subresource.replace('/', '-')}`;
    const object = await create(t, name);
    const body = {...object, spec: {...object.spec, replicas: 4}, status: {replicas: 3}};
    const headers = {'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'};
    const send = (query: string) => server.client.request(method, `${root}/${name}${subresource}?${query}`, {body, headers});
    const replicas = ({spec, status}: StatefulSet) => [spec?.replicas, status?.replicas];
    const changed = subresource === '' ? [4, 0] : [1, 3];
    const read = async () => (await server.client.get(`${root}/${name}`)).json<StatefulSet>();

    const dry = await send(`dryRun=All&${parameters}`);
    t.is(dry.status, 200, dry.body.toString());
    t.deepEqual(replicas(dry.json<StatefulSet>()), changed);
    t.deepEqual(replicas(await read()), [1, 0]);

    const strict = await server.client.request(method, `${root}/${name}${subresource}?${parameters}`, {
      body: {...body, nonsense: 1},
      headers,
    });
    t.is(strict.status, method === 'PATCH' ? 422 : 400);
    const response = await send(parameters);
    t.is(response.status, 200, response.body.toString());
    t.regex(response.body.toString(), /^\{\n {2}"/);
    t.deepEqual(replicas(response.json<StatefulSet>()), changed);
    const {metadata} = await read();
    t.true(
      metadata.managedFields?.some(({manager, subresource: below}) => manager === 'tester' && `/${below ?? ''}` === (subresource || '/')),
    );
  });
}

test('[A-STSE-10] [A-STSE-11] PATCH as an apply creates with 201, changes with 200, and takes a field over with force only', async (t) => {
  const apply = (manager: string, query: string, replicas: number, below = '') => {
    const counts =
      below === ''
        ? statefulSet('by-apply', {replicas})
        : {apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: {name: 'by-apply'}, status: {replicas}};
    return server.client.patch(
      `${root}/by-apply${below}?fieldManager=${manager}${query}`,
      JSON.stringify(counts),
      'application/apply-patch+yaml',
    );
  };
  t.is((await apply('first', '', 1)).status, 201);
  t.is((await apply('first', '', 2)).status, 200);
  t.is((await apply('second', '', 3)).status, 409);
  t.is((await apply('second', '&force=true', 3)).json<StatefulSet>().spec?.replicas, 3);
  t.is((await apply('first', '', 1, '/status')).status, 200);
  t.is((await apply('second', '', 2, '/status')).status, 409);
  t.is((await apply('second', '&force=true', 2, '/status')).json<StatefulSet>().status?.replicas, 2);
});

test('[A-STSE-12] DELETE takes options in the body and in the query and answers 200', async (t) => {
  await create(t, 'gone');
  const path = `${root}/gone?gracePeriodSeconds=0&propagationPolicy=Background&pretty=true`;
  t.is((await server.client.delete(`${path}&dryRun=All`)).status, 200);
  t.is((await server.client.get(`${root}/gone`)).status, 200);
  const response = await server.client.delete(path, {body: {kind: 'DeleteOptions', apiVersion: 'v1', preconditions: {}}});
  t.is(response.status, 200);
  t.is((await server.client.get(`${root}/gone`)).status, 404);
});

test('[A-STSE-13] DELETE of the collection takes selectors and options and answers a Status', async (t) => {
  const namespace = 'kube-free';
  await server.client.post('/api/v1/namespaces', {metadata: {name: namespace}});
  const collection = `/apis/apps/v1/namespaces/${namespace}/statefulsets`;
  for (const name of ['one', 'two', 'three']) {
    const object = statefulSet(name);
    object.metadata.labels = {half: name === 'one' ? 'first' : 'second'};
    t.is((await server.client.post(collection, object)).status, 201);
  }
  const left = async () => (await server.client.get(collection)).json<{items: ApiObject[]}>().items.map(({metadata}) => metadata.name);
  const query = 'labelSelector=half%3Dsecond&gracePeriodSeconds=0&propagationPolicy=Background&timeoutSeconds=10&pretty=true';
  await server.client.delete(`${collection}?${query}&dryRun=All`);
  t.is((await left()).length, 3);
  const response = await server.client.delete(`${collection}?${query}`, {body: {kind: 'DeleteOptions', apiVersion: 'v1'}});
  t.is(response.status, 200);
  t.is(response.json<Status>().status, 'Success');
  t.deepEqual(await left(), ['one']);
  t.is(
    (
      await server.client.delete(
        `${collection}?fieldSelector=metadata.name%3Done&limit=10&resourceVersion=0&resourceVersionMatch=NotOlderThan`,
      )
    ).status,
    200,
  );
  t.deepEqual(await left(), []);
});
