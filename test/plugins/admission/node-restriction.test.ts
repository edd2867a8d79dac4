import type {ExecutionContext} from 'ava';
import type {Status} from '@orch-api/orch/sdk';
import {testOnEachStore, type StoreContext} from '../../helpers/each-store.js';
import type {HttpsClient, HttpsResponse} from '../../helpers/https-client.js';
import {userClient} from '../../helpers/user-client.js';

const storeTest = testOnEachStore({
  platform: 'kubernetes',
  enableAdmissionPlugins: ['NodeRestriction'],
  disableAdmissionPlugins: ['TaintNodesByCondition'],
});

type Json = Record<string, unknown>;
interface Meta {
  metadata: {uid: string};
}

/** May do everything but for what NodeRestriction forbids: roles are not what is tested. */
const groups = ['system:nodes', 'system:masters'];

const pod = (name: string, nodeName: string, more: Json = {}) => ({
  metadata: {name},
  spec: {nodeName, terminationGracePeriodSeconds: 0, containers: [{name: 'a', image: 'x'}], ...more},
});

async function agentOf(t: ExecutionContext, {server}: StoreContext, node: string): Promise<HttpsClient> {
  return userClient(t, server, `system:node:${node}`, groups);
}

async function made(t: ExecutionContext, {client}: StoreContext, collection: string, object: Json): Promise<Meta> {
  const answer = await client.post(collection, object);
  t.is(answer.status, 201, answer.body.toString());
  return answer.json<Meta>();
}

function refused(t: ExecutionContext, answer: HttpsResponse, message: string): void {
  t.is(answer.status, 403, answer.text);
  t.is(answer.json<Status>().message, message);
}

storeTest('[B-ADM-9] [B-ADM-31] a node agent changes its own node and no other', async (t, context) => {
  const [own, other] = [`${context.namespace}-a`, `${context.namespace}-b`];
  const agent = await agentOf(t, context, own);
  const nodes = '/api/v1/nodes';
  t.is((await agent.post(nodes, {metadata: {name: own}})).status, 201);
  refused(
    t,
    await agent.post(nodes, {metadata: {name: other}}),
    `nodes "${other}" is forbidden: node "${own}" is not allowed to modify node "${other}"`,
  );
  await made(t, context, nodes, {metadata: {name: other}});
  t.is((await agent.patch(`${nodes}/${own}`, {metadata: {annotations: {a: 'b'}}})).status, 200);
  t.is((await agent.patch(`${nodes}/${own}/status`, {status: {capacity: {cpu: '1'}}})).status, 200);
  const message = `nodes "${other}" is forbidden: node "${own}" is not allowed to modify node "${other}"`;
  refused(t, await agent.patch(`${nodes}/${other}`, {metadata: {annotations: {a: 'b'}}}), message);
  refused(t, await agent.patch(`${nodes}/${other}/status`, {status: {capacity: {cpu: '1'}}}), message);
  refused(t, await agent.delete(`${nodes}/${other}`), message);
  t.is((await agent.delete(`${nodes}/${own}`)).status, 200);
  const nobody = await userClient(t, context.server, 'system:node:', groups);
  refused(
    t,
    await nobody.patch(`${nodes}/${other}`, {metadata: {annotations: {a: 'b'}}}),
    `nodes "${other}" is forbidden: could not determine node from user "system:node:"`,
  );
  const admin = await userClient(t, context.server, `system:node:${own}`, ['system:masters']);
  t.is((await admin.patch(`${nodes}/${other}`, {metadata: {annotations: {a: 'b'}}})).status, 200, 'only the group makes an agent');
});

