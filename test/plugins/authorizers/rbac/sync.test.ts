import test from 'ava';
import {orch} from '../../../../core/api/naming/orch.js';
import {silentLogger} from '../../../../core/logs/silent-logger.js';
import {clusterRoleBindings, clusterRoles, roleBindings, roles} from '../../../../plugins/authorizers/rbac/rbac-objects.js';
import {RbacAuthorizer} from '../../../../plugins/authorizers/rbac/rbac-authorizer.js';
import {startTestServer} from '@orch-api/orch/testing';
import {MemoryResources} from '../../memory-resources.js';

const types = [roles, clusterRoles, roleBindings, clusterRoleBindings].map((ref) => ({
  ...ref,
  kind: ref.resource,
  namespaced: ref === roles || ref === roleBindings,
  verbs: [],
}));
const question = {
  user: {username: 'jane', groups: []},
  verb: 'get',
  isResourceRequest: true,
  path: '',
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: 'default',
  name: 'a',
};

test('until all roles and bindings are known nothing is allowed', async (t) => {
  const resources = new MemoryResources(types);
  await resources.create(clusterRoles, '', {
    kind: 'ClusterRole',
    metadata: {name: 'all'},
    rules: [{verbs: ['*'], apiGroups: ['*'], resources: ['*']}],
  });
  await resources.create(clusterRoleBindings, '', {
    kind: 'ClusterRoleBinding',
    metadata: {name: 'all'},
    roleRef: {kind: 'ClusterRole', name: 'all'},
    subjects: [{kind: 'User', name: 'jane'}],
  });
  let open = () => {};
  const gate = new Promise<void>((resolve) => (open = resolve));
  resources.before = (verb, resource) => (verb === 'list' && resource === 'rolebindings' ? gate : undefined);
  const authorizer = new RbacAuthorizer(resources, orch, {enabled: () => false}, '1.26', [], silentLogger);
  const controller = new AbortController();
  t.is(authorizer.authorize(question).decision, 'no-opinion');
  const started = authorizer.start(controller.signal);
  await new Promise(setImmediate);
  t.deepEqual(authorizer.authorize(question), {decision: 'no-opinion', reason: 'RBAC: roles and bindings are not known yet'});
  open();
  await started;
  t.is(authorizer.authorize(question).decision, 'allow');
  controller.abort();
  await authorizer.stop();
});

test('a server whose roles are not served does not start with RBAC, and starts without', async (t) => {
  const runtimeConfig = {'rbac.authorization.orch/v1': false};
  await t.throwsAsync(startTestServer({runtimeConfig}), {
    message: /--authorization-mode RBAC needs rbac\.authorization\.orch\/v1, which is not served/,
  });
  const server = await startTestServer({runtimeConfig, authorizationMode: ['AlwaysDeny']});
  t.teardown(() => server.stop());
  t.is((await server.client.get('/api/v1/namespaces')).status, 200);
});
