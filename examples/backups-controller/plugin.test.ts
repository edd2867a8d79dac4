import assert from 'node:assert/strict';
import {test} from 'node:test';
import {eventually, startTestServer} from '@orch-api/orch/testing';

test('a Backup copies its source, also when the store was away meanwhile', async () => {
  await using server = await startTestServer({plugins: [import.meta.dirname]});
  const maps = '/api/v1/namespaces/default/configmaps';
  const backups = '/apis/backups.example.com/v1/namespaces/default/backups';
  await server.client.post(maps, {metadata: {name: 'settings'}, data: {colour: 'blue'}});
  const made = await server.client.post(backups, {metadata: {name: 'nightly'}, spec: {source: 'settings'}});
  assert.equal(made.status, 201, made.body.toString());
  server.faults.cutWatches();
  await eventually(async () => {
    const copy = await server.client.get(`${maps}/nightly-copy`);
    assert.deepEqual(copy.json<{data?: object}>().data, {colour: 'blue'});
  });
});
