import test from 'ava';
import {startTestServer, type TestClient, type TestResponse} from '@orch-api/orch/testing';
import type {ApiObject} from '@orch-api/orch/sdk';
import {definition, establish, faultsOf, freshGroup, widgetOf, type Json} from './definition-fixture.js';

const schema: Json = {
  type: 'object',
  properties: {
    spec: {type: 'object', properties: {size: {type: 'integer'}}},
    status: {type: 'object', properties: {seconds: {type: 'integer'}}},
  },
};

interface Widgets {
  readonly client: TestClient;
  readonly path: string;
  readonly of: (name: string, more: Json) => Json;
}

/** A type whose status is a subresource, and is one of numbers as its spec. */
async function widgets(client: TestClient): Promise<Widgets> {
  const group = freshGroup();
  const version = {name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: schema}, subresources: {status: {}}};
  await establish(client, definition(group, [version]));
  return {client, path: `/apis/${group}/v1/namespaces/default/widgets`, of: (name, more) => widgetOf(group, name, more)};
}

const parts = (response: TestResponse) => {
  const {spec, status} = response.json<ApiObject & {spec?: Json; status?: Json}>();
  return [response.status, spec, status];
};

test('a status that is not of the type keeps no object from being created or changed: only its own endpoint takes it', async (t) => {
  await using server = await startTestServer();
  const {client, path, of} = await widgets(server.client);
  t.deepEqual(parts(await client.post(path, of('w', {spec: {size: 1}, status: {seconds: 'x'}}))), [201, {size: 1}, undefined]);
  t.deepEqual(parts(await client.post(path, of('v', {spec: {size: 1}, status: 'x'}))), [201, {size: 1}, undefined]);
  t.deepEqual(parts(await client.patch(`${path}/w/status`, {status: {seconds: 5}})), [200, {size: 1}, {seconds: 5}]);

  const read = (await client.get(`${path}/w`)).json<ApiObject>();
  t.deepEqual(parts(await client.put(`${path}/w`, {...read, spec: {size: 2}, status: {seconds: 1.5}})), [200, {size: 2}, {seconds: 5}]);
  t.deepEqual(parts(await client.patch(`${path}/w`, {spec: {size: 3}, status: {seconds: 'x'}})), [200, {size: 3}, {seconds: 5}]);
});

test('a status is changed whatever the spec beside it is', async (t) => {
  await using server = await startTestServer();
  const {client, path, of} = await widgets(server.client);
  const made = (await client.post(path, of('w', {spec: {size: 1}}))).json<ApiObject>();
  const changed = await client.put(`${path}/w/status`, {...made, spec: {size: 'x'}, status: {seconds: 1}});
  t.deepEqual(parts(changed), [200, {size: 1}, {seconds: 1}]);
  const after = changed.json<ApiObject>();
  t.deepEqual(parts(await client.put(`${path}/w/status`, {...after, spec: 'x', status: {seconds: 2}})), [200, {size: 1}, {seconds: 2}]);
  t.deepEqual(parts(await client.patch(`${path}/w/status`, {spec: {size: 'x'}, status: {seconds: 3}})), [200, {size: 1}, {seconds: 3}]);
});

test('an endpoint says what is wrong with the part that it takes, and nothing about the rest', async (t) => {
  await using server = await startTestServer();
  const {client, path, of} = await widgets(server.client);
  const ofSpec = ['spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"'];
  t.deepEqual(faultsOf(await client.post(path, of('w', {spec: {size: 'x'}, status: {seconds: 'x'}}))), ofSpec);
  const made = (await client.post(path, of('w', {spec: {size: 1}}))).json<ApiObject>();
  t.deepEqual(faultsOf(await client.put(`${path}/w`, {...made, spec: {size: 'x'}, status: {seconds: 'x'}})), ofSpec);
  t.deepEqual(faultsOf(await client.put(`${path}/w/status`, {...made, spec: {size: 'x'}, status: {seconds: 'x'}})), [
    'status.seconds: Invalid value: "string": seconds in body must be of type integer: "string"',
  ]);
});
