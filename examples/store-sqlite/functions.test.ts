import assert from 'node:assert/strict';
import {test} from 'node:test';
import {startTestServer} from '@orch-api/orch/testing';
import sqlite from './functions.js';

test('a server keeps its objects in the store', async () => {
  await using server = await startTestServer({plugins: [sqlite], store: 'sqlite'});
  const maps = '/api/v1/namespaces/default/configmaps';
  assert.equal((await server.client.post(maps, {metadata: {name: 'a'}})).status, 201);
  assert.equal((await server.client.get(`${maps}/a`)).status, 200);
});
