import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {WebSocket} from 'ws';
import type {TestClient, TestServer} from '@orch-api/orch/testing';
import {platformObjects, statusWrites} from './platform-objects.js';

const namespace = '/api/v1/namespaces/programs';
const leases = '/apis/coordination.k8s.io/v1/namespaces/programs/leases';
const merge = 'application/merge-patch+json';

const reads: readonly string[] = [
  '/metrics',
  '/metrics/slis',
  '/metrics/resources',
  '/debug/flags/log-level',
  '/debug/flags/log-requests',
  '/debug/pprof/',
  '/debug/pprof/profile?seconds=0',
  '/debug/api_priority_and_fairness/dump_priority_levels',
  '/debug/api_priority_and_fairness/dump_queues',
  '/debug/api_priority_and_fairness/dump_requests?includeRequestDetails=1',
  '/apis/extension.example/v1',
  '/apis/extension.example/v1/namespaces/programs/gadgets',
  '/apis/extension.example/v1/namespaces/programs/gadgets/one',
  '/apis/extension.example/v1/namespaces/programs/gadgets?watch=1&timeoutSeconds=1',
  '/apis/extension.example',
  '/apis/apiregistration.k8s.io/v1/apiservices',
  '/apis/metrics.k8s.io/v1beta1/nodes',
  '/api/v1/namespaces/programs/events?fieldSelector=involvedObject.kind%3DPod%2CinvolvedObject.name%3Done',
  '/apis/events.k8s.io/v1/namespaces/programs/events?fieldSelector=reason%3DStarted',
  '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication',
  '/api/v1/namespaces/programs/configmaps/kube-root-ca.crt',
  '/api/v1/namespaces/default/endpoints/kubernetes',
  '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes',
  '/apis/admissionregistration.k8s.io/v1alpha1/validatingadmissionpolicies',
  '/apis/flowcontrol.apiserver.k8s.io/v1beta3/flowschemas',
  '/apis/flowcontrol.apiserver.k8s.io/v1beta3/prioritylevelconfigurations',
];

const impersonations: readonly Readonly<Record<string, string>>[] = [
  {'impersonate-user': 'jo', 'impersonate-uid': 'u-1'},
  {'impersonate-user': 'system:serviceaccount:programs:default', 'impersonate-group': 'system:serviceaccounts'},
  {'impersonate-user': 'system:anonymous'},
  {'impersonate-user': 'jo', 'impersonate-extra-example.com%2froles': 'a', 'impersonate-extra-scopes': 'b'},
  {'impersonate-group': 'readers'},
];

