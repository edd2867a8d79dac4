import type {ExecutionContext} from 'ava';
import type {Status} from '@orch-api/orch/sdk';
import {untilCached} from '../../helpers/cached.js';
import {testOnEachStore, type StoreContext} from '../../helpers/each-store.js';
import {eventually} from '../../helpers/eventually.js';

const storeTest = testOnEachStore({
  platform: 'kubernetes',
  enableAdmissionPlugins: [
    'AlwaysAdmit',
    'AlwaysPullImages',
    'LimitPodHardAntiAffinityTopology',
    'DenyServiceExternalIPs',
    'ExtendedResourceToleration',
    'NamespaceExists',
    'NamespaceAutoProvision',
    'OwnerReferencesPermissionEnforcement',
  ],
});

type Json = Record<string, unknown>;
interface Pod {
  metadata: {name: string; uid: string};
  spec: {
    containers: {imagePullPolicy: string}[];
    tolerations?: Json[];
    priority?: number;
    priorityClassName?: string;
    preemptionPolicy?: string;
    overhead?: Json;
    nodeSelector?: Json;
  };
}

const pod = (spec: Json = {}, metadata: Json = {}) => ({
  metadata: {name: 'p', ...metadata},
  spec: {containers: [{name: 'c', image: 'registry.example/app:1'}], ...spec},
});

async function create(t: ExecutionContext, {client, path}: StoreContext, spec?: Json, metadata?: Json): Promise<Pod> {
  const made = await client.post(path('pods'), pod(spec, metadata));
  t.is(made.status, 201, made.body.toString());
  return made.json<Pod>();
}

async function refused(t: ExecutionContext, {client, path}: StoreContext, spec: Json, detail: string): Promise<void> {
  const answer = await client.post(path('pods'), pod(spec));
  t.is(answer.status, 403, answer.body.toString());
  t.is(answer.json<Status>().message, `pods "p" is forbidden: ${detail}`);
}

storeTest('DefaultTolerationSeconds lets pods stay for five minutes unless they say otherwise', async (t, context) => {
  const seconds = async (name: string, tolerations?: Json[]) =>
    (await create(t, context, tolerations ? {tolerations} : {}, {name})).spec.tolerations!.map(({key, effect, tolerationSeconds}) => [
      key,
      effect,
      tolerationSeconds,
    ]);
  const notReady = ['node.kubernetes.io/not-ready', 'NoExecute', 300];
  const unreachable = ['node.kubernetes.io/unreachable', 'NoExecute', 300];
  t.deepEqual(await seconds('a'), [notReady, unreachable]);
  const own = {key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5};
  t.deepEqual(await seconds('b', [own]), [['node.kubernetes.io/not-ready', 'NoExecute', 5], unreachable]);
  t.deepEqual(await seconds('c', [{operator: 'Exists'}]), [[undefined, undefined, undefined]]);
});

storeTest('the seconds of DefaultTolerationSeconds are flags', async (t, {start}) => {
  const {client} = await start({flags: {'default-not-ready-toleration-seconds': 7}});
  const made = await client.post('/api/v1/namespaces/default/pods', pod());
  t.deepEqual(
    made.json<Pod>().spec.tolerations!.map(({tolerationSeconds}) => tolerationSeconds),
    [7, 300],
  );
});

storeTest('AlwaysPullImages sets the pull policy of every container', async (t, context) => {
  const {spec} = await create(t, context, {
    containers: [
      {name: 'a', image: 'x', imagePullPolicy: 'Never'},
      {name: 'b', image: 'y'},
    ],
    initContainers: [{name: 'i', image: 'z', imagePullPolicy: 'IfNotPresent'}],
  });
  t.deepEqual(
    [...spec.containers, ...(spec as unknown as {initContainers: Pod['spec']['containers']}).initContainers].map((c) => c.imagePullPolicy),
    ['Always', 'Always', 'Always'],
  );
});

storeTest('[B-ADM-1] required anti-affinity reaches no further than the host name', async (t, context) => {
  const required = (topologyKey: string) => ({
    affinity: {
      podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey, labelSelector: {matchLabels: {app: 'a'}}}]},
    },
  });
  await create(t, context, required('kubernetes.io/hostname'), {name: 'ok'});
  await refused(
    t,
    context,
    required('zone'),
    'affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey zone but only key kubernetes.io/hostname is allowed',
  );
});

