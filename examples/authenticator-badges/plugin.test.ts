import assert from 'node:assert/strict';
import {createHash} from 'node:crypto';
import {test} from 'node:test';
import {startTestServer} from '@orch-api/orch/testing';
import {authenticatorConformance} from '@orch-api/orch/testing/conformance';
import plugin, {badges} from './plugin.js';

const callers = {[createHash('sha256').update('b-17').digest('hex')]: 'ada'};
const suite = authenticatorConformance({
  create: () => badges(callers),
  known: [{credentials: {headers: {'x-badge': 'b-17'}}, username: 'ada', groups: ['staff']}],
  refused: [{headers: {'x-badge': 'b-18'}}, {headers: {'x-badge': ['b-17', 'b-17']}}],
});
for (const {title, run} of suite) test(title, run);

test('a server knows who has a badge', async () => {
  await using server = await startTestServer({plugins: [plugin], configuration: {plugins: {badges: {config: {callers}}}}});
  const review = {
    apiVersion: 'authorization.orch/v1',
    kind: 'SelfSubjectAccessReview',
    spec: {nonResourceAttributes: {path: '/', verb: 'get'}},
  };
  const ask = (badge: string) =>
    server.client.post('/apis/authorization.orch/v1/selfsubjectaccessreviews', review, {anonymous: true, headers: {'x-badge': badge}});
  assert.equal((await ask('b-17')).status, 201);
  assert.equal((await ask('b-18')).status, 401);
});
