import test, {type ExecutionContext} from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {until} from '../../helpers/eventually.js';

let server: TestServer;
test.before(async () => {
  server = await startTestServer({
    platform: 'kubernetes',
    release: '1.36',
    authorizationMode: ['Node', 'RBAC'],
    featureGates: {PodCertificateRequest: true},
    runtimeConfig: {'certificates.k8s.io/v1beta1': true},
    disableAdmissionPlugins: ['ServiceAccount', 'NodeRestriction'],
  });
});
test.after.always(() => server.stop());

interface Selector {
  readonly rawSelector?: string;
  readonly requirements?: readonly object[];
}

interface Question {
  readonly verb: string;
  readonly group?: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly fieldSelector?: Selector;
}

async function ask(node: string, resourceAttributes: Question): Promise<{allowed: boolean; reason?: string; evaluationError?: string}> {
  const review = {spec: {user: `system:node:${node}`, groups: ['system:nodes', 'system:authenticated'], resourceAttributes}};
  const answer = await server.client.post('/apis/authorization.k8s.io/v1/subjectaccessreviews', review);
  return answer.json<{status: {allowed: boolean; reason?: string}}>().status;
}

async function make(t: ExecutionContext, path: string, object: object): Promise<{metadata: {uid: string}}> {
  const answer = await server.client.post(path, object);
  t.is(answer.status, 201, answer.body.toString());
  return answer.json();
}

const onNode = (node: string): Selector => ({rawSelector: `spec.nodeName=${node}`});
const slices = {group: 'resource.k8s.io', resource: 'resourceslices'};
const requests = {group: 'certificates.k8s.io', resource: 'podcertificaterequests'};
const named = (node: string): Selector => ({requirements: [{key: 'spec.nodeName', operator: 'In', values: [node]}]});
const unrelated = /^no relationship found between node 'one' and this object/;

const fixed: readonly [Question, true | RegExp][] = [
  [{verb: 'list', resource: 'pods', fieldSelector: onNode('one')}, true],
  [{verb: 'watch', resource: 'pods', fieldSelector: named('one')}, true],
  [{verb: 'list', resource: 'pods', fieldSelector: onNode('two')}, /^can only list\/watch pods with spec\.nodeName field selector/],
  [{verb: 'list', resource: 'pods', fieldSelector: {rawSelector: 'spec.nodeName!=one'}}, /^can only list\/watch pods/],
  [{verb: 'list', resource: 'pods'}, /^can only list\/watch pods with spec\.nodeName field selector/],
  [{verb: 'get', resource: 'pods', namespace: 'default', name: 'nothing'}, unrelated],
  [{verb: 'patch', resource: 'pods', subresource: 'status', namespace: 'default', name: 'a'}, true],
  [{verb: 'create', resource: 'pods', subresource: 'eviction', namespace: 'default', name: 'a'}, true],
  [{verb: 'update', resource: 'pods', namespace: 'default', name: 'a'}, /^$/],
  [{verb: 'get', resource: 'nodes', name: 'one'}, true],
  [{verb: 'get', resource: 'nodes', name: 'two'}, /^node 'one' cannot read 'two', only its own Node object/],
  [{verb: 'list', resource: 'nodes'}, /^node 'one' cannot read all nodes, only its own Node object/],
  [{verb: 'delete', resource: 'nodes', name: 'one'}, /^$/],
  [{verb: 'patch', resource: 'nodes', subresource: 'status', name: 'one'}, true],
  [{...slices, verb: 'create'}, true],
  [{...slices, verb: 'list', fieldSelector: onNode('one')}, true],
  [{...slices, verb: 'deletecollection', fieldSelector: onNode('one')}, true],
  [{...slices, verb: 'deletecollection'}, /^can only list\/watch\/deletecollection resourceslices with nodeName field selector/],
  [{...slices, verb: 'impersonate'}, /^only the following verbs are allowed for a ResourceSlice/],
  [{...slices, verb: 'get', subresource: 'status', name: 'x'}, /^cannot authorize ResourceSlice subresources/],
  [{...slices, verb: 'delete', name: 'x'}, unrelated],
  [{...requests, verb: 'create', namespace: 'default'}, true],
  [{...requests, verb: 'watch', fieldSelector: onNode('one')}, true],
  [{...requests, verb: 'list'}, /^can only list\/watch podcertificaterequests with nodeName field selector/],
  [{...requests, verb: 'delete', namespace: 'default', name: 'x'}, /^nodes may not delete podcertificaterequests/],
  [
    {...requests, verb: 'update', subresource: 'status', name: 'x'},
    /^nodes may not access the status subresource of PodCertificateRequests/,
  ],
  [{verb: 'get', resource: 'serviceaccounts', namespace: 'default', name: 'other'}, unrelated],
  [{verb: 'list', resource: 'serviceaccounts', namespace: 'default'}, /^can only create tokens for individual service accounts/],
  [{verb: 'get', group: 'resource.k8s.io', resource: 'resourceclaims', namespace: 'default', name: 'x'}, unrelated],
  [
    {verb: 'get', resource: 'persistentvolumeclaims', subresource: 'status', namespace: 'default', name: 'x'},
    /^can only get\/update\/patch this type/,
  ],
];
for (const [question, expected] of fixed) {
  test(`a node of 1.36 may: ${JSON.stringify(question)}`, async (t) => {
    const {allowed, reason = ''} = await ask('one', question);
    t.is(allowed, expected === true, reason);
    if (expected !== true) t.regex(reason, expected);
  });
}

