import assert from 'node:assert/strict';
import {test} from 'node:test';
import {eventually, startTestServer} from '@orch-api/orch/testing';
import backups from './functions.js';

test('a Backup that waits for its source is looked at again when the clock is put forward', async () => {
  await using server = await startTestServer({plugins: [backups]});
  const url = '/apis/backups.example.com/v1/namespaces/default/backups';
  await server.client.post(url, {metadata: {name: 'nightly'}, spec: {source: 'settings'}});
  const reason = async () => {
    const {status} = (await server.client.get(`${url}/nightly`)).json<{status?: {conditions?: {reason: string}[]}}>();
    return status?.conditions?.[0]?.reason;
  };
  await eventually(async () => assert.equal(await reason(), 'NoSource'));
  await server.client.post('/api/v1/namespaces/default/configmaps', {metadata: {name: 'settings'}, data: {colour: 'blue'}});
  await eventually(async () => {
    await server.advance(1000);
    assert.equal(await reason(), 'Copied');
  });
});
