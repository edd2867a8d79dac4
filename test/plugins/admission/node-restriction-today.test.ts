import test, {type ExecutionContext} from 'ava';
import type {Status} from '@orch-api/orch/sdk';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import type {HttpsClient, HttpsResponse} from '../../helpers/https-client.js';
import {userClient} from '../../helpers/user-client.js';

let server: TestServer;
test.before(async () => {
  server = await startTestServer({
    platform: 'kubernetes',
    release: '1.36',
    controllers: ['-*'],
    enableAdmissionPlugins: ['NodeRestriction'],
    disableAdmissionPlugins: ['ServiceAccount', 'TaintNodesByCondition'],
    featureGates: {PodCertificateRequest: true},
    runtimeConfig: {'certificates.k8s.io/v1beta1': true},
  });
});
test.after.always(() => server?.stop());

type Json = Record<string, unknown>;
/** May do everything but for what NodeRestriction forbids: roles are not what is tested. */
const agentOf = (t: ExecutionContext, node: string, groups = ['system:nodes', 'system:masters']): Promise<HttpsClient> =>
  userClient(t, server, `system:node:${node}`, groups);

async function made(t: ExecutionContext, path: string, object: object): Promise<{metadata: {uid: string}}> {
  const answer = await server.client.post(path, object);
  t.is(answer.status, 201, answer.body.toString());
  return answer.json();
}

function refused(t: ExecutionContext, answer: HttpsResponse, message: RegExp): void {
  t.is(answer.status, 403, answer.text);
  t.regex(answer.json<Status>().message!, message);
}

const pods = '/api/v1/namespaces/default/pods';
const podOn = (name: string, nodeName: string, spec: Json = {}) => ({
  metadata: {name},
  spec: {nodeName, serviceAccountName: 'robot', containers: [{name: 'c', image: 'i'}], ...spec},
});

test('a node makes and deletes only slices that name it, also when it deletes many at once', async (t) => {
  const slices = '/apis/resource.k8s.io/v1/resourceslices';
  const slice = (name: string, nodeName: string) => ({
    metadata: {name},
    spec: {nodeName, driver: 'd.example.com', pool: {name: nodeName, generation: 1, resourceSliceCount: 1}, devices: [{name: 'x'}]},
  });
  const agent = await agentOf(t, 'slices-a');
  t.is((await agent.post(slices, slice('own', 'slices-a'))).status, 201);
  refused(
    t,
    await agent.post(slices, slice('foreign', 'slices-b')),
    /can only create ResourceSlice with the same NodeName as the requesting node$/,
  );
  await made(t, slices, slice('foreign', 'slices-b'));
  refused(t, await agent.delete(`${slices}/foreign`), /can only delete ResourceSlice with the same NodeName as the requesting node$/);
  refused(
    t,
    await agent.delete(`${slices}?fieldSelector=spec.nodeName%3Dslices-b`),
    /can only delete ResourceSlice with the same NodeName/,
  );
  t.is((await agent.delete(`${slices}?fieldSelector=spec.nodeName%3Dslices-a`)).status, 200);
  t.deepEqual(
    (await server.client.get(slices)).json<{items: {metadata: {name: string}}[]}>().items.map(({metadata}) => metadata.name),
    ['foreign'],
  );
});

test('a node gets tokens only for audiences that volumes of the pod ask for, or that it may ask for', async (t) => {
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  await made(t, accounts, {metadata: {name: 'robot'}});
  await made(t, '/apis/storage.k8s.io/v1/csidrivers', {metadata: {name: 'd.example.com'}, spec: {tokenRequests: [{audience: 'driver'}]}});
  const volumes = [
    {name: 'token', projected: {sources: [{serviceAccountToken: {path: 't', audience: 'vault'}}]}},
    {name: 'csi', csi: {driver: 'd.example.com'}},
  ];
  const {metadata} = await made(t, pods, podOn('tokens', 'tokens-a', {volumes}));
  const agent = await agentOf(t, 'tokens-a');
  const stranger = await agentOf(t, 'tokens-a', ['system:nodes']);
  const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
  await made(t, roles, {metadata: {name: 'tokens'}, rules: [{verbs: ['create'], apiGroups: [''], resources: ['serviceaccounts/token']}]});
  await made(t, '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: {name: 'tokens'},
    roleRef: {apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'tokens'},
    subjects: [{apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'system:node:tokens-a'}],
  });
  const boundObjectRef = {apiVersion: 'v1', kind: 'Pod', name: 'tokens', uid: metadata.uid};
  const ask = (client: HttpsClient, ...audiences: string[]) => client.post(`${accounts}/robot/token`, {spec: {audiences, boundObjectRef}});
  t.is((await ask(agent, 'else')).status, 201, 'it may ask for all, as a master');
  for (const audience of ['vault', 'driver']) t.is((await ask(stranger, audience)).status, 201, audience);
  refused(
    t,
    await ask(stranger, 'else'),
    /audience "else" not found in pod spec volume, system:node:tokens-a is not authorized to request tokens for this audience$/,
  );
  refused(t, await ask(stranger), /audience "" not found in pod spec volume/);
  refused(t, await ask(stranger, 'vault', 'driver'), /node may only request 0 or 1 audiences$/);
});

