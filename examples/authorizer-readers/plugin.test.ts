import assert from 'node:assert/strict';
import {test} from 'node:test';
import {startTestServer} from '@orch-api/orch/testing';
import {authorizerConformance} from '@orch-api/orch/testing/conformance';
import plugin, {readers} from './plugin.js';

const user = {username: 'ada', groups: ['readers']};
const suite = authorizerConformance({
  create: () => readers('readers'),
  allowed: [{user}, {user, verb: 'list', resource: 'namespaces', name: ''}],
  undecided: [{user, verb: 'delete'}, {user, resource: 'secrets'}, {user: {username: 'eve', groups: ['others']}}],
});
for (const {title, run} of suite) test(title, run);

test('a server lets members read, and nothing else', async () => {
  await using server = await startTestServer({plugins: [plugin], authorizationMode: ['Node', 'Readers', 'RBAC']});
  const as = (group: string) => ({headers: {'impersonate-user': 'ada', 'impersonate-group': group}});
  const maps = '/api/v1/namespaces/default/configmaps';
  assert.equal((await server.client.get(maps, as('readers'))).status, 200);
  assert.equal((await server.client.get(maps, as('others'))).status, 403);
  assert.equal((await server.client.post(maps, {metadata: {name: 'x'}}, as('readers'))).status, 403);
});
