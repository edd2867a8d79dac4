import test, {type ExecutionContext} from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {until} from '../../helpers/eventually.js';

let server: TestServer;
test.before(async () => {
  server = await startTestServer({
    authorizationMode: ['Node', 'RBAC'],
    disableAdmissionPlugins: ['ServiceAccount', 'NodeRestriction'],
  });
});
test.after.always(() => server.stop());

interface Question {
  readonly verb: string;
  readonly group?: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** Whether the authorizers allow it, and why not. */
async function ask(
  node: string,
  resourceAttributes: Question,
  groups = ['system:nodes', 'system:authenticated'],
): Promise<{allowed: boolean; reason?: string}> {
  const review = {spec: {user: `system:node:${node}`, groups, resourceAttributes}};
  return (await server.client.post('/apis/authorization.orch/v1/subjectaccessreviews', review)).json<{
    status: {allowed: boolean; reason?: string};
  }>().status;
}

const may = async (node: string, question: Question) => (await ask(node, question)).allowed;
const read = (resource: string, name: string, namespace = 'default'): Question => ({verb: 'get', resource, namespace, name});

async function make(t: ExecutionContext, path: string, object: object): Promise<void> {
  const answer = await server.client.post(path, object);
  t.is(answer.status, 201, answer.body.toString());
}

const pod = (name: string, node: string, spec: object = {}, annotations: object = {}) => ({
  metadata: {name, annotations},
  spec: {nodeName: node, containers: [{name: 'c', image: 'i'}], ...spec},
});
const pods = '/api/v1/namespaces/default/pods';

test('a node may read what its pods refer to, and no longer than they exist', async (t) => {
  const spec = {
    serviceAccountName: 'robot',
    imagePullSecrets: [{name: 'pull'}],
    containers: [{name: 'c', image: 'i', envFrom: [{configMapRef: {name: 'env'}}]}],
    volumes: [
      {name: 'disk', persistentVolumeClaim: {claimName: 'claim'}},
      {name: 'own', ephemeral: {volumeClaimTemplate: {spec: {accessModes: ['ReadWriteOnce'], resources: {requests: {storage: '1Gi'}}}}}},
      {name: 'secret', secret: {secretName: 'mounted'}},
    ],
  };
  await make(t, '/api/v1/persistentvolumes', {
    metadata: {name: 'volume'},
    spec: {
      capacity: {storage: '1Gi'},
      accessModes: ['ReadWriteOnce'],
      claimRef: {namespace: 'default', name: 'claim'},
      csi: {driver: 'd.example.com', volumeHandle: 'h', nodePublishSecretRef: {name: 'disk-key', namespace: 'storage'}},
    },
  });
  t.false(await may('one', read('secrets', 'pull')));
  await make(t, pods, pod('a', 'one', spec));
  await make(t, pods, pod('b', 'one', {imagePullSecrets: [{name: 'pull'}]}));
  await until('the graph has it', () => may('one', read('secrets', 'pull')));
  const allowed: readonly Question[] = [
    read('secrets', 'mounted'),
    {verb: 'watch', resource: 'secrets', namespace: 'default', name: 'mounted'},
    {verb: 'list', resource: 'configmaps', namespace: 'default', name: 'env'},
    read('persistentvolumeclaims', 'claim'),
    read('persistentvolumeclaims', 'a-own'),
    {verb: 'patch', resource: 'persistentvolumeclaims', subresource: 'status', namespace: 'default', name: 'claim'},
    {verb: 'get', resource: 'persistentvolumes', name: 'volume'},
    read('secrets', 'disk-key', 'storage'),
    {verb: 'create', resource: 'serviceaccounts', subresource: 'token', namespace: 'default', name: 'robot'},
  ];
  for (const question of allowed) {
    t.deepEqual(await ask('one', question), {allowed: true}, JSON.stringify(question));
    t.regex((await ask('two', question)).reason!, /^no relationship found between node 'two' and this object/);
    t.false((await ask('one', question, ['system:authenticated'])).allowed, 'a name without the group is none of a node');
  }
  t.is((await server.client.delete(`${pods}/a`, {body: {gracePeriodSeconds: 0}})).status, 200);
  await until('what it referred to is gone', async () => !(await may('one', read('secrets', 'mounted'))));
  t.true(await may('one', read('secrets', 'pull')), 'another pod refers to it');
  for (const question of allowed) t.false(await may('one', question), JSON.stringify(question));
});

test('what a pod refers to that a node made itself gives the node nothing', async (t) => {
  await make(t, pods, pod('mirror', 'three', {imagePullSecrets: [{name: 'wanted'}]}, {'orch/config.mirror': 'x'}));
  await make(t, pods, pod('later', 'three', {imagePullSecrets: [{name: 'marker'}]}));
  await until('later pods are known', () => may('three', read('secrets', 'marker')));
  t.false(await may('three', read('secrets', 'wanted')));
});

test('attachments of volumes belong to their nodes', async (t) => {
  await make(t, '/apis/storage.orch/v1/volumeattachments', {
    metadata: {name: 'attachment'},
    spec: {attacher: 'd.example.com', nodeName: 'one', source: {persistentVolumeName: 'x'}},
  });
  const question = {verb: 'get', group: 'storage.orch', resource: 'volumeattachments', name: 'attachment'};
  await until('the graph has it', () => may('one', question));
  t.false(await may('two', question));
});

const coordination = 'coordination.orch';
const fixed: readonly [Question, true | RegExp][] = [
  [{verb: 'list', resource: 'secrets', namespace: 'default'}, /^No Object name found/],
  [{verb: 'list', resource: 'secrets'}, /^can only read namespaced object of this type/],
  [{verb: 'update', resource: 'secrets', namespace: 'default', name: 'x'}, /^can only read resources of this type/],
  [{verb: 'list', resource: 'persistentvolumes'}, /^can only get individual resources of this type/],
  [{verb: 'create', resource: 'serviceaccounts', namespace: 'default'}, /^can only create tokens for individual service accounts/],
  [{verb: 'get', group: coordination, resource: 'leases', namespace: 'orch-node-lease', name: 'one'}, true],
  [{verb: 'create', group: coordination, resource: 'leases', namespace: 'orch-node-lease'}, true],
  [
    {verb: 'update', group: coordination, resource: 'leases', namespace: 'orch-node-lease', name: 'two'},
    /same name as the requesting node/,
  ],
  [
    {verb: 'get', group: coordination, resource: 'leases', namespace: 'default', name: 'one'},
    /^can only access leases in the "orch-node-lease" system namespace/,
  ],
  [
    {verb: 'list', group: coordination, resource: 'leases', namespace: 'orch-node-lease'},
    /^can only get, create, update, patch, or delete a node lease/,
  ],
  [{verb: 'patch', group: 'storage.orch', resource: 'csinodes', name: 'one'}, true],
  [{verb: 'patch', group: 'storage.orch', resource: 'csinodes', name: 'two'}, /^can only access CSINode with the same name/],
  [{verb: 'list', resource: 'pods'}, true],
  [{verb: 'patch', resource: 'nodes', subresource: 'status', name: 'one'}, true],
  [{verb: 'create', resource: 'pods', subresource: 'eviction', namespace: 'a', name: 'b'}, true],
  [{verb: 'delete', resource: 'nodes', name: 'one'}, /^$/],
];
for (const [question, expected] of fixed) {
  test(`what every node may do: ${JSON.stringify(question)}`, async (t) => {
    const {allowed, reason = ''} = await ask('one', question);
    if (expected === true) t.true(allowed, reason);
    else {
      t.false(allowed);
      t.regex(reason, expected);
    }
  });
}