test('a static pod of a node refers to nothing in the API, and a node leaves the claims of pods alone', async (t) => {
  const node = await made(t, '/api/v1/nodes', {metadata: {name: 'static-a'}});
  const agent = await agentOf(t, 'static-a');
  const owner = {apiVersion: 'v1', kind: 'Node', name: 'static-a', uid: node.metadata.uid, controller: true};
  const mirror = (spec: Json) => ({
    metadata: {name: 'static', annotations: {'kubernetes.io/config.mirror': 'x'}, ownerReferences: [owner]},
    spec: {nodeName: 'static-a', containers: [{name: 'c', image: 'i'}], ...spec},
  });
  const faults: [Json, string][] = [
    [{serviceAccountName: 'robot'}, 'serviceaccounts'],
    [{resourceClaims: [{name: 'a', resourceClaimName: 'b'}]}, 'resourceclaims'],
    [{volumes: [{name: 'v', csi: {driver: 'd.example.com'}}]}, 'csidrivers (via CSI volumes)'],
    [{volumes: [{name: 'v', persistentVolumeClaim: {claimName: 'x'}}]}, 'persistentvolumeclaims'],
    [{volumes: [{name: 'v', projected: {sources: [{serviceAccountToken: {path: 't'}}]}}]}, 'serviceaccounts (via projected volumes)'],
  ];
  for (const [spec, what] of faults) {
    const answer = await agent.post(pods, mirror(spec));
    t.is(answer.status, 403, answer.text);
    t.true(answer.json<Status>().message!.endsWith(`node "static-a" can not create pods that reference ${what}`), answer.text);
  }
  t.is((await agent.post(pods, mirror({volumes: [{name: 'v', emptyDir: {}}]}))).status, 201);
  await made(t, pods, podOn('claims', 'static-a', {serviceAccountName: '', resourceClaims: [{name: 'a', resourceClaimTemplateName: 't'}]}));
  const status = {status: {resourceClaimStatuses: [{name: 'a', resourceClaimName: 'other'}]}};
  refused(t, await agent.patch(`${pods}/claims/status`, status), /node "static-a" cannot update resource claim statues$/);
});

test('a node asks for certificates of its own pods only, with the identities that they have', async (t) => {
  const node = await made(t, '/api/v1/nodes', {metadata: {name: 'certs-a'}});
  const account = await made(t, '/api/v1/namespaces/default/serviceaccounts', {metadata: {name: 'certs'}});
  const pod = await made(t, pods, podOn('certs', 'certs-a', {serviceAccountName: 'certs'}));
  const agent = await agentOf(t, 'certs-a');
  const spec = {
    signerName: 'example.com/signer',
    podName: 'certs',
    podUID: pod.metadata.uid,
    serviceAccountName: 'certs',
    serviceAccountUID: account.metadata.uid,
    nodeName: 'certs-a',
    nodeUID: node.metadata.uid,
    pkixPublicKey: 'AAAA',
    proofOfPossession: 'AAAA',
  };
  const ask = (more: Json) =>
    agent.post('/apis/certificates.k8s.io/v1beta1/namespaces/default/podcertificaterequests', {
      metadata: {generateName: 'r-'},
      spec: {...spec, ...more},
    });
  refused(
    t,
    await ask({nodeName: 'certs-b'}),
    /PodCertificateRequest\.Spec\.NodeName="certs-b", which is not the requesting node "certs-a"$/,
  );
  refused(
    t,
    await ask({serviceAccountName: 'other'}),
    /contains serviceAccountName \("other"\) that differs from running pod \("certs"\)$/,
  );
  for (const member of ['nodeUID', 'podUID', 'serviceAccountUID']) {
    const answer = await ask({[member]: '00000000-0000-0000-0000-000000000000'});
    t.is(answer.status, 409, answer.text);
    t.regex(answer.json<Status>().message!, /PodCertificateRequest for pod "default\/certs"/);
  }
  t.is((await ask({podName: 'gone'})).status, 404);
  // Past admission; the proof is none.
  t.is((await ask({})).status, 422);
});