storeTest('ExtendedResourceToleration lets pods onto the nodes of the resources that they ask for', async (t, context) => {
  const resources = {requests: {'example.com/gpu': '1', cpu: '1'}, limits: {'example.com/gpu': '1'}};
  const {spec} = await create(t, context, {containers: [{name: 'c', image: 'x', resources}]});
  t.deepEqual(
    spec.tolerations!.filter(({effect}) => effect === 'NoSchedule'),
    [{key: 'example.com/gpu', operator: 'Exists', effect: 'NoSchedule'}],
  );
});

storeTest('DenyServiceExternalIPs refuses new external addresses and lets known ones be', async (t, {client, path}) => {
  const service = (externalIPs: string[]) => ({metadata: {name: 's'}, spec: {ports: [{port: 80}], externalIPs}});
  const answer = await client.post(path('services'), service(['192.0.2.1']));
  t.is(answer.status, 403);
  t.is(answer.json<Status>().message, 'services "s" is forbidden: Use of external IPs is denied by admission control');
  t.is((await client.post(path('services'), service([]))).status, 201);
});

storeTest('[B-ADM-5] NamespaceAutoProvision makes the namespace of a new object, but not for a dry run', async (t, {client, namespace}) => {
  const missing = `${namespace}-new`;
  const post = (query = '') => client.post(`/api/v1/namespaces/${missing}/configmaps${query}`, {metadata: {name: 'c'}});
  t.is((await post('?dryRun=All')).status, 404);
  t.is((await client.get(`/api/v1/namespaces/${missing}`)).status, 404);
  t.is((await post()).status, 201);
  t.is((await client.get(`/api/v1/namespaces/${missing}`)).status, 200);
});

storeTest('[B-ADM-6] NamespaceExists refuses what is created in a namespace that is missing', async (t, {start}) => {
  const {client} = await start({enableAdmissionPlugins: ['NamespaceExists'], disableAdmissionPlugins: ['NamespaceLifecycle']});
  const answer = await client.post('/api/v1/namespaces/nowhere/configmaps', {metadata: {name: 'c'}});
  t.is(answer.status, 404);
  t.is(answer.json<Status>().message, 'namespaces "nowhere" not found');
});

storeTest('AlwaysDeny refuses every write', async (t, {start}) => {
  const {client} = await start({enableAdmissionPlugins: ['AlwaysDeny']});
  const answer = await client.post('/api/v1/namespaces/default/configmaps', {metadata: {name: 'c'}});
  t.is(answer.status, 403);
  t.is(answer.json<Status>().message, 'configmaps "c" is forbidden: admission control is denying all modifications');
  t.is((await client.get('/api/v1/namespaces/default')).status, 200, 'reads are no writes');
});