test('pods, accounts, claims for devices and slices are related to the nodes that they name or run on', async (t) => {
  const spec = {
    nodeName: 'one',
    serviceAccountName: 'robot',
    containers: [{name: 'c', image: 'i'}],
    resourceClaims: [
      {name: 'named', resourceClaimName: 'named-claim'},
      {name: 'made', resourceClaimTemplateName: 'template'},
    ],
  };
  const pod = await make(t, '/api/v1/namespaces/default/pods', {metadata: {name: 'a'}, spec});
  t.truthy(pod.metadata.uid);
  const status = {status: {resourceClaimStatuses: [{name: 'made', resourceClaimName: 'a-made-x'}]}};
  const patched = await server.client.patch('/api/v1/namespaces/default/pods/a/status', status);
  t.is(patched.status, 200, patched.body.toString());
  await make(t, '/apis/resource.k8s.io/v1/resourceslices', {
    metadata: {name: 'slice'},
    spec: {nodeName: 'one', driver: 'd.example.com', pool: {name: 'one', generation: 1, resourceSliceCount: 1}, devices: [{name: 'x'}]},
  });
  const claim = (name: string): Question => ({
    verb: 'get',
    group: 'resource.k8s.io',
    resource: 'resourceclaims',
    namespace: 'default',
    name,
  });
  const questions: readonly Question[] = [
    claim('named-claim'),
    claim('a-made-x'),
    {verb: 'get', resource: 'serviceaccounts', namespace: 'default', name: 'robot'},
    {verb: 'get', resource: 'pods', namespace: 'default', name: 'a'},
    {verb: 'watch', resource: 'pods', namespace: 'default', name: 'a'},
    {...slices, verb: 'update', name: 'slice'},
    {...slices, verb: 'delete', name: 'slice'},
  ];
  for (const question of questions) {
    await until(`the graph has it: ${JSON.stringify(question)}`, async () => (await ask('one', question)).allowed);
    t.false((await ask('two', question)).allowed, JSON.stringify(question));
  }
  t.is((await server.client.delete('/apis/resource.k8s.io/v1/resourceslices/slice')).status, 200);
  await until('the slice is gone', async () => !(await ask('one', {...slices, verb: 'get', name: 'slice'})).allowed);
});
