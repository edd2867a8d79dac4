import assert from 'node:assert/strict';
import {test} from 'node:test';
import {startTestServer} from 'orch/testing';
import figures from './plugin.js';

test('the figures are told to who may read the path', async () => {
  await using server = await startTestServer({plugins: [figures]});
  const answer = await server.client.get('/figures');
  assert.equal(answer.status, 200);
  assert.ok(answer.json<{namespaces: number}>().namespaces >= 1);
  const stranger = {headers: {'impersonate-user': 'eve'}};
  assert.equal((await server.client.get('/figures', stranger)).status, 403);
  assert.equal((await server.client.post('/figures', {})).status, 404);
});