const traced: readonly Readonly<Record<string, string>>[] = [
  {traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', tracestate: 'a=b,c=d', baggage: 'k=v;p=1'},
  {traceparent: '00-00000000000000000000000000000000-0000000000000000-00'},
  {traceparent: 'ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', 'audit-id': 'chosen'},
];

const reviews: readonly (readonly [path: string, spec: object])[] = [
  ['authentication.k8s.io/v1/tokenreviews', {token: 'sesame'}],
  ['authentication.k8s.io/v1/tokenreviews', {token: 'a.b.c', audiences: ['https://kubernetes.default.svc']}],
  [
    'authorization.k8s.io/v1/subjectaccessreviews',
    {
      user: 'jo',
      uid: 'u',
      groups: ['readers'],
      extra: {scopes: ['a']},
      resourceAttributes: {
        namespace: 'programs',
        verb: 'get',
        group: 'apps',
        version: 'v1',
        resource: 'deployments',
        subresource: 'scale',
        name: 'x',
      },
    },
  ],
  ['authorization.k8s.io/v1/subjectaccessreviews', {groups: ['system:masters'], nonResourceAttributes: {path: '/metrics', verb: 'get'}}],
  ['authorization.k8s.io/v1/selfsubjectaccessreviews', {resourceAttributes: {verb: '*', resource: '*', group: '*'}}],
  ['authorization.k8s.io/v1/selfsubjectrulesreviews', {namespace: 'programs'}],
  ['authentication.k8s.io/v1alpha1/selfsubjectreviews', {}],
];

/** What clients send to the parts of the platform that are not objects of applications. */
export async function platformSession(client: TestClient, server: TestServer): Promise<void> {
  await client.post('/api/v1/namespaces', {metadata: {name: 'programs'}});
  for (const path of reads) await client.get(path);
  for (const level of ['debug', 'info,http=debug', 'none']) await client.put('/debug/flags/log-level', level);
  await client.put('/debug/flags/log-level', 'info');
  await client.put('/debug/flags/log-requests', 'false');
  for (const headers of [...impersonations, ...traced]) await client.get(`${namespace}/configmaps`, {headers});
  for (const headers of impersonations) await client.post(`${namespace}/configmaps`, {metadata: {generateName: 'as-'}}, {headers});
  for (const [path, spec] of reviews) {
    const [group, version, type] = path.split('/');
    const kind = `${type!.replace(/^./, (letter) => letter.toUpperCase()).replace(/s$/, '')}`;
    await client.post(`/apis/${path}`, {apiVersion: `${group}/${version}`, kind, spec});
  }
  for (const [path, object] of platformObjects) {
    await client.post(path, object);
    const {name} = (object as {metadata: {name: string}}).metadata;
    await client.get(`${path}/${name}`);
    await client.patch(`${path}/${name}`, {metadata: {labels: {touched: 'yes'}}}, merge);
  }
  for (const [path, change] of statusWrites) await client.patch(path, change, merge);
  await changeLease(client);
  await own(client);
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    await client.request(method, '/apis/extension.example/v1/namespaces/programs/gadgets/one?fieldManager=me', {
      body: {apiVersion: 'extension.example/v1', kind: 'Gadget', metadata: {name: 'one'}},
      headers: {'content-type': method === 'PATCH' ? merge : 'application/json'},
    });
  await client.post('/orch/testing/snapshot', '');
  await client.post('/orch/testing/restore?snapshot=none', '');
  await openWebSockets(client.url, server.dataDir);
  for (const [path, object] of platformObjects) await client.delete(`${path}/${(object as {metadata: {name: string}}).metadata.name}`);
}

async function changeLease(client: TestClient): Promise<void> {
  const spec = {
    holderIdentity: 'one',
    leaseDurationSeconds: 15,
    acquireTime: '2026-01-01T00:00:00.000000Z',
    renewTime: '2026-01-01T00:00:00.000000Z',
  };
  await client.post(leases, {metadata: {name: 'leader'}, spec});
  const lease = (await client.get(`${leases}/leader`)).json<Record<string, object>>();
  await client.put(`${leases}/leader`, {...lease, spec: {...spec, holderIdentity: 'two', leaseTransitions: 1}});
  await client.put(`${leases}/leader`, {...lease, spec});
  await client.patch(`${leases}/leader`, {spec: {renewTime: '2026-01-01T00:00:10.000001Z'}}, merge);
}

/** Owners and what they own, deleted in every way. */
async function own(client: TestClient): Promise<void> {
  const configMaps = `${namespace}/configmaps`;
  for (const policy of ['Foreground', 'Background', 'Orphan']) {
    const name = `owner-${policy.toLowerCase()}`;
    const {metadata} = (await client.post(configMaps, {metadata: {name}})).json<{metadata: {uid: string}}>();
    const owner = {apiVersion: 'v1', kind: 'ConfigMap', name, uid: metadata.uid, blockOwnerDeletion: true};
    for (const number of [0, 1]) await client.post(configMaps, {metadata: {name: `${name}-${number}`, ownerReferences: [owner]}});
    await client.request('DELETE', `${configMaps}/${name}`, {
      body: {apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: policy, preconditions: {uid: metadata.uid}},
      headers: {'content-type': 'application/json'},
    });
  }
  await client.request('DELETE', `${configMaps}?labelSelector=none&propagationPolicy=Foreground`);
  await client.patch(
    `${configMaps}/owner-orphan-0`,
    {metadata: {ownerReferences: [{apiVersion: 'gone.example/v1', kind: 'Gone', name: 'x', uid: 'y'}]}},
    merge,
  );
}

async function openWebSockets(url: string, dataDir: string): Promise<void> {
  const [ca, cert, key] = await Promise.all(['ca.crt', 'admin.crt', 'admin.key'].map((name) => readFile(join(dataDir, 'pki', name))));
  const token = `base64url.bearer.authorization.k8s.io.${Buffer.from('sesame').toString('base64url')}`;
  const paths: readonly (readonly [path: string, protocols: string[]])[] = [
    [`${namespace}/configmaps?watch=1&timeoutSeconds=1`, ['base64.binary.k8s.io', token]],
    [`${namespace}/pods/none/exec?command=true&stdout=true`, ['v4.channel.k8s.io', token]],
    [`${namespace}/pods/none/attach?stdin=true`, ['v5.channel.k8s.io']],
    [`${namespace}/pods/none/portforward?ports=80`, ['v4.base64.channel.k8s.io']],
    [`${namespace}/services/none/proxy/`, [token]],
    ['/apis/extension.example/v1/namespaces/programs/gadgets?watch=1', ['binary.k8s.io']],
  ];
  for (const [path, protocols] of paths) {
    const socket = new WebSocket(`${url.replace('https', 'wss')}${path}`, protocols, {ca, cert, key, handshakeTimeout: 1000});
    socket.on('error', () => undefined);
    const ended = new Promise((resolve) => socket.once('close', resolve));
    socket.once('open', () => setTimeout(() => socket.terminate(), 100));
    await ended;
  }
}
