import assert from 'node:assert/strict';
import {test} from 'node:test';
import {startTestServer} from '@orch-api/orch/testing';

test('objects without the labels are refused', async () => {
  const configuration = {plugins: {'example-required-labels': {config: {labels: ['owner']}}}};
  await using server = await startTestServer({plugins: [import.meta.dirname], configuration, enableAdmissionPlugins: ['RequiredLabels']});
  const maps = '/api/v1/namespaces/default/configmaps';
  assert.equal((await server.client.post(maps, {metadata: {name: 'plain'}})).status, 403);
  assert.equal((await server.client.post(maps, {metadata: {name: 'owned', labels: {owner: 'ada'}}})).status, 201);
});
