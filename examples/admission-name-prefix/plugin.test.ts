import assert from 'node:assert/strict';
import {test} from 'node:test';
import {startTestServer} from '@orch-api/orch/testing';
import namePrefix from './plugin.js';

test('a namespace has the prefix, or is refused', async () => {
  await using server = await startTestServer({plugins: [namePrefix], flags: {'namespace-prefix': 'red-'}});
  const make = (name: string) => server.client.post('/api/v1/namespaces', {metadata: {name}});
  const refused = await make('blue');
  assert.equal(refused.status, 403);
  assert.match(refused.body.toString(), /namespaces \\"blue\\" is forbidden: names of namespaces begin with red-/);
  assert.equal((await make('red-one')).status, 201);
});