storeTest('[B-ADM-11] a node agent does not touch taints, owners and the configuration source of its node', async (t, context) => {
  const node = context.namespace;
  const agent = await agentOf(t, context, node);
  const at = `/api/v1/nodes/${node}`;
  await made(t, context, '/api/v1/nodes', {metadata: {name: node}, spec: {taints: [{key: 'k', effect: 'NoSchedule'}]}});
  const refuse = `nodes "${node}" is forbidden: node "${node}" is not allowed to`;
  refused(t, await agent.patch(at, {spec: {taints: null}}), `${refuse} modify taints`);
  refused(t, await agent.patch(at, {spec: {taints: [{key: 'k', effect: 'NoExecute'}]}}), `${refuse} modify taints`);
  const ownerReferences = [{apiVersion: 'v1', kind: 'Node', name: node, uid: 'u'}];
  refused(t, await agent.patch(at, {metadata: {ownerReferences}}), `${refuse} modify ownerReferences`);
  t.is((await agent.patch(at, {spec: {unschedulable: true}})).status, 200);
});

storeTest('[B-ADM-12] a node agent does not set labels with reserved prefixes, and sets those that it reports', async (t, context) => {
  const node = context.namespace;
  const agent = await agentOf(t, context, node);
  const at = `/api/v1/nodes/${node}`;
  const reported = {
    'kubernetes.io/hostname': 'h',
    'kubernetes.io/os': 'linux',
    'kubernetes.io/arch': 'x',
    'beta.kubernetes.io/os': 'linux',
    'topology.kubernetes.io/zone': 'z',
    'failure-domain.beta.kubernetes.io/region': 'r',
    'node.kubernetes.io/instance-type': 'i',
    'node.kubernetes.io/anything': 'x',
    'sub.kubelet.kubernetes.io/anything': 'x',
    'example.com/any': 'x',
    plain: 'x',
  };
  const reserved = {
    'node-restriction.kubernetes.io/team': 'a',
    'x.node-restriction.kubernetes.io/team': 'a',
    'kubernetes.io/other': 'x',
    'storage.k8s.io/x': 'y',
  };
  const list = 'kubernetes.io/other, node-restriction.kubernetes.io/team, storage.k8s.io/x, x.node-restriction.kubernetes.io/team';
  refused(
    t,
    await agent.post('/api/v1/nodes', {metadata: {name: node, labels: {...reported, ...reserved}}}),
    `nodes "${node}" is forbidden: node "${node}" is not allowed to set the following labels: ${list}`,
  );
  t.is((await agent.post('/api/v1/nodes', {metadata: {name: node, labels: reported}})).status, 201);
  refused(
    t,
    await agent.patch(at, {metadata: {labels: reserved}}),
    `nodes "${node}" is forbidden: is not allowed to modify labels: ${list}`,
  );
  t.is((await context.client.patch(at, {metadata: {labels: reserved}})).status, 200);
  t.is((await agent.patch(at, {metadata: {labels: {...reserved, plain: 'y'}}})).status, 200, 'what is there may stay');
  const removed = {'node-restriction.kubernetes.io/team': null};
  refused(
    t,
    await agent.patch(at, {metadata: {labels: removed}}),
    `nodes "${node}" is forbidden: is not allowed to modify labels: node-restriction.kubernetes.io/team`,
  );
});

