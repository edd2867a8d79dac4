import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {tempFolder} from '../helpers/temp-folder.js';
import {answer} from './answers.js';

const claims = (version: string) => `/apis/resource.k8s.io/${version}/namespaces/default/resourceclaims`;
const slices = (version: string) => `/apis/resource.k8s.io/${version}/resourceslices`;
const pool = {name: 'n', generation: 1, resourceSliceCount: 1};

test('claims and devices that were stored in the form of 1.32 are those of 1.36', async (t) => {
  const dataDir = tempFolder(t, 'orch-devices-');
  const at = (release: string) =>
    startTestServer({platform: 'kubernetes', store: 'embedded', dataDir, release, runtimeConfig: {'api/all': true}});
  const request = {name: 'a', deviceClassName: 'gpu', allocationMode: 'All'};
  const basic = {attributes: {model: {string: 'a100'}}, capacity: {memory: {value: '40Gi'}}};

  const first = await at('1.32');
  answer(t, await first.client.post(claims('v1beta1'), {metadata: {name: 'old'}, spec: {devices: {requests: [request]}}}), 201);
  const spec = {driver: 'gpu.example', pool, nodeName: 'n', devices: [{name: 'gpu-0', basic}]};
  answer(t, await first.client.post(slices('v1beta1'), {metadata: {name: 'old'}, spec}), 201);
  // In v1alpha3 a capacity is a quantity.
  const early = answer<{spec: object}>(t, await first.client.get(`${slices('v1alpha3')}/old`), 200).spec;
  t.like(early, {devices: [{name: 'gpu-0', basic: {...basic, capacity: {memory: '40Gi'}}}]});
  await first.stop();

  const last = await at('1.36');
  const {name, ...exactly} = request;
  const claim = answer<{spec: object}>(t, await last.client.get(`${claims('v1')}/old`), 200);
  t.deepEqual(claim.spec, {devices: {requests: [{name, exactly}]}});
  const slice = answer<{spec: object}>(t, await last.client.get(`${slices('v1')}/old`), 200);
  t.deepEqual(slice.spec, {driver: 'gpu.example', pool, nodeName: 'n', devices: [{name: 'gpu-0', ...basic}]});
  answer(t, await last.client.put(`${slices('v1')}/old`, slice), 200);
  t.deepEqual(answer<{spec: object}>(t, await last.client.get(`${slices('v1beta1')}/old`), 200).spec, spec);
  await last.stop();
});
