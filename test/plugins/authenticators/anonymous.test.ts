import test from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {eventually} from '../../helpers/eventually.js';
import {strangerClient} from '../../helpers/user-client.js';
import {rolePath} from '../authorizers/rbac/roles.js';

let server: TestServer;
test.before(async () => {
  server = await startTestServer();
});
test.after.always(() => server?.stop());

test('[B-ANON-1] [B-CRED-3] a request without credentials is made by system:anonymous of system:unauthenticated', async (t) => {
  const stranger = await strangerClient(t, server);
  const refusal = await stranger.get('/api/v1/namespaces');
  t.is(refusal.status, 403);
  t.regex(refusal.json<{message: string}>().message, /User "system:anonymous" cannot list resource "namespaces"/);
  const binding = {
    apiVersion: 'rbac.authorization.orch/v1',
    kind: 'ClusterRoleBinding',
    metadata: {name: 'strangers'},
    roleRef: {apiGroup: 'rbac.authorization.orch', kind: 'ClusterRole', name: 'system:basic-user'},
    subjects: [{kind: 'Group', name: 'system:unauthenticated'}],
  };
  t.is((await server.client.post(rolePath('clusterrolebindings'), binding)).status, 201);
  const body = {
    apiVersion: 'authorization.orch/v1',
    kind: 'SelfSubjectAccessReview',
    spec: {nonResourceAttributes: {path: '/version', verb: 'get'}},
  };
  const review = await eventually(
    () => stranger.post('/apis/authorization.orch/v1/selfsubjectaccessreviews', body),
    ({status}) => status === 201,
  );
  t.regex(
    review.json<{status: {reason: string}}>().status.reason,
    /of ClusterRole "system:public-info-viewer" to Group "system:unauthenticated"/,
  );
});

test('[B-CRED-4] an invalid bearer token is answered 401, whatever the case of the scheme; other schemes are no credentials', async (t) => {
  const stranger = await strangerClient(t, server);
  for (const authorization of ['Bearer nonsense', 'bearer nonsense', 'Bearer a.b.c', 'BEARER  x']) {
    const {status, text} = await stranger.get('/version', {authorization});
    t.is(status, 401, `${authorization}: ${text}`);
  }
  for (const authorization of ['Basic YTpi', 'Bearer ', 'Token x'])
    t.is((await stranger.get('/version', {authorization})).status, 200, authorization);
});
