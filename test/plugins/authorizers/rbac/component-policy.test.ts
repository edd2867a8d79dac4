import test from 'ava';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {recordingLogger} from '../../../helpers/recording-logger.js';
import {tempFolder} from '../../../helpers/temp-folder.js';
import {rolePath} from './roles.js';

interface Binding {
  metadata: {name: string; namespace?: string; labels: Record<string, string>; annotations: Record<string, string>};
  roleRef: {kind: string; name: string};
  subjects?: {kind: string; name: string; namespace?: string}[];
}

let server: TestServer;
test.before(async () => {
  server = await startTestServer({platform: 'kubernetes', release: '1.26'});
});
test.after.always(() => server?.stop());

const path = (type: string, namespace?: string) => rolePath(type, namespace).replace('.orch', '.k8s.io');
const names = async (type: string, namespace?: string) =>
  (await server.client.get(path(type, namespace)))
    .json<{items: Binding[]}>()
    .items.map(({metadata}) => metadata.name)
    .toSorted();
const bindings = async (type: string, namespace?: string) =>
  (await server.client.get(path(type, namespace))).json<{items: Binding[]}>().items;

/** The controllers of release 1.26 with its default feature gates. */
const controllers = [
  'attachdetach-controller',
  'certificate-controller',
  'clusterrole-aggregation-controller',
  'cronjob-controller',
  'daemon-set-controller',
  'deployment-controller',
  'disruption-controller',
  'endpoint-controller',
  'endpointslice-controller',
  'endpointslicemirroring-controller',
  'ephemeral-volume-controller',
  'expand-controller',
  'generic-garbage-collector',
  'horizontal-pod-autoscaler',
  'job-controller',
  'namespace-controller',
  'node-controller',
  'persistent-volume-binder',
  'pod-garbage-collector',
  'pv-protection-controller',
  'pvc-protection-controller',
  'replicaset-controller',
  'replication-controller',
  'resourcequota-controller',
  'root-ca-cert-publisher',
  'route-controller',
  'service-account-controller',
  'service-controller',
  'statefulset-controller',
  'ttl-after-finished-controller',
  'ttl-controller',
];

test('each controller of the controller manager has a cluster role, bound to its service account in the system namespace', async (t) => {
  const wanted = controllers.map((name) => `system:controller:${name}`);
  const ofControllers = (name: string) => name.startsWith('system:controller:');
  t.deepEqual((await names('clusterroles')).filter(ofControllers), wanted);
  const bound = (await bindings('clusterrolebindings')).filter(({metadata}) => ofControllers(metadata.name));
  t.deepEqual(bound.map(({metadata}) => metadata.name).toSorted(), wanted);
  for (const {metadata, roleRef, subjects} of bound) {
    t.like(roleRef, {kind: 'ClusterRole', name: metadata.name});
    t.deepEqual(subjects, [{kind: 'ServiceAccount', name: metadata.name.slice('system:controller:'.length), namespace: 'kube-system'}]);
    t.is(metadata.labels['kubernetes.io/bootstrapping'], 'rbac-defaults');
    t.is(metadata.annotations['rbac.authorization.kubernetes.io/autoupdate'], 'true');
  }
});

test('the system and the public namespace have the roles of their components, bound to them', async (t) => {
  const own = [
    'extension-apiserver-authentication-reader',
    'system::leader-locking-kube-controller-manager',
    'system::leader-locking-kube-scheduler',
    'system:controller:bootstrap-signer',
    'system:controller:cloud-provider',
    'system:controller:token-cleaner',
  ];
  t.deepEqual(await names('roles', 'kube-system'), own);
  t.deepEqual(await names('roles', 'kube-public'), ['system:controller:bootstrap-signer']);
  const subjectsOf = async (namespace: string) =>
    Object.fromEntries(
      (await bindings('rolebindings', namespace)).map(({metadata, roleRef, subjects}) => [
        metadata.name,
        [roleRef.name, ...(subjects ?? []).map(({kind, name, namespace: at}) => (kind === 'User' ? name : `${at}/${name}`))],
      ]),
    );
  t.deepEqual(await subjectsOf('kube-system'), {
    'system::extension-apiserver-authentication-reader': [own[0]!, 'system:kube-controller-manager', 'system:kube-scheduler'],
    'system::leader-locking-kube-controller-manager': [own[1]!, 'system:kube-controller-manager', 'kube-system/kube-controller-manager'],
    'system::leader-locking-kube-scheduler': [own[2]!, 'system:kube-scheduler', 'kube-system/kube-scheduler'],
    'system:controller:bootstrap-signer': [own[3]!, 'kube-system/bootstrap-signer'],
    'system:controller:cloud-provider': [own[4]!, 'kube-system/cloud-provider'],
    'system:controller:token-cleaner': [own[5]!, 'kube-system/token-cleaner'],
  });
  t.deepEqual(await subjectsOf('kube-public'), {
    'system:controller:bootstrap-signer': ['system:controller:bootstrap-signer', 'kube-system/bootstrap-signer'],
  });
});

