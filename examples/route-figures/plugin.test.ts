import assert from 'node:assert/strict';
import {test} from 'node:test';
import {eventually, startTestServer} from '@orch-api/orch/testing';
import figures from './plugin.js';

test('the figures are told to who may read the path and list namespaces', async () => {
  await using server = await startTestServer({plugins: [figures]});
  const answer = await server.client.get('/figures');
  assert.equal(answer.status, 200);
  assert.ok(answer.json<{namespaces: number}>().namespaces >= 1);
  const stranger = {headers: {'impersonate-user': 'eve'}};
  assert.equal((await server.client.get('/figures', stranger)).status, 403);
  assert.equal((await server.client.post('/figures', {})).status, 404);

  const group = 'rbac.authorization.orch';
  const name = {metadata: {name: 'figures'}};
  const rules = [{nonResourceURLs: ['/figures'], verbs: ['get']}];
  await server.client.post(`/apis/${group}/v1/clusterroles`, {...name, rules});
  const roleRef = {apiGroup: group, kind: 'ClusterRole', name: 'figures'};
  await server.client.post(`/apis/${group}/v1/clusterrolebindings`, {
    ...name,
    roleRef,
    subjects: [{apiGroup: group, kind: 'User', name: 'eve'}],
  });
  await eventually(async () => assert.match((await server.client.get('/figures', stranger)).body.toString(), /eve may not list them/));
});