storeTest('[B-ADM-28] new nodes have the taint of a node that is not ready', async (t, {client, namespace}) => {
  const made = await client.post('/api/v1/nodes', {metadata: {name: namespace}});
  t.deepEqual(made.json<{spec: {taints: Json[]}}>().spec.taints, [{key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule'}]);
});

storeTest('[B-ADM-20] [B-ADM-21] a pod has the priority of its class', async (t, context) => {
  const {client, namespace} = context;
  const classes = '/apis/scheduling.k8s.io/v1/priorityclasses';
  t.is((await client.post(classes, {metadata: {name: namespace}, value: 70, preemptionPolicy: 'Never'})).status, 201);
  const {spec} = await create(t, context, {priorityClassName: namespace}, {name: 'a'});
  t.deepEqual([spec.priority, spec.preemptionPolicy], [70, 'Never']);
  const system = await create(t, context, {priorityClassName: 'system-node-critical'}, {name: 'b'});
  t.is(system.spec.priority, 2_000_001_000);
  await refused(t, context, {priorityClassName: 'unknown'}, 'no PriorityClass with name unknown was found');
  await refused(
    t,
    context,
    {priorityClassName: namespace, priority: 3},
    'the integer value of priority (3) must not be provided in pod spec; priority admission controller computed 70 from the given PriorityClass name',
  );
});

storeTest('pods without a class get the default one, and there is only one default', async (t, {start}) => {
  const {client} = await start();
  const classes = '/apis/scheduling.k8s.io/v1/priorityclasses';
  const made = await client.post('/api/v1/namespaces/default/pods', pod());
  t.deepEqual([made.json<Pod>().spec.priority, made.json<Pod>().spec.priorityClassName], [0, undefined]);
  const usual = await client.post(classes, {metadata: {name: 'usual'}, value: 5, globalDefault: true});
  t.is(usual.status, 201);
  await untilCached(client, `${classes}/usual`, usual);
  const second = await client.post('/api/v1/namespaces/default/pods', pod({}, {name: 'q'}));
  t.deepEqual([second.json<Pod>().spec.priority, second.json<Pod>().spec.priorityClassName], [5, 'usual']);
  const other = await client.post(classes, {metadata: {name: 'other'}, value: 6, globalDefault: true});
  t.is(other.status, 403);
  t.regex(other.json<Status>().message!, /PriorityClass usual is already marked as default\. Only one default can exist$/);
  t.is((await client.patch(`${classes}/usual`, {metadata: {labels: {a: 'b'}}})).status, 200, 'the default one may be changed');
});

storeTest('[B-ADM-23] [B-ADM-24] a pod has the overhead and the placement of its runtime class', async (t, context) => {
  const {client, namespace} = context;
  const made = await client.post('/apis/node.k8s.io/v1/runtimeclasses', {
    metadata: {name: namespace},
    handler: 'vm',
    overhead: {podFixed: {cpu: '250m'}},
    scheduling: {nodeSelector: {vm: 'yes'}, tolerations: [{key: 'vm', operator: 'Exists'}]},
  });
  t.is(made.status, 201);
  const {spec} = await create(t, context, {runtimeClassName: namespace});
  t.deepEqual(spec.overhead, {cpu: '250m'});
  t.deepEqual(spec.nodeSelector, {vm: 'yes'});
  t.true(spec.tolerations!.some(({key}) => key === 'vm'));
  await create(t, context, {runtimeClassName: namespace, overhead: {cpu: '0.25'}}, {name: 'same'});
  const another = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";
  await refused(t, context, {runtimeClassName: namespace, overhead: {cpu: '1'}}, another);
  await refused(t, context, {overhead: {cpu: '1'}}, 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead');
  await refused(t, context, {runtimeClassName: 'none'}, 'pod rejected: RuntimeClass "none" not found');
  await refused(
    t,
    context,
    {runtimeClassName: namespace, nodeSelector: {vm: 'no'}},
    'conflict: runtimeClass.scheduling.nodeSelector[vm] = yes; pod.spec.nodeSelector[vm] = no',
  );
});

storeTest('DefaultIngressClass and DefaultStorageClass fill in the class that is marked', async (t, {start}) => {
  const {client} = await start();
  const ingresses = '/apis/networking.k8s.io/v1/namespaces/default/ingresses';
  const ingress = (name: string) => ({metadata: {name}, spec: {defaultBackend: {service: {name: 's', port: {number: 80}}}}});
  const classOf = async (name: string) =>
    (await client.post(ingresses, ingress(name))).json<{spec: {ingressClassName?: string}}>().spec.ingressClassName;
  t.is(await classOf('a'), undefined);
  const marked = (key: string) => ({annotations: {[`${key}.kubernetes.io/is-default-class`]: 'true'}});
  const classes = '/apis/networking.k8s.io/v1/ingressclasses';
  const mark = async (url: string, name: string, key: string, rest: Json) =>
    untilCached(client, `${url}/${name}`, await client.post(url, {metadata: {name, ...marked(key)}, ...rest}));
  await mark(classes, 'usual', 'ingressclass', {spec: {controller: 'example.com/c'}});
  t.is(await classOf('b'), 'usual');
  await mark(classes, 'more', 'ingressclass', {spec: {controller: 'example.com/c'}});
  // It is the newest, or as old and the first by name.
  t.is(await classOf('c'), 'more');

  await mark('/apis/storage.k8s.io/v1/storageclasses', 'disk', 'storageclass', {provisioner: 'example.com/d'});
  const claim = (name: string, more: Json = {}) => ({
    metadata: {name},
    spec: {accessModes: ['ReadWriteOnce'], resources: {requests: {storage: '1Gi'}}, ...more},
  });
  const storageOf = async (body: object) =>
    (await client.post('/api/v1/namespaces/default/persistentvolumeclaims', body)).json<{spec: {storageClassName?: string}}>().spec
      .storageClassName;
  t.is(await storageOf(claim('a')), 'disk');
  t.is(await storageOf(claim('b', {storageClassName: ''})), '');
});

storeTest('[B-ADM-15] a bound claim grows only where its storage class allows that', async (t, {client, path, namespace}) => {
  const classes = '/apis/storage.k8s.io/v1/storageclasses';
  const own = `${namespace}-disk`;
  await client.post(classes, {metadata: {name: own}, provisioner: 'example.com/d'});
  await client.post(path('persistentvolumeclaims'), {
    metadata: {name: 'c'},
    spec: {accessModes: ['ReadWriteOnce'], resources: {requests: {storage: '1Gi'}}, storageClassName: own, volumeName: 'v'},
  });
  const claim = `${path('persistentvolumeclaims')}/c`;
  const grow = () => client.patch(claim, {spec: {resources: {requests: {storage: '2Gi'}}}});
  const bound = await client.patch(`${claim}/status`, {status: {phase: 'Bound', capacity: {storage: '1Gi'}}});
  t.is(bound.status, 200, bound.body.toString());
  const answer = await grow();
  t.is(answer.status, 403);
  t.regex(answer.json<Status>().message!, /the storageclass that provisions the pvc must support resize$/);
  t.is((await client.patch(`${classes}/${own}`, {allowVolumeExpansion: true})).status, 200);
  const grown = await grow();
  t.is(grown.status, 200, grown.body.toString());
});

storeTest('[B-ADM-13] [B-ADM-14] owners are set by those who may delete the object and finalize the owner', async (t, context) => {
  const {client, path, namespace} = context;
  const rbac = '/apis/rbac.authorization.k8s.io/v1';
  const rules = [{apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'create', 'update', 'patch']}];
  const role = {metadata: {name: 'editor'}, rules};
  t.is((await client.post(`${rbac}/namespaces/${namespace}/roles`, role)).status, 201);
  const subjects = [{kind: 'User', name: 'ada', apiGroup: 'rbac.authorization.k8s.io'}];
  const roleRef = {kind: 'Role', name: 'editor', apiGroup: 'rbac.authorization.k8s.io'};
  t.is((await client.post(`${rbac}/namespaces/${namespace}/rolebindings`, {metadata: {name: 'b'}, subjects, roleRef})).status, 201);
  const ada = {headers: {'impersonate-user': 'ada'}};
  const owner = (await client.post(path('configmaps'), {metadata: {name: 'owner'}})).json<{metadata: {uid: string}}>();
  const reference = {apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid};
  const withOwner = (more: Json = {}) => ({metadata: {ownerReferences: [{...reference, ...more}]}});

  // Authorizers follow the store: a grant takes effect a moment after the answer about it.
  const granted = (ask: () => Promise<{status: number}>) =>
    eventually(
      async () => (await ask()).status,
      (status) => status !== 403,
    );
  const made = await granted(() => client.post(path('configmaps'), {metadata: {name: 'made', ...withOwner().metadata}}, ada));
  t.is(made, 201, 'who creates an object may give it owners');
  const blocking = await client.post(path('configmaps'), {metadata: {name: 'x', ...withOwner({blockOwnerDeletion: true}).metadata}}, ada);
  t.is(blocking.status, 403);
  t.regex(
    blocking.json<Status>().message!,
    /cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers/,
  );

  await client.post(path('configmaps'), {metadata: {name: 'plain'}});
  const merge = 'application/merge-patch+json';
  const changed = await client.patch(`${path('configmaps')}/plain`, withOwner(), merge, ada);
  t.is(changed.status, 403);
  t.regex(changed.json<Status>().message!, /cannot set an ownerRef on a resource you can't delete/);
  rules[0]!.verbs.push('delete');
  rules.push({apiGroups: [''], resources: ['configmaps/finalizers'], verbs: ['update']});
  t.is((await client.put(`${rbac}/namespaces/${namespace}/roles/editor`, role)).status, 200);
  t.is(await granted(() => client.patch(`${path('configmaps')}/plain`, withOwner({blockOwnerDeletion: true}), merge, ada)), 200);
});
