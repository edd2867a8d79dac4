import {httpsClient} from '../../../helpers/https-client.js';
import {readServerFile} from '@orch-api/orch/testing';
import {
  certificateOf,
  conditionTypes,
  keyedRequest,
  nodeUsages,
  pemOf,
  servingUsages,
  type RequestBody,
} from '../certificate-signing/requests.js';
import {testOnCluster, type SimulatedCluster} from './cluster.js';

// As clusters with kubelets of their own have it.
const clusterTest = testOnCluster(2, {authorizationMode: ['Node', 'RBAC'], enableAdmissionPlugins: ['NodeRestriction']});
const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const serving = 'kubernetes.io/kubelet-serving';

interface Asked {
  /** Empty for the administrator. */
  readonly user: string;
  readonly node: string;
  readonly signerName: string;
  readonly usages: readonly string[];
  readonly names: readonly {readonly type: 'dns' | 'ip'; readonly value: string}[];
}

/** Asks for a certificate in the name of somebody; answers the request when no controller has work left. */
async function ask(cluster: SimulatedCluster, name: string, {user, node, signerName, usages, names}: Asked) {
  const {request, key} = await keyedRequest([{O: ['system:nodes']}, {CN: [`system:node:${node}`]}], [...names]);
  const groups = user.startsWith('system:node:')
    ? ['system:nodes', 'system:authenticated']
    : ['system:bootstrappers', 'system:authenticated'];
  const headers: Record<string, string | readonly string[]> = user === '' ? {} : {'Impersonate-User': user, 'Impersonate-Group': groups};
  const body = {metadata: {name}, spec: {request, signerName, usages}};
  const made = await cluster.server.client.post(path, body, {headers});
  if (made.status !== 201) throw new Error(made.body.toString());
  await cluster.server.settled();
  return {asked: await cluster.get<RequestBody>(`${path}/${name}`), key};
}

clusterTest('serving certificates of simulated nodes are approved for their own names and addresses, and signed', async (t, cluster) => {
  const [node] = await cluster.nodes();
  const name = node!.metadata.name!;
  const address = node!.status!.addresses!.find(({type}) => type === 'InternalIP')!.address!;
  const names = [
    {type: 'dns' as const, value: name},
    {type: 'ip' as const, value: address},
  ];
  const own = {user: `system:node:${name}`, node: name, signerName: serving, usages: servingUsages, names};
  const {asked} = await ask(cluster, 'own', own);
  t.like(asked.status?.conditions?.[0], {
    type: 'Approved',
    status: 'True',
    reason: 'AutoApproved',
    message: 'Auto approving serving certificate of a simulated node.',
  });
  t.is(certificateOf(asked).subjectAltName, `DNS:${name}, IP Address:${address}`);
  for (const [what, asks] of [
    ['foreign-name', {...own, names: [...names, {type: 'dns' as const, value: 'shop.example.com'}]}],
    ['foreign-address', {...own, names: [{type: 'ip' as const, value: '10.0.0.1'}]}],
    ['no-node', {...own, user: ''}],
    ['usages', {...own, usages: [...servingUsages, 'client auth']}],
  ] as const) {
    t.deepEqual(conditionTypes((await ask(cluster, what, asks)).asked), [], what);
  }
});

clusterTest('serving certificates of nodes with a kubelet of their own are left to somebody else', async (t, cluster) => {
  await cluster.create('/api/v1/nodes', {metadata: {name: 'real'}});
  const names = [{type: 'dns' as const, value: 'real'}];
  const {asked} = await ask(cluster, 'real', {user: 'system:node:real', node: 'real', signerName: serving, usages: servingUsages, names});
  t.deepEqual(conditionTypes(asked), []);
});

clusterTest('a kubelet that has but a token gets a certificate, registers beside simulated nodes, and renews it', async (t, cluster) => {
  const rbac = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
  const bind = (name: string, role: string, group: string) =>
    cluster.create(rbac, {
      metadata: {name},
      roleRef: {apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role},
      subjects: [{apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: group}],
    });
  const requests = 'system:certificates.k8s.io:certificatesigningrequests';
  await bind('join', 'system:node-bootstrapper', 'system:bootstrappers');
  await bind('approve', `${requests}:nodeclient`, 'system:bootstrappers');
  await bind('renew', `${requests}:selfnodeclient`, 'system:nodes');
  const client = {node: 'joined', signerName: 'kubernetes.io/kube-apiserver-client-kubelet', names: []};
  // Keys that are not RSA are not for encipherment: kubelets leave that usage out.
  const usages = nodeUsages.slice(1);
  const first = await ask(cluster, 'first', {...client, user: 'system:bootstrap:abcdef', usages});
  t.is(first.asked.status?.conditions?.[0]?.message, 'Auto approving kubelet client certificate after SubjectAccessReview.');
  const ca = await readServerFile(cluster.server, 'pki', 'ca.crt');
  const kubelet = httpsClient(t, {url: cluster.server.url, ca, key: first.key, cert: pemOf(first.asked)});
  const registered = await kubelet.post('/api/v1/nodes', {apiVersion: 'v1', kind: 'Node', metadata: {name: 'joined'}});
  t.is(registered.status, 201, registered.text);
  const renewed = await ask(cluster, 'renewed', {...client, user: 'system:node:joined', usages});
  t.is(renewed.asked.status?.conditions?.[0]?.message, 'Auto approving self kubelet client certificate after SubjectAccessReview.');
  t.truthy(renewed.asked.status?.certificate);
});
