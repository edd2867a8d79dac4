import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {causesOf, servedGroup} from '../served-group.js';

const client = servedGroup(test, {release: '1.29', runtimeConfig: {'api/all': true}});
const url = '/apis/resource.orch/v1alpha2';
const claims = `${url}/namespaces/default/resourceclaims`;

interface Claim {
  readonly metadata: object;
  readonly spec: object;
  readonly status: object;
}

test('a claim of v1alpha2 may be allocated by several drivers', async (t) => {
  const made = (await client().post(claims, {metadata: {name: 'many'}, spec: {resourceClassName: 'gpu'}})).json<Claim>();
  t.deepEqual(made.spec, {resourceClassName: 'gpu', allocationMode: 'WaitForFirstConsumer'});
  const put = (status: object) => client().put(`${claims}/many/status`, {...made, metadata: {name: 'many'}, status});
  const handle = {driverName: 'gpu.example', data: 'h'};
  const allocated = {driverName: 'gpu.example', allocation: {resourceHandles: [handle, {...handle, driverName: 'net.example'}]}};
  t.deepEqual(causesOf(await put({...allocated, allocation: {resourceHandles: [{driverName: 'gpu.example', data: 'x'.repeat(16_385)}]}})), [
    'status.allocation.resourceHandles[0].data: Too long: must have at most 16384 bytes',
  ]);
  t.deepEqual(causesOf(await put({...allocated, allocation: {resourceHandles: Array.from({length: 33}, () => handle)}})), [
    'status.allocation.resourceHandles: Too many: 33: must have at most 32 items',
  ]);
  t.deepEqual(causesOf(await put({deallocationRequested: true, reservedFor: [{resource: 'pods', name: 'p', uid: 'u'}]})), [
    'status.reservedFor: Forbidden: may not be specified when `allocated` is not set',
    'status.deallocationRequested: Forbidden: deallocation cannot be requested while `reservedFor` is set',
    'status: Forbidden: `allocation` must be set when `deallocationRequested` is set',
  ]);
  t.is((await put(allocated)).status, 200);
});

test('a PodSchedulingContext names nodes, each once', async (t) => {
  const contexts = `${url}/namespaces/default/podschedulingcontexts`;
  t.deepEqual(causesOf(await client().post(contexts, {metadata: {name: 'p'}, spec: {potentialNodes: ['a', 'a']}})), [
    'spec.potentialNodes[1]: Duplicate value: "a"',
  ]);
  const [fault, ...others] = causesOf(await client().post(contexts, {metadata: {name: 'p'}, spec: {potentialNodes: ['not a name']}}));
  t.regex(fault!, /^spec\.potentialNodes\[0\]: Invalid value: "not a name": a lowercase RFC 1123 subdomain/);
  t.deepEqual(others, []);
  t.is((await client().post(contexts, {metadata: {name: 'p'}, spec: {selectedNode: 'a', potentialNodes: ['a']}})).status, 201);
});

test('claims of devices in v1alpha3 are those of 1.31', async (t) => {
  await using server = await startTestServer({release: '1.31', runtimeConfig: {'api/all': true}});
  const devices = {requests: [{name: 'a', deviceClassName: 'gpu'}]};
  const claim = {metadata: {name: 'early'}, spec: {devices}};
  const made = await server.client.post('/apis/resource.orch/v1alpha3/namespaces/default/resourceclaims', claim);
  t.is(made.status, 201, made.body.toString());
  t.like(made.json<Claim>().spec, {devices: {requests: [{name: 'a', deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 1}]}});
  const capacity = {memory: '1Gi'};
  const spec = {driver: 'gpu.example', pool: {name: 'n', resourceSliceCount: 1}, nodeName: 'n', devices: [{name: 'a', basic: {capacity}}]};
  const slice = await server.client.post('/apis/resource.orch/v1alpha3/resourceslices', {metadata: {name: 'early'}, spec});
  t.is(slice.status, 201, slice.body.toString());
  t.like(slice.json<Claim>().spec, {devices: [{name: 'a', basic: {capacity}}]});
});
