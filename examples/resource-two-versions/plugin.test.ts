import assert from 'node:assert/strict';
import {test} from 'node:test';
import {startTestServer} from '@orch-api/orch/testing';
import {conversionConformance} from '@orch-api/orch/testing/conformance';
import plots, {strategy} from './plugin.js';

const metadata = {name: 'corner', labels: {in: 'town'}};
const old = {apiVersion: 'plots.example.com/v1alpha1', kind: 'Plot', metadata, spec: {size: '30x20', owner: 'ada'}};
const versions = ['v1', 'v1alpha1'];

for (const {title, run} of conversionConformance({create: () => strategy, group: 'plots.example.com', versions, objects: [old]}))
  test(title, run);

test('what is made in one version is read in the other', async () => {
  await using server = await startTestServer({plugins: [plots]});
  const path = (version: string) => `/apis/plots.example.com/${version}/namespaces/default/plots`;
  const made = await server.client.post(path('v1alpha1'), old);
  assert.equal(made.status, 201, made.body.toString());
  assert.match(String(made.headers.warning), /deprecated/);
  const read = await server.client.get(`${path('v1')}/corner`);
  assert.deepEqual(read.json<{spec: object}>().spec, {owner: 'ada', width: 30, depth: 20});
  assert.equal((await server.client.post(path('v1alpha1'), {...old, metadata: {name: 'odd'}, spec: {size: 'large'}})).status, 422);
});
