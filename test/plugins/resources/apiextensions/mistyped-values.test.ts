import {testOnEachStore} from '../../../helpers/each-store.js';
import {change, definition, definitionsPath, establish, faultsOf, freshGroup, version, widgetOf, type Json} from './definition-fixture.js';

const storeTest = testOnEachStore({release: '1.36'});
const merge = 'application/merge-patch+json';
const json = 'application/json-patch+json';
const apply = 'application/apply-patch+yaml';
const fault = (member: string) =>
  `${member}.a: Invalid value: "string": ${member === 'status' ? 'a' : 'spec.a'} in body must be of type integer: "string"`;

storeTest('an update leaves values as they are that a changed definition has another type for', async (t, {client, path}) => {
  const group = freshGroup();
  const name = `widgets.${group}`;
  const of = (a: Json) => {
    const part = {type: 'object', properties: {a, b: {type: 'string'}}};
    return version(undefined, {
      schema: {openAPIV3Schema: {type: 'object', properties: {spec: part, status: part}}},
      subresources: {status: {}},
    });
  };
  await establish(client, definition(group, [of({type: 'string'})]));
  const collection = path('widgets', `${group}/v1`);
  const item = `${collection}/w`;
  t.is((await client.post(collection, widgetOf(group, 'w', {spec: {a: 'x'}}))).status, 201);
  t.is((await client.patch(`${item}/status`, {status: {a: 'x'}}, merge)).status, 200);
  await change(client, name, {spec: {versions: [of({type: 'integer'})]}}, async () => {
    const response = await client.post(`${collection}?dryRun=All`, widgetOf(group, 'other', {spec: {a: 1}}));
    return response.status === 201;
  });

  const changed = async (response: Promise<{status: number; json<T>(): T}>) => {
    const answer = await response;
    t.is(answer.status, 200, JSON.stringify(answer.json()));
    return answer.json<{metadata: Json; spec: Json; status: Json}>();
  };
  t.deepEqual((await changed(client.patch(item, {spec: {b: 'y'}}, merge))).spec, {a: 'x', b: 'y'});
  t.deepEqual((await changed(client.patch(item, [{op: 'add', path: '/metadata/labels', value: {l: 'm'}}], json))).metadata['labels'], {
    l: 'm',
  });
  const current = (await client.get(item)).json<Json>();
  t.deepEqual((await changed(client.put(item, {...current, spec: {a: 'x', b: 'z'}}))).spec, {a: 'x', b: 'z'});
  t.deepEqual((await changed(client.patch(`${item}/status`, {status: {b: 'y'}}, merge))).status, {a: 'x', b: 'y'});
  const applied = {...widgetOf(group, 'w', {spec: {b: 'applied'}})};
  t.deepEqual((await changed(client.patch(`${item}?fieldManager=m&force=true`, applied, apply))).spec, {a: 'x', b: 'applied'});

  t.deepEqual(faultsOf(await client.patch(item, {spec: {a: 'y'}}, merge)), [fault('spec')]);
  t.deepEqual(faultsOf(await client.put(item, {...(await client.get(item)).json<Json>(), spec: {a: 'y'}})), [fault('spec')]);
  t.deepEqual(faultsOf(await client.patch(`${item}/status`, {status: {a: 'y'}}, merge)), [fault('status')]);
  t.deepEqual(faultsOf(await client.post(collection, widgetOf(group, 'new', {spec: {a: 'x'}}))), [fault('spec')]);
  t.deepEqual((await changed(client.patch(item, {spec: {a: 5}}, merge))).spec, {a: 5, b: 'applied'});
});

storeTest('what is of a wrong type is judged once it is known what it replaces', async (t, {client, path}) => {
  const group = freshGroup();
  await establish(client, definition(group, [version({type: 'object', properties: {a: {type: 'integer'}}})]));
  const item = `${path('widgets', `${group}/v1`)}/gone`;
  t.is((await client.put(item, {...widgetOf(group, 'gone', {spec: {a: 'x'}})})).status, 404);
});

storeTest('rules for names in the metadata of objects are held', async (t, {client, path}) => {
  const group = freshGroup();
  const metadata = (name: Json): Json => ({
    schema: {openAPIV3Schema: {type: 'object', properties: {metadata: {type: 'object', properties: {name}}}}},
  });
  const rule = {type: 'string', 'x-kubernetes-validations': [{rule: "self.startsWith('a')", message: 'names begin with a'}]};
  await establish(client, definition(group, [version(undefined, metadata(rule))]));
  const collection = path('widgets', `${group}/v1`);
  t.is((await client.post(collection, widgetOf(group, 'ab'))).status, 201);
  t.deepEqual(faultsOf(await client.post(collection, widgetOf(group, 'ba'))), ['metadata.name: Invalid value: "ba": names begin with a']);

  const broken = {type: 'string', 'x-kubernetes-validations': [{rule: 'self.size() > '}]};
  const [found = ''] = faultsOf(await client.post(definitionsPath, definition(freshGroup(), [version(undefined, metadata(broken))])));
  t.regex(found, /^spec\.validation\.openAPIV3Schema\.properties\[metadata\]\.properties\[name\]\.x-kubernetes-validations\[0\]\.rule: /);
});

storeTest('a rule meets a list where a text has a format, and fails without harm', async (t, {client, path}) => {
  const group = freshGroup();
  const a = {type: 'string', format: 'ipv4', 'x-kubernetes-validations': [{rule: "self.startsWith('1')"}]};
  await establish(client, definition(group, [version({type: 'object', properties: {a}})]));
  const response = await client.post(path('widgets', `${group}/v1`), widgetOf(group, 'w', {spec: {a: ['1']}}));
  t.is(response.status, 422, response.body.toString());
});
