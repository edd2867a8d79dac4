import test from 'ava';
import {startTestServer, type TestResponse} from '@orch-api/orch/testing';
import {causesOf, faultyFields, servedGroup, tableRows} from '../served-group.js';

const client = servedGroup(test, {runtimeConfig: ['resource.orch/v1alpha1=true']});
const path = (namespace: string) => `/apis/resource.orch/v1alpha1/namespaces/${namespace}/resourceclaimtemplates`;
const claim = {
  resourceClassName: 'gpu',
  parametersRef: {apiGroup: 'gpu.example', kind: 'Parameters', name: 'large'},
  allocationMode: 'Immediate',
};
const template = (name: string, spec: unknown = {spec: claim}) => ({
  apiVersion: 'resource.orch/v1alpha1',
  kind: 'ResourceClaimTemplate',
  metadata: {name},
  spec,
});
const object = (response: TestResponse) =>
  response.json<Record<string, unknown> & {metadata: Record<string, unknown>; spec: Record<string, unknown>}>();

async function namespace(name: string): Promise<string> {
  await client().post('/api/v1/namespaces', {metadata: {name}});
  return path(name);
}

test('the group is off until --runtime-config turns it on', async (t) => {
  await using server = await startTestServer();
  t.is((await server.client.get('/apis/resource.orch/v1alpha1')).status, 404);
  t.false((await server.client.get('/apis')).body.includes('resource.orch'));
});

test('[A-RCT-1] a template is a namespaced object of resource.orch/v1alpha1', async (t) => {
  const url = await namespace('kind');
  const made = object(await client().post(url, template('one')));
  t.like(made, {apiVersion: 'resource.orch/v1alpha1', kind: 'ResourceClaimTemplate'});
  t.is(made.metadata['namespace'], 'kind');
});

test('[A-RCT-2] [A-RCT-4] spec and spec.spec must be there', async (t) => {
  const url = await namespace('required');
  for (const spec of [undefined, null, {}]) {
    t.deepEqual(causesOf(await client().post(url, {...template('none'), spec})), [
      'spec: Required value',
      'spec.spec.resourceClassName: Required value',
    ]);
  }
  for (const inner of [undefined, null, {}]) {
    const response = await client().post(url, template('half', {metadata: {labels: {a: 'b'}}, spec: inner}));
    t.deepEqual(causesOf(response), ['spec.spec: Required value', 'spec.spec.resourceClassName: Required value']);
  }
});

test('[A-RCT-3] the spec cannot change', async (t) => {
  const url = await namespace('immutable');
  const made = object(await client().post(url, template('one', {metadata: {labels: {a: 'b'}}, spec: claim})));
  for (const spec of [
    {...made.spec, spec: {...claim, resourceClassName: 'other'}},
    {...made.spec, metadata: {labels: {a: 'c'}}},
    {spec: claim},
  ]) {
    const response = await client().put(`${url}/one`, {...made, spec});
    t.deepEqual(faultyFields(response), ['spec']);
    t.true(causesOf(response)[0]!.endsWith('field is immutable'));
  }
  t.is((await client().put(`${url}/one`, {...made, metadata: {...made.metadata, labels: {c: 'd'}}})).status, 200);
});

test('[A-RCT-5] spec.metadata keeps labels and annotations', async (t) => {
  const url = await namespace('metadata');
  const metadata = {labels: {app: 'x'}, annotations: {'example.com/note': 'any text'}};
  t.is((await client().post(url, template('one', {metadata, spec: claim}))).status, 201);
  t.like(object(await client().get(`${url}/one`)).spec, {metadata});
  const bad = await client().post(url, template('bad', {metadata: {labels: {app: '-'}, annotations: {'a b': ''}}, spec: claim}));
  t.deepEqual(faultyFields(bad), ['spec.metadata.labels', 'spec.metadata.annotations']);
});