/** Who asks for what, and whether it is allowed. Resources as `GROUP/RESOURCE[/SUBRESOURCE]`, `core` for the group without name. */
const reviews: readonly [account: string, verb: string, resource: string, namespace: string, name: string, allowed: boolean][] = [
  ['attachdetach-controller', 'patch', 'core/nodes/status', '', 'n', true],
  ['attachdetach-controller', 'delete', 'storage.k8s.io/volumeattachments', '', 'a', true],
  ['attachdetach-controller', 'delete', 'core/nodes', '', 'n', false],
  ['certificate-controller', 'sign', 'certificates.k8s.io/signers', '', 'kubernetes.io/kubelet-serving', true],
  ['certificate-controller', 'approve', 'certificates.k8s.io/signers', '', 'kubernetes.io/kubelet-serving', false],
  ['certificate-controller', 'approve', 'certificates.k8s.io/signers', '', 'kubernetes.io/kube-apiserver-client-kubelet', true],
  ['clusterrole-aggregation-controller', 'escalate', 'rbac.authorization.k8s.io/clusterroles', '', 'view', true],
  ['cronjob-controller', 'create', 'batch/jobs', 'shop', '', true],
  ['daemon-set-controller', 'create', 'core/pods', 'shop', '', true],
  ['deployment-controller', 'update', 'apps/deployments/status', 'shop', 'd', true],
  ['deployment-controller', 'create', 'core/pods', 'shop', '', false],
  ['disruption-controller', 'get', 'shop.example/carts/scale', 'shop', 'c', true],
  ['endpoint-controller', 'create', 'core/endpoints/restricted', 'shop', '', true],
  ['endpointslice-controller', 'update', 'discovery.k8s.io/endpointslices', 'shop', 's', true],
  ['generic-garbage-collector', 'delete', 'shop.example/carts', 'shop', 'c', true],
  ['generic-garbage-collector', 'create', 'core/pods', 'shop', '', false],
  ['horizontal-pod-autoscaler', 'list', 'metrics.k8s.io/pods', 'shop', '', true],
  ['namespace-controller', 'deletecollection', 'shop.example/carts', 'shop', '', true],
  ['node-controller', 'get', 'core/pods', 'shop', 'p', true],
  ['pod-garbage-collector', 'patch', 'core/pods/status', 'shop', 'p', true],
  ['root-ca-cert-publisher', 'create', 'core/configmaps', 'shop', '', true],
  ['service-account-controller', 'create', 'core/serviceaccounts', 'shop', '', true],
  ['service-account-controller', 'delete', 'core/serviceaccounts', 'shop', 's', false],
  ['statefulset-controller', 'delete', 'core/persistentvolumeclaims', 'shop', 'c', false],
  ['token-cleaner', 'delete', 'core/secrets', 'kube-system', 's', true],
  ['token-cleaner', 'delete', 'core/secrets', 'shop', 's', false],
  ['bootstrap-signer', 'update', 'core/configmaps', 'kube-public', 'cluster-info', true],
  ['bootstrap-signer', 'update', 'core/configmaps', 'kube-public', 'other', false],
];

test('service accounts of controllers may do what their controller does, and no more', async (t) => {
  await Promise.all(
    reviews.map(async ([account, verb, resource, namespace, name, allowed]) => {
      const [group, type, subresource] = resource.split('/');
      const user = `system:serviceaccount:kube-system:${account}`;
      const resourceAttributes = {verb, group: group === 'core' ? '' : group, resource: type, subresource, namespace, name};
      const review = {apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec: {user, resourceAttributes}};
      const answer = await server.client.post('/apis/authorization.k8s.io/v1/subjectaccessreviews', review);
      t.is(answer.json<{status: {allowed: boolean}}>().status.allowed, allowed, `${account} ${verb} ${resource} ${namespace}/${name}`);
    }),
  );
});

test('a controller has the rules that only an enabled feature gate needs', async (t) => {
  await using gated = await startTestServer({
    featureGates: {StatefulSetAutoDeletePVC: true, DynamicResourceAllocation: true, PodDisruptionConditions: false},
  });
  const rules = async (name: string) =>
    (await gated.client.get(`${rolePath('clusterroles')}/system:controller:${name}`)).json<{
      rules?: {verbs: string[]; resources: string[]}[];
    }>().rules ?? [];
  t.true(
    (await rules('statefulset-controller')).some(
      ({verbs, resources}) => verbs.includes('delete') && resources.includes('persistentvolumeclaims'),
    ),
  );
  t.true((await rules('resource-claim-controller')).some(({resources}) => resources.includes('resourceclaims')));
  t.false((await rules('pod-garbage-collector')).some(({resources}) => resources.includes('pods/status')));
});

const policyCode = `import {admission, forbidden} from '@orch-api/orch/sdk';
export class NoSigner {
  validate({resource, name}) {
    if (resource.resource === 'roles' && name === 'system:controller:bootstrap-signer') throw forbidden({...resource, name}, 'not here');
  }
}
admission({operations: ['CREATE'], sideEffects: 'none'})(NoSigner);
`;

test('a default role that admission refuses is left out and logged, and the server starts', async (t) => {
  const folder = tempFolder(t);
  const manifest = {
    name: 'no-signer',
    version: '0.1.0',
    kernel: '^0.1.0',
    entry: './index.js',
    contributes: {admission: [{class: 'NoSigner', name: 'NoSigner', enabledByDefault: true}]},
  };
  await writeFile(join(folder, 'plugin.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'package.json'), JSON.stringify({name: 'no-signer', type: 'module'}));
  await writeFile(join(folder, 'index.js'), policyCode);
  const {logger, lines} = recordingLogger();
  await using strict = await startTestServer({plugins: [folder], logger});
  const own = (await strict.client.get(rolePath('roles', 'orch-public'))).json<{items: unknown[]}>().items;
  t.is(own.length, 0);
  const refused = lines.filter(({message}) => message === 'a default role or binding is refused');
  t.deepEqual(
    refused.map(({fields}) => fields['namespace']),
    ['orch-system', 'orch-public'],
  );
});
