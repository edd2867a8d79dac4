import test from 'ava';
import {ClassicClaims} from '../../../../plugins/resources/resource/classic/classic-claims.js';
import {fieldErrorText} from '../../../../sdk/index.js';
import type {ResourceClaimStatus} from '../../../../sdk/types/unchecked/resource/v1alpha1.js';
import {context} from '../../memory-resources.js';
import {causesOf, faultyFields, servedGroup, tableRows} from '../served-group.js';

const client = servedGroup(test, {runtimeConfig: {'resource.orch/v1alpha1': true}});
const url = '/apis/resource.orch/v1alpha1/namespaces/default';
const strategy = new ClassicClaims();
const consumer = (uid: string) => ({resource: 'pods', name: uid, uid});
const allocated: ResourceClaimStatus = {driverName: 'gpu.example', allocation: {resourceHandle: 'h'}};

function faults(status: ResourceClaimStatus, before: ResourceClaimStatus = {}, metadata: object = {}): string[] {
  return strategy.validateUpdate({metadata, status}, {metadata: {}, status: before}, context('default', 'status')).map(fieldErrorText);
}

test('an allocation names its driver and is not changed', (t) => {
  t.deepEqual(faults(allocated), []);
  t.deepEqual(faults({allocation: {}}), ['status.driverName: Required value: must be specified when `allocation` is set']);
  t.deepEqual(faults({...allocated, allocation: {resourceHandle: 'x'.repeat(16_385)}}), [
    'status.allocation.resourceHandle: Too long: must have at most 16384 bytes',
  ]);
  t.deepEqual(faults({...allocated, allocation: {resourceHandle: 'other'}}, allocated), [
    'status.allocation: Invalid value: {"resourceHandle":"other"}: field is immutable',
  ]);
  t.deepEqual(faults({}, allocated), []);
});

test('a claim is reserved for those who may share it, and only once it is allocated', (t) => {
  const shared = {...allocated, allocation: {...allocated.allocation, shareable: true}};
  const many = Array.from({length: 33}, (_item, index) => consumer(`u${index}`));
  t.deepEqual(faults({reservedFor: [consumer('a')]}), ['status.reservedFor: Forbidden: may not be specified when `allocation` is not set']);
  t.deepEqual(faults({...allocated, reservedFor: [consumer('a')]}), []);
  t.deepEqual(faults({...allocated, reservedFor: [consumer('a'), consumer('b')]}), [
    'status.reservedFor: Forbidden: may not be reserved more than once',
  ]);
  t.deepEqual(faults({...shared, reservedFor: many.slice(0, 32)}), []);
  t.deepEqual(faults({...shared, reservedFor: many}), ['status.reservedFor: Too many: 33: must have at most 32 items']);
  t.deepEqual(
    faults({...shared, reservedFor: [consumer('a'), consumer('a'), {}]}).map((text) => text.split(': ')[0]),
    ['status.reservedFor[1].uid', 'status.reservedFor[2].resource', 'status.reservedFor[2].name', 'status.reservedFor[2].uid'],
  );
});

test('what is to be given back finds no new consumers', (t) => {
  const deleted = {deletionTimestamp: '2030-01-01T00:00:00Z'};
  const asked = {...allocated, deallocationRequested: true};
  const reserved = {...allocated, reservedFor: [consumer('a')]};
  const noNew = 'status.reservedFor: Forbidden: new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set';
  t.deepEqual(faults(reserved, allocated, deleted), [noNew]);
  t.deepEqual(faults(reserved, reserved, deleted), []);
  t.deepEqual(faults({...asked, reservedFor: [consumer('a')]}, asked), [noNew]);
  t.deepEqual(faults({...asked, reservedFor: [consumer('a')]}, reserved), [
    'status.deallocationRequested: Forbidden: deallocation cannot be requested while `reservedFor` is set',
  ]);
  t.deepEqual(faults(allocated, asked), ['status.deallocationRequested: Forbidden: may not be cleared when `allocation` is set']);
  t.deepEqual(faults({deallocationRequested: true}), [
    'status.deallocationRequested: Forbidden: may not be set when `allocation` is not set',
  ]);
  t.deepEqual(faults({}, asked), []);
});