storeTest('[B-ADM-10] a node agent changes only pods that are bound to its node', async (t, context) => {
  const {client, path, namespace: node} = context;
  const agent = await agentOf(t, context, node);
  const pods = path('pods');
  await made(t, context, pods, pod('own', node));
  await made(t, context, pods, pod('other', 'elsewhere'));
  await made(t, context, pods, pod('free', ''));
  const status = {status: {message: 'm'}};
  t.is((await agent.patch(`${pods}/own/status`, status)).status, 200);
  const refuse = (name: string, detail: string) => `pods "${name}" is forbidden: node "${node}" ${detail}`;
  const notOwn = 'can only update pod status for pods with spec.nodeName set to itself';
  for (const name of ['other', 'free']) refused(t, await agent.patch(`${pods}/${name}/status`, status), refuse(name, notOwn));
  const labelled = await agent.patch(`${pods}/own/status`, {metadata: {labels: {a: 'b'}}, ...status});
  refused(t, labelled, refuse('own', 'cannot update labels through pod status'));
  refused(
    t,
    await agent.patch(`${pods}/own`, {metadata: {labels: {a: 'b'}}}),
    `pods "own" is forbidden: unexpected operation "UPDATE", node "${node}" can only create and delete mirror pods`,
  );
  const binding = {metadata: {name: 'free'}, target: {kind: 'Node', name: node}};
  refused(
    t,
    await agent.post(`${pods}/free/binding`, binding),
    `pods "free" is forbidden: unexpected pod subresource "binding", only 'status' and 'eviction' are allowed`,
  );
  const eviction = (name: string) => agent.post(`${pods}/${name}/eviction`, {apiVersion: 'policy/v1', kind: 'Eviction', metadata: {name}});
  refused(t, await eviction('other'), `pods "other" is forbidden: node ${node} can only evict pods with spec.nodeName set to itself`);
  t.is((await eviction('none')).status, 404);
  refused(t, await agent.delete(`${pods}/other`), refuse('other', 'can only delete pods with spec.nodeName set to itself'));
  t.is((await eviction('own')).status, 201);
  await made(t, context, pods, pod('second', node));
  t.is((await agent.delete(`${pods}/second?gracePeriodSeconds=0`)).status, 200);
  refused(t, await agent.delete(pods), refuse('free', 'can only delete pods with spec.nodeName set to itself'));
  t.is((await client.get(`${pods}/other`)).status, 200);
});

storeTest('[B-ADM-10] a node agent creates only mirror pods of its own node, which refer to nothing', async (t, context) => {
  const {path, namespace: node} = context;
  const agent = await agentOf(t, context, node);
  const {metadata} = await made(t, context, '/api/v1/nodes', {metadata: {name: node}});
  const owner = {apiVersion: 'v1', kind: 'Node', name: node, uid: metadata.uid, controller: true};
  const annotations = {'kubernetes.io/config.mirror': 'x'};
  const post = (spec: Json = {}, more: Json = {}) => {
    const {metadata: named, ...rest} = pod('m', node, spec);
    return agent.post(path('pods'), {metadata: {...named, annotations, ownerReferences: [owner], ...more}, ...rest});
  };
  const refuse = async (detail: string, spec?: Json, more?: Json) => refused(t, await post(spec, more), `pods "m" is forbidden: ${detail}`);
  const agentText = `node "${node}"`;
  await refuse(
    `pod does not have "kubernetes.io/config.mirror" annotation, ${agentText} can only create mirror pods`,
    {},
    {annotations: {}},
  );
  await refuse(`${agentText} can only create pods with spec.nodeName set to itself`, {nodeName: 'elsewhere'});
  await refuse(
    `${agentText} can only create pods with a single owner reference set to itself`,
    {},
    {ownerReferences: [owner, {...owner, uid: 'u', controller: false}]},
  );
  const toItself = `${agentText} can only create pods with an owner reference set to itself`;
  await refuse(toItself, {}, {ownerReferences: []});
  await refuse(toItself, {}, {ownerReferences: [{...owner, name: 'other'}]});
  await refuse(
    `${agentText} can only create pods with a controller owner reference set to itself`,
    {},
    {ownerReferences: [{...owner, controller: false}]},
  );
  await refuse(
    `${agentText} must not set blockOwnerDeletion on an owner reference`,
    {},
    {ownerReferences: [{...owner, blockOwnerDeletion: true}]},
  );
  await refuse(`node ${node} UID mismatch: expected u got ${metadata.uid}`, {}, {ownerReferences: [{...owner, uid: 'u'}]});
  const envFrom = [{configMapRef: {name: 'c'}}];
  await refuse(`${agentText} can not create pods that reference configmaps`, {containers: [{name: 'a', image: 'x', envFrom}]});
  await refuse(`${agentText} can not create pods that reference persistentvolumeclaims`, {
    volumes: [{name: 'v', persistentVolumeClaim: {claimName: 'c'}}],
  });
  t.is((await post()).status, 201);
});