test('[A-RCT-6] any other field of spec.metadata is refused', async (t) => {
  const url = await namespace('other-metadata');
  const others = {
    name: 'x',
    generateName: 'x-',
    namespace: 'x',
    finalizers: ['a.b/c'],
    ownerReferences: [{apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u'}],
    uid: 'u',
  };
  for (const [member, value] of Object.entries(others)) {
    const response = await client().post(url, template('one', {metadata: {labels: {a: 'b'}, [member]: value}, spec: claim}));
    t.deepEqual(causesOf(response), [`spec.metadata.${member}: Forbidden: cannot be set`]);
  }
  t.deepEqual(
    faultyFields(await client().post(url, template('all', {metadata: others, spec: claim}))).sort(),
    Object.keys(others)
      .map((member) => `spec.metadata.${member}`)
      .sort(),
  );
  t.is((await client().post(url, template('null', {metadata: {creationTimestamp: null}, spec: claim}))).status, 201);
});

test('[A-RCT-10] spec.spec has the fields and rules of a claim', async (t) => {
  const url = await namespace('claims');
  const claims = url.replace('templates', 's');
  t.deepEqual(object(await client().post(url, template('one'))).spec['spec'], claim);
  t.deepEqual(object(await client().post(claims, {metadata: {name: 'one'}, spec: claim})).spec, claim);
  const bad = {resourceClassName: 'Bad Name', parametersRef: {}, allocationMode: 'Later'};
  const ofTemplate = faultyFields(await client().post(url, template('bad', {spec: bad})));
  const ofClaim = faultyFields(await client().post(claims, {metadata: {name: 'bad'}, spec: bad}));
  t.deepEqual(ofClaim, ['spec.resourceClassName', 'spec.parametersRef.kind', 'spec.parametersRef.name', 'spec.allocationMode']);
  t.deepEqual(
    ofTemplate,
    ofClaim.map((field) => `spec.${field}`),
  );
  t.like(object(await client().post(url, template('short', {spec: {resourceClassName: 'gpu'}}))).spec['spec'], {
    allocationMode: 'WaitForFirstConsumer',
  });
});

test('[A-RCTE-1] [A-RCT-9] every verb works on templates', async (t) => {
  const url = await namespace('verbs');
  const made = await client().post(url, template('one'));
  t.is(made.status, 201);
  t.is((await client().get(`${url}/one`)).status, 200);
  const list = (await client().get(url)).json<{kind: string; items: unknown[]; metadata: {resourceVersion: string}}>();
  t.is(list.kind, 'ResourceClaimTemplateList');
  t.is(list.items.length, 1);
  t.is((await client().put(`${url}/one`, {...object(made), metadata: {...object(made).metadata, labels: {a: 'b'}}})).status, 200);
  t.is((await client().patch(`${url}/one`, {metadata: {labels: {a: 'c'}}})).status, 200);
  const seen: string[] = [];
  for await (const {type} of client().watch(`${url}?watch=true&resourceVersion=${list.metadata.resourceVersion}`)) {
    seen.push(type);
    if (seen.length === 2) break;
  }
  t.deepEqual(seen, ['MODIFIED', 'MODIFIED']);
  t.like((await tableRows(client(), url))[0], {Name: 'one', ResourceClassName: 'gpu', AllocationMode: 'Immediate'});
  t.is((await client().delete(url)).status, 200);
  t.is((await client().get(url)).json<{items: unknown[]}>().items.length, 0);
});

test('[A-RCTE-2] the templates of all namespaces are listed together', async (t) => {
  for (const name of ['all-one', 'all-two']) await client().post(await namespace(name), template('everywhere'));
  const response = await client().get('/apis/resource.orch/v1alpha1/resourceclaimtemplates?fieldSelector=metadata.name%3Deverywhere');
  t.deepEqual(
    response.json<{items: {metadata: {namespace: string}}[]}>().items.map(({metadata}) => metadata.namespace),
    ['all-one', 'all-two'],
  );
});

test('[A-RCTE-3] a template has no status', async (t) => {
  const url = await namespace('status');
  await client().post(url, template('one'));
  t.is((await client().get(`${url}/one/status`)).status, 404);
});

test('[A-RCTE-4] deleting a template answers the template', async (t) => {
  const url = await namespace('deleted');
  await client().post(url, template('one'));
  const response = await client().delete(`${url}/one`);
  t.is(response.status, 200);
  t.like(object(response), {kind: 'ResourceClaimTemplate', spec: {spec: claim}});
  t.is((await client().get(`${url}/one`)).status, 404);
});
