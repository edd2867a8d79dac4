import test from 'ava';
import type {ApiList, ApiObject, Status} from '../../sdk/index.js';
import {exampleObjects, startWithExample} from './example-server.js';

const path = '/apis/examples.example.com/v1/namespaces/default/widgets';
const objects = exampleObjects('resource-schema-only', 'widgets.yaml');

interface Widget extends ApiObject {
  spec: {size: string; replicas: number; colour: string; tags?: string[]};
}

test('the widgets of the README are created with the defaults of their schema', async (t) => {
  const {client} = await startWithExample(t, 'resource-schema-only');
  for (const object of objects) t.is((await client.post(path, object)).status, 201);
  const door = (await client.get(`${path}/door`)).json<Widget>();
  t.deepEqual(door.spec, {size: 'large', replicas: 1, colour: '#ffffff'});
  t.is(door.metadata.generation, 1);
  const changed = (await client.patch(`${path}/door`, {spec: {replicas: 3}})).json<Widget>();
  t.is(changed.metadata.generation, 2);
  const labelled = (await client.patch(`${path}/door`, {metadata: {labels: {a: 'b'}}})).json<Widget>();
  t.is(labelled.metadata.generation, 2);
});

test('a widget that breaks the schema is refused with every fault', async (t) => {
  const {client} = await startWithExample(t, 'resource-schema-only');
  await client.post(path, objects[0]);
  const answer = await client.patch(`${path}/door`, {spec: {replicas: 500, size: 'huge', colour: 'red'}});
  t.is(answer.status, 422);
  const status = answer.json<Status>();
  t.is(status.reason, 'Invalid');
  t.deepEqual(status.details?.causes?.map(({field}) => field).sort(), ['spec.colour', 'spec.replicas', 'spec.size']);
  t.is((await client.post(path, {metadata: {name: 'no-size'}, spec: {}})).status, 422);
  t.is((await client.post(path, {metadata: {name: 'twice'}, spec: {size: 'small', tags: ['a', 'a']}})).status, 422);
});

test('a field selector picks widgets by size', async (t) => {
  const {client} = await startWithExample(t, 'resource-schema-only');
  for (const object of objects) await client.post(path, object);
  const {items} = (await client.get(`${path}?fieldSelector=spec.size%3Dsmall`)).json<ApiList>();
  t.deepEqual(
    items.map(({metadata}) => metadata.name),
    ['window'],
  );
});

test('the table has the columns of the manifest', async (t) => {
  const {client} = await startWithExample(t, 'resource-schema-only', {platform: 'kubernetes'});
  for (const object of objects) await client.post(path, object);
  const table = (await client.get(path, {headers: {accept: 'application/json;as=Table;v=v1;g=meta.k8s.io'}})).json<{
    columnDefinitions: {name: string; priority: number}[];
    rows: {cells: unknown[]}[];
  }>();
  t.deepEqual(
    table.columnDefinitions.map(({name, priority}) => [name, priority]),
    [
      ['Name', 0],
      ['Size', 0],
      ['Replicas', 0],
      ['Colour', 1],
      ['Age', 0],
    ],
  );
  t.deepEqual(
    table.rows.map(({cells}) => cells.slice(0, 4)),
    [
      ['door', 'large', 1, '#ffffff'],
      ['window', 'small', 4, '#00aaff'],
    ],
  );
});

test('discovery shows the short name and the category', async (t) => {
  const {client} = await startWithExample(t, 'resource-schema-only');
  const {resources} = (await client.get('/apis/examples.example.com/v1')).json<{resources: {name: string}[]}>();
  t.like(
    resources.find(({name}) => name === 'widgets'),
    {
      singularName: 'widget',
      kind: 'Widget',
      namespaced: true,
      shortNames: ['wd'],
      categories: ['all'],
    },
  );
});