storeTest('a node agent reports size and conditions of claims and nothing else', async (t, context) => {
  const {path, namespace: node} = context;
  const agent = await agentOf(t, context, node);
  const claims = path('persistentvolumeclaims');
  const spec = {accessModes: ['ReadWriteOnce'], resources: {requests: {storage: '1Gi'}}};
  await made(t, context, claims, {metadata: {name: 'c'}, spec});
  const at = `${claims}/c`;
  t.is((await agent.patch(`${at}/status`, {status: {capacity: {storage: '1Gi'}}})).status, 200);
  refused(
    t,
    await agent.patch(`${at}/status`, {metadata: {labels: {a: 'b'}}, status: {phase: 'Bound'}}),
    `persistentvolumeclaims "c" is forbidden: node "${node}" is not allowed to update fields other than status.capacity and status.conditions: metadata.labels, status.phase`,
  );
  refused(t, await agent.patch(at, {metadata: {labels: {a: 'b'}}}), 'persistentvolumeclaims "c" is forbidden: may only update PVC status');
});

storeTest('a node agent gets tokens only for pods on its node', async (t, context) => {
  const {path, namespace: node} = context;
  const agent = await agentOf(t, context, node);
  const own = await made(t, context, path('pods'), pod('own', node));
  const other = await made(t, context, path('pods'), pod('other', 'elsewhere'));
  const request = (boundObjectRef?: Json) => agent.post(`${path('serviceaccounts')}/default/token`, {spec: {boundObjectRef}});
  const ref = (name: string, {metadata}: Meta, more: Json = {}) => ({apiVersion: 'v1', kind: 'Pod', name, uid: metadata.uid, ...more});
  const head = 'serviceaccounts "default" is forbidden:';
  refused(t, await request(), `${head} node requested token not bound to a pod`);
  refused(t, await request(ref('own', own, {kind: 'Secret'})), `${head} node requested token not bound to a pod`);
  refused(t, await request(ref('own', own, {uid: ''})), `${head} node requested token with a pod binding without a uid`);
  const reused = 'The object might have been deleted and then recreated';
  refused(
    t,
    await request(ref('own', own, {uid: 'u'})),
    `${head} the UID in the bound object reference (u) does not match the UID in record. ${reused}`,
  );
  refused(t, await request(ref('other', other)), `${head} node requested token bound to a pod scheduled on a different node`);
  t.is((await request(ref('none', own))).status, 404);
  const given = await request(ref('own', own));
  t.is(given.status, 201, given.text);
});

storeTest('a node agent has the lease and the CSINode of its own name', async (t, context) => {
  const node = context.namespace;
  const agent = await agentOf(t, context, node);
  const leases = (namespace: string) => `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
  const own = {metadata: {name: node}};
  t.is((await agent.post(leases('kube-node-lease'), own)).status, 201);
  t.is((await agent.patch(`${leases('kube-node-lease')}/${node}`, {spec: {holderIdentity: node}})).status, 200);
  refused(
    t,
    await agent.post(leases('default'), own),
    `leases.coordination.k8s.io "${node}" is forbidden: can only access leases in the "kube-node-lease" system namespace`,
  );
  const other = {metadata: {name: `${node}-other`}};
  const sameName = 'with the same name as the requesting node';
  refused(
    t,
    await agent.post(leases('kube-node-lease'), other),
    `leases.coordination.k8s.io "${node}-other" is forbidden: can only access node lease ${sameName}`,
  );
  const csi = '/apis/storage.k8s.io/v1/csinodes';
  t.is((await agent.post(csi, {...own, spec: {drivers: []}})).status, 201);
  refused(
    t,
    await agent.post(csi, {...other, spec: {drivers: []}}),
    `csinodes.storage.k8s.io "${node}-other" is forbidden: can only access CSINode ${sameName}`,
  );
  t.is((await agent.delete(`${csi}/${node}`)).status, 200);
});

storeTest('[B-ADM-30] without being enabled nothing restricts node agents', async (t, {start}) => {
  const server = await start({enableAdmissionPlugins: []});
  const agent = await userClient(t, server, 'system:node:a', groups);
  t.is((await agent.post('/api/v1/nodes', {metadata: {name: 'b'}})).status, 201);
});