test('the spec of a claim cannot change and its status only through the subresource', async (t) => {
  const made = (
    await client().post(`${url}/resourceclaims`, {metadata: {name: 'one'}, spec: {resourceClassName: 'gpu'}, status: allocated})
  ).json<{
    metadata: object;
    spec: object;
    status: object;
  }>();
  t.deepEqual(made.status, {});
  t.deepEqual(faultyFields(await client().put(`${url}/resourceclaims/one`, {...made, spec: {resourceClassName: 'cpu'}})), ['spec']);
  t.like((await tableRows(client(), `${url}/resourceclaims/one`))[0], {
    Name: 'one',
    ResourceClassName: 'gpu',
    AllocationMode: 'WaitForFirstConsumer',
    State: 'pending',
  });
  const status = await client().put(`${url}/resourceclaims/one/status`, {
    ...made,
    spec: {resourceClassName: 'cpu'},
    status: {...allocated, reservedFor: [consumer('a')]},
  });
  t.is(status.status, 200);
  t.like(status.json(), {spec: {resourceClassName: 'gpu'}, status: {driverName: 'gpu.example'}});
  t.like((await tableRows(client(), `${url}/resourceclaims/one`))[0], {State: 'allocated,reserved'});
});

test('the table tells how far a claim has come', (t) => {
  const state = (status: ResourceClaimStatus, deleted = false) =>
    strategy.tableCells({metadata: deleted ? {deletionTimestamp: '2030-01-01T00:00:00Z'} : {}, status})['State'];
  t.is(state({}), 'pending');
  t.is(state({}, true), 'deleted');
  t.is(state(allocated), 'allocated');
  t.is(state(allocated, true), 'deleted,allocated,deallocating');
  t.is(state({...allocated, deallocationRequested: true}), 'allocated,deallocating');
  t.is(state({...allocated, reservedFor: [consumer('a')]}, true), 'deleted,allocated,reserved');
});

test('a class names its driver and suitable nodes', async (t) => {
  const classes = '/apis/resource.orch/v1alpha1/resourceclasses';
  const bad = {metadata: {name: 'bad'}, parametersRef: {namespace: 'Bad'}, suitableNodes: {nodeSelectorTerms: []}};
  t.deepEqual(faultyFields(await client().post(classes, bad)), [
    'driverName',
    'driverName',
    'parametersRef.kind',
    'parametersRef.name',
    'parametersRef.namespace',
    'suitableNodes.nodeSelectorTerms',
  ]);
  t.is((await client().post(classes, {metadata: {name: 'gpu'}, driverName: 'gpu.example'})).status, 201);
  t.is((await client().patch(`${classes}/gpu`, {driverName: 'other.example'})).status, 200);
  t.like((await tableRows(client(), classes))[0], {Name: 'gpu', DriverName: 'other.example'});
});

test('a scheduler names each node once and not too many', async (t) => {
  const objects = `${url}/podschedulings`;
  const nodes = Array.from({length: 129}, (_node, index) => `n${index}`);
  t.deepEqual(causesOf(await client().post(objects, {metadata: {name: 'many'}, spec: {potentialNodes: nodes}})), [
    'spec.potentialNodes: Too many: 129: must have at most 128 items',
  ]);
  t.deepEqual(causesOf(await client().post(objects, {metadata: {name: 'twice'}, spec: {potentialNodes: ['a', 'a']}})), [
    'spec.potentialNodes[1]: Duplicate value: "a"',
  ]);
  const made = (await client().post(objects, {metadata: {name: 'one'}, spec: {selectedNode: 'a', potentialNodes: ['a', 'b']}})).json<{
    metadata: object;
  }>();
  const claims = [
    {name: 'x', unsuitableNodes: ['a']},
    {name: 'x', unsuitableNodes: ['b', 'b']},
  ];
  t.deepEqual(faultyFields(await client().put(`${objects}/one/status`, {...made, status: {resourceClaims: claims}})), [
    'status.resourceClaims[1].name',
    'status.resourceClaims[1].unsuitableNodes[1]',
  ]);
  t.like((await tableRows(client(), objects))[0], {Name: 'one', SelectedNode: 'a'});
});
