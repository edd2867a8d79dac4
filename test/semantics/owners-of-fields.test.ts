import test from 'ava';
import type {ManagedFieldsEntry} from '@orch-api/orch/sdk';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';

const yaml = 'application/apply-patch+yaml';
const events = '/namespaces/default/events';
const involved = {kind: 'Pod', namespace: 'default', name: 'p'};

interface Owned {
  readonly metadata: {readonly managedFields: readonly ManagedFieldsEntry[]};
}

let server: TestServer;
test.before(async () => {
  server = await startTestServer({platform: 'kubernetes', release: '1.36'});
});
test.after.always(() => server?.stop());

test('events.k8s.io forgets who owns fields of an event in v1, and v1 knows who does there', async (t) => {
  const old = {involvedObject: involved, reason: 'Loaded', message: 'there', type: 'Normal'};
  await server.client.post(`/api/v1${events}?fieldManager=first`, {metadata: {name: 'old'}, ...old});
  const described = {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    regarding: {...involved, name: 'q'},
    reason: 'Loaded',
    type: 'Normal',
    action: 'Load',
    reportingController: 'example.com/loader',
    reportingInstance: 'l',
    eventTime: '2030-01-01T00:00:00.000001Z',
  };
  const applied = await server.client.patch(
    `/apis/events.k8s.io/v1${events}/old?fieldManager=a`,
    {...described, metadata: {name: 'old'}},
    yaml,
  );
  // Not a conflict, but what cannot change there.
  t.is(applied.status, 422, applied.body.toString());
  await server.client.post(`/apis/events.k8s.io/v1${events}?fieldManager=first`, {...described, metadata: {name: 'new'}});
  const core = {apiVersion: 'v1', kind: 'Event', metadata: {name: 'new'}, involvedObject: involved};
  const conflict = await server.client.patch(`/api/v1${events}/new?fieldManager=a`, core, yaml);
  t.is(conflict.status, 409, conflict.body.toString());
});

test('fields of an owner may be any JSON: those that are none are not taken', async (t) => {
  const path = '/api/v1/namespaces/default/configmaps';
  await server.client.post(path, {metadata: {name: 'owned'}, data: {a: 'b'}});
  const entry = {manager: 'a', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1'};
  for (const type of ['application/merge-patch+json', 'application/strategic-merge-patch+json'])
    for (const fieldsV1 of [5, 'x', [], true]) {
      const body = {metadata: {managedFields: [{...entry, fieldsV1}]}};
      const patched = await server.client.patch(`${path}/owned`, body, type);
      t.is(patched.status, 200, patched.body.toString());
      t.like(patched.json<Owned>().metadata.managedFields, {length: 1});
      t.not(patched.json<Owned>().metadata.managedFields[0]!.manager, 'a');
    }
});

test('a Scale is applied in its own version, and to the object of its uid alone', async (t) => {
  const sets = '/apis/apps/v1/namespaces/default/replicasets';
  const labels = {app: 'x'};
  const template = {metadata: {labels}, spec: {containers: [{name: 'main', image: 'i'}]}};
  await server.client.post(`${sets}?fieldManager=first`, {
    metadata: {name: 'scaled'},
    spec: {replicas: 1, selector: {matchLabels: labels}, template},
  });
  const scale = {apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: {name: 'scaled'}, spec: {replicas: 2}};
  const conflict = await server.client.patch(`${sets}/scaled/scale?fieldManager=a`, scale, yaml);
  t.is(conflict.status, 409);
  t.is(
    conflict.json<{message: string}>().message,
    'Apply failed with 1 conflict: conflict with "first" using autoscaling/v1: .spec.replicas',
  );
  const other = await server.client.patch(`${sets}/scaled/scale`, {metadata: {uid: 'x'}});
  t.is(other.status, 409);
  t.regex(
    other.json<{message: string}>().message,
    /^Operation cannot be fulfilled on replicasets\/scale\.apps "scaled": Precondition failed: UID in precondition: x, /,
  );
});
