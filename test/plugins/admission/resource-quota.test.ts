import type {ExecutionContext} from 'ava';
import type {Status} from '@orch-api/orch/sdk';
import {admissionConfiguration} from '../../helpers/admission-configuration.js';
import {eventually} from '../../helpers/eventually.js';
import {testOnEachStore, type StoreContext} from '../../helpers/each-store.js';
import {createQuota, usedOf} from '../../helpers/quotas.js';

const storeTest = testOnEachStore({platform: 'kubernetes'});

type Json = Record<string, unknown>;
const container = (resources: Json = {}, name = 'c') => ({name, image: 'registry.example/app:1', resources});
const pod = (name: string, spec: Json = {}) => ({metadata: {name}, spec: {containers: [container()], ...spec}});
const asking = (requests: Json, limits: Json = {}) => ({containers: [container({requests, limits})]});

async function made(t: ExecutionContext, {client, path}: StoreContext, resource: string, body: object): Promise<void> {
  const answer = await client.post(path(resource), body);
  t.is(answer.status, 201, answer.body.toString());
}

async function refused(t: ExecutionContext, {client, path}: StoreContext, resource: string, body: object, detail: string): Promise<void> {
  const answer = await client.post(path(resource), body);
  t.is(answer.status, 403, answer.body.toString());
  const {name} = (body as {metadata: {name: string}}).metadata;
  t.is(answer.json<Status>().message, `${resource} "${name}" is forbidden: ${detail}`);
  t.is(answer.json<Status>().reason, 'Forbidden');
}

storeTest('[B-ADM-22] what would exceed a quota is refused, and what is gone gives its share back', async (t, context) => {
  const {client, namespace, path} = context;
  const quota = await createQuota(client, namespace, 'q', {pods: '2', 'count/pods': '3'});
  await made(t, context, 'pods', pod('a'));
  await made(t, context, 'pods', pod('b'));
  t.deepEqual(await usedOf(client, quota), {pods: '2', 'count/pods': '2'}, 'the quota is charged before the answer');
  await refused(t, context, 'pods', pod('c'), 'exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2');

  t.is((await client.delete(`${path('pods')}/a?gracePeriodSeconds=0`)).status, 200);
  await usedOf(client, quota, (used) => used['pods'] === '1' && used['count/pods'] === '1');
  await made(t, context, 'pods', pod('c'));
  await refused(t, context, 'pods', pod('d'), 'exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2');

  t.is((await client.patch(`${path('pods')}/b/status`, {status: {phase: 'Succeeded'}})).status, 200);
  await usedOf(client, quota, (used) => used['pods'] === '1');
  t.is((await usedOf(client, quota))['count/pods'], '2', 'a pod that has ended is still an object');
  await made(t, context, 'pods', pod('d'));
  await refused(
    t,
    context,
    'pods',
    pod('e'),
    'exceeded quota: q, requested: count/pods=1,pods=1, used: count/pods=3,pods=2, limited: count/pods=3,pods=2',
  );
});

storeTest('[B-ADM-22] of 100 objects created at once no more come to be than a quota allows', async (t, context) => {
  const {client, namespace, path} = context;
  const quota = await createQuota(client, namespace, 'ten', {configmaps: '10'});
  const names = Array.from({length: 100}, (_, index) => ({metadata: {name: `m${index}`}}));
  const statuses = await Promise.all(names.map(async (body) => (await client.post(path('configmaps'), body)).status));
  t.is(statuses.filter((status) => status === 201).length, 10);
  t.is(statuses.filter((status) => status === 403).length, 90);
  const there = (await client.get(path('configmaps'))).json<{items: Json[]}>().items;
  t.is(there.length, 10);
  t.deepEqual(await usedOf(client, quota), {configmaps: '10'});
  t.is((await client.delete(`${path('configmaps')}`)).status, 200);
  await usedOf(client, quota, (used) => used['configmaps'] === '0');
});

storeTest('a dry run is checked against the quota and charges nothing', async (t, context) => {
  const {client, namespace, path} = context;
  const quota = await createQuota(client, namespace, 'q', {configmaps: '1'});
  t.is((await client.post(`${path('configmaps')}?dryRun=All`, {metadata: {name: 'a'}})).status, 201);
  t.deepEqual(await usedOf(client, quota), {configmaps: '0'});
  await made(t, context, 'configmaps', {metadata: {name: 'a'}});
  t.is((await client.post(`${path('configmaps')}?dryRun=All`, {metadata: {name: 'b'}})).status, 403);
});

storeTest('what a write that fails has been charged is given back', async (t, {start}) => {
  const {client} = await start({configuration: {plugins: {'resource-quota-controller': {config: {settleMilliseconds: 300}}}}});
  const quota = await createQuota(client, 'default', 'q', {configmaps: '3'});
  const path = '/api/v1/namespaces/default/configmaps';
  t.is((await client.post(path, {metadata: {name: 'a'}})).status, 201);
  t.is((await client.post(path, {metadata: {name: 'a'}})).status, 409);
  await usedOf(client, quota, (used) => used['configmaps'] === '1');
});

storeTest('pods are charged what their containers, the largest init container and their overhead ask for', async (t, context) => {
  const {client, namespace} = context;
  const hard = {
    'requests.cpu': '2',
    'limits.memory': '4Gi',
    'requests.ephemeral-storage': '1Gi',
    'requests.hugepages-2Mi': '8Mi',
    'requests.example.com/gpu': '2',
  };
  const quota = await createQuota(client, namespace, 'compute', hard);
  const resources = (cpu: string, memory: string, more: Json = {}) => ({requests: {cpu, memory, ...more}, limits: {memory, ...more}});
  const gpus = {'example.com/gpu': '1', 'hugepages-2Mi': '4Mi'};
  await made(t, context, 'pods', {
    metadata: {name: 'a'},
    spec: {
      containers: [container(resources('250m', '1Gi', gpus), 'one'), container(resources('250m', '512Mi'), 'two')],
      initContainers: [
        container(resources('700m', '256Mi', {'ephemeral-storage': '100Mi'}), 'first'),
        container(resources('100m', '1Mi'), 'second'),
      ],
    },
  });
  t.deepEqual(await usedOf(client, quota), {
    'requests.cpu': '700m',
    'limits.memory': '1536Mi',
    'requests.ephemeral-storage': '100Mi',
    'requests.hugepages-2Mi': '4Mi',
    'requests.example.com/gpu': '1',
  });
  const runtime = {metadata: {name: `${namespace}-vm`}, handler: 'vm', overhead: {podFixed: {cpu: '500m', memory: '64Mi'}}};
  t.is((await client.post('/apis/node.k8s.io/v1/runtimeclasses', runtime)).status, 201);
  const heavy = {runtimeClassName: `${namespace}-vm`, containers: [container(resources('600m', '1Gi'))]};
  await made(t, context, 'pods', pod('b', heavy));
  const used = await usedOf(client, quota);
  t.deepEqual([used['requests.cpu'], used['limits.memory']], ['1800m', '2624Mi']);
  await refused(
    t,
    context,
    'pods',
    pod('c', heavy),
    'exceeded quota: compute, requested: requests.cpu=1100m, used: requests.cpu=1800m, limited: requests.cpu=2',
  );
});

storeTest('containers must ask for the cpu and memory that a quota limits', async (t, context) => {
  const {client, namespace} = context;
  await createQuota(client, namespace, 'compute', {
    cpu: '1',
    'limits.cpu': '1',
    'limits.memory': '1Gi',
    'requests.ephemeral-storage': '1Gi',
  });
  const body = {
    metadata: {name: 'a'},
    spec: {
      containers: [container({requests: {cpu: '1m'}, limits: {memory: '1Mi'}}, 'one'), container({}, 'two')],
      initContainers: [container({}, 'init')],
    },
  };
  const missing = 'must specify cpu for: init,two; limits.cpu for: init,one,two; limits.memory for: init,two';
  await refused(t, context, 'pods', body, `failed quota: compute: ${missing}`);
});

storeTest('containers of a pod with resources as a whole need not ask for what a quota limits', async (t, context) => {
  const {client, namespace} = context;
  const quota = await createQuota(client, namespace, 'q', {'requests.cpu': '2', 'limits.memory': '2Gi'});
  const resources = {requests: {cpu: '1', memory: '1Gi'}, limits: {cpu: '1', memory: '1Gi'}};
  await made(t, context, 'pods', pod('whole', {resources}));
  t.deepEqual(await usedOf(client, quota), {'requests.cpu': '1', 'limits.memory': '1Gi'});
  await refused(t, context, 'pods', pod('plain'), 'failed quota: q: must specify limits.memory for: c; requests.cpu for: c');
});

storeTest('services are counted by type, also when it changes', async (t, context) => {
  const {client, namespace, path} = context;
  const hard = {services: '3', 'services.nodeports': '3', 'services.loadbalancers': '1'};
  const quota = await createQuota(client, namespace, 'q', hard);
  const service = (name: string, type: string, more: Json = {}) => ({
    metadata: {name},
    spec: {
      type,
      selector: {a: 'b'},
      ports: [
        {port: 80, name: 'a'},
        {port: 81, name: 'b'},
      ],
      ...more,
    },
  });
  await made(t, context, 'services', service('plain', 'ClusterIP'));
  await made(t, context, 'services', service('balanced', 'LoadBalancer', {allocateLoadBalancerNodePorts: false}));
  t.deepEqual(await usedOf(client, quota), {services: '2', 'services.nodeports': '0', 'services.loadbalancers': '1'});
  await refused(
    t,
    context,
    'services',
    service('more', 'LoadBalancer', {allocateLoadBalancerNodePorts: false}),
    'exceeded quota: q, requested: services.loadbalancers=1, used: services.loadbalancers=1, limited: services.loadbalancers=1',
  );
  const type = (name: string, to: string) => client.patch(`${path('services')}/${name}`, {spec: {type: to}});
  t.is((await type('plain', 'NodePort')).status, 200);
  t.is((await usedOf(client, quota))['services.nodeports'], '2');
  t.is((await client.patch(`${path('services')}/plain`, {metadata: {labels: {x: 'y'}}})).status, 200);
  t.is((await usedOf(client, quota))['services.nodeports'], '2', 'an update is charged for what it adds');
  const answer = await type('balanced', 'NodePort');
  t.is(answer.status, 403);
  t.is(
    answer.json<Status>().message,
    'services "balanced" is forbidden: exceeded quota: q, requested: services.nodeports=2, used: services.nodeports=2, limited: services.nodeports=3',
  );
  t.is((await type('plain', 'ClusterIP')).status, 200);
  await usedOf(client, quota, (used) => used['services.nodeports'] === '0');
  t.is((await type('balanced', 'NodePort')).status, 200);
  await usedOf(client, quota, (used) => used['services.nodeports'] === '2' && used['services.loadbalancers'] === '0');
});

storeTest('claims are counted with their storage, in all and by class', async (t, context) => {
  const {client, namespace, path} = context;
  const gold = 'gold.storageclass.storage.k8s.io';
  const hard = {
    persistentvolumeclaims: '3',
    'requests.storage': '10Gi',
    [`${gold}/requests.storage`]: '4Gi',
    [`${gold}/persistentvolumeclaims`]: '2',
  };
  const quota = await createQuota(client, namespace, 'q', hard);
  const claim = (name: string, storage: string, storageClassName: string) => ({
    metadata: {name},
    spec: {accessModes: ['ReadWriteOnce'], resources: {requests: {storage}}, storageClassName},
  });
  await made(t, context, 'persistentvolumeclaims', claim('a', '3Gi', 'gold'));
  await made(t, context, 'persistentvolumeclaims', claim('b', '5Gi', 'other'));
  t.deepEqual(await usedOf(client, quota), {
    persistentvolumeclaims: '2',
    'requests.storage': '8Gi',
    [`${gold}/requests.storage`]: '3Gi',
    [`${gold}/persistentvolumeclaims`]: '1',
  });
  const name = `${gold}/requests.storage`;
  await refused(
    t,
    context,
    'persistentvolumeclaims',
    claim('c', '2Gi', 'gold'),
    `exceeded quota: q, requested: ${name}=2Gi, used: ${name}=3Gi, limited: ${name}=4Gi`,
  );
  t.is((await client.delete(`${path('persistentvolumeclaims')}/a`)).status, 200);
  await client.patch(`${path('persistentvolumeclaims')}/a`, {metadata: {finalizers: null}});
  await usedOf(client, quota, (used) => used['requests.storage'] === '5Gi');
});

storeTest(
  'a quota can count the claims of some VolumeAttributesClasses: those they want, have, or are being changed to',
  async (t, context) => {
    const {client, namespace, path} = context;
    const claims = path('persistentvolumeclaims');
    const ofGold = {scopeSelector: {matchExpressions: [{scopeName: 'VolumeAttributesClass', operator: 'In', values: ['gold']}]}};
    const quota = await createQuota(client, namespace, 'gold', {persistentvolumeclaims: '1', 'requests.storage': '5Gi'}, ofGold);
    const without = {scopeSelector: {matchExpressions: [{scopeName: 'VolumeAttributesClass', operator: 'DoesNotExist'}]}};
    const others = await createQuota(client, namespace, 'without', {persistentvolumeclaims: '5'}, without);
    const claim = (name: string, volumeAttributesClassName?: string) => ({
      metadata: {name},
      spec: {accessModes: ['ReadWriteOnce'], resources: {requests: {storage: '1Gi'}}, storageClassName: 'x', volumeAttributesClassName},
    });
    await made(t, context, 'persistentvolumeclaims', claim('a', 'gold'));
    await made(t, context, 'persistentvolumeclaims', claim('plain'));
    await made(t, context, 'persistentvolumeclaims', claim('b', 'silver'));
    t.deepEqual(await usedOf(client, quota), {persistentvolumeclaims: '1', 'requests.storage': '1Gi'});
    t.deepEqual(await usedOf(client, others), {persistentvolumeclaims: '1'});
    const exceeded =
      'exceeded quota: gold, requested: persistentvolumeclaims=1, used: persistentvolumeclaims=1, limited: persistentvolumeclaims=1';
    await refused(t, context, 'persistentvolumeclaims', claim('c', 'gold'), exceeded);
    const modifying = {modifyVolumeStatus: {targetVolumeAttributesClassName: 'gold', status: 'InProgress'}};
    t.is((await client.patch(`${claims}/b/status`, {status: modifying})).status, 403, 'it would count from then on');
    t.is((await client.patch(`${claims}/b/status`, {status: {phase: 'Bound'}})).status, 200, 'other changes are no matter of quotas');
    t.is((await client.delete(`${claims}/a`)).status, 200);
    await client.patch(`${claims}/a`, {metadata: {finalizers: null}});
    await usedOf(client, quota, (used) => used['persistentvolumeclaims'] === '0');
    t.is((await client.patch(`${claims}/b/status`, {status: modifying})).status, 200);
    await usedOf(client, quota, (used) => used['persistentvolumeclaims'] === '1');

    const {status, body} = await client.post(path('resourcequotas'), {metadata: {name: 'x'}, spec: {hard: {pods: '1'}, ...ofGold}});
    t.is(status, 422);
    t.regex(body.toString(), /spec.scopeSelector.matchExpressions\[0\]: Invalid value: .* unsupported scope applied to resource/);
  },
);

storeTest('a claim counts with what its volume is being enlarged to, also when less is asked for again', async (t, context) => {
  const {client, namespace, path} = context;
  const quota = await createQuota(client, namespace, 'q', {'requests.storage': '5Gi'});
  const spec = {accessModes: ['ReadWriteOnce'], resources: {requests: {storage: '1Gi'}}, storageClassName: 'x'};
  await made(t, context, 'persistentvolumeclaims', {metadata: {name: 'a'}, spec});
  const status = `${path('persistentvolumeclaims')}/a/status`;
  t.is((await client.patch(status, {status: {allocatedResources: {storage: '6Gi'}}})).status, 403);
  t.is((await client.patch(status, {status: {allocatedResources: {storage: '3Gi'}}})).status, 200);
  t.deepEqual(await usedOf(client, quota), {'requests.storage': '3Gi'});
});

storeTest('objects of any type are counted, custom ones included', async (t, context) => {
  const {client, namespace, path} = context;
  const group = `${namespace}.example.com`;
  const quota = await createQuota(client, namespace, 'q', {
    'count/deployments.apps': '0',
    'count/roles.rbac.authorization.k8s.io': '1',
    secrets: '1',
    'count/secrets': '1',
    resourcequotas: '1',
  });
  t.deepEqual(await usedOf(client, quota, (used) => used['resourcequotas'] === '1'), {
    'count/deployments.apps': '0',
    'count/roles.rbac.authorization.k8s.io': '0',
    secrets: '0',
    'count/secrets': '0',
    resourcequotas: '1',
  });
  await refused(
    t,
    context,
    'resourcequotas',
    {metadata: {name: 'r'}, spec: {hard: {}}},
    'exceeded quota: q, requested: resourcequotas=1, used: resourcequotas=1, limited: resourcequotas=1',
  );
  await made(t, context, 'secrets', {metadata: {name: 's'}});
  await refused(
    t,
    context,
    'secrets',
    {metadata: {name: 't'}},
    'exceeded quota: q, requested: count/secrets=1,secrets=1, used: count/secrets=1,secrets=1, limited: count/secrets=1,secrets=1',
  );
  const role = await client.post(path('roles', 'rbac.authorization.k8s.io/v1'), {metadata: {name: 'r'}, rules: []});
  t.is(role.status, 201);

  const schema = {type: 'object', 'x-kubernetes-preserve-unknown-fields': true};
  const definition = {
    metadata: {name: `cups.${group}`},
    spec: {
      group,
      scope: 'Namespaced',
      names: {plural: 'cups', kind: 'Cup'},
      versions: [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: schema}}],
    },
  };
  t.is((await client.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)).status, 201);
  const cups = path('cups', `${group}/v1`);
  const cup = (name: string) => client.post(cups, {apiVersion: `${group}/v1`, kind: 'Cup', metadata: {name}});
  while ((await client.get(cups)).status !== 200);
  t.is((await cup('a')).status, 201);
  t.is((await client.patch(quota, {spec: {hard: {[`count/cups.${group}`]: '2'}}})).status, 200);
  await usedOf(client, quota, (used) => used[`count/cups.${group}`] === '1');
  t.is((await cup('b')).status, 201);
  t.is((await cup('c')).status, 403);
  t.is((await client.delete(`${cups}/a`)).status, 200);
  await usedOf(client, quota, (used) => used[`count/cups.${group}`] === '1');
  t.is((await cup('c')).status, 201);
});

storeTest('a quota with scopes is about some pods only', async (t, context) => {
  const {client, namespace, path} = context;
  await client.post('/apis/scheduling.k8s.io/v1/priorityclasses', {metadata: {name: `${namespace}-high`}, value: 10});
  const quota = (name: string, more: Json) => createQuota(client, namespace, name, {pods: '9'}, more);
  const selector = (scopeName: string, operator: string, values?: string[]) => ({
    scopeSelector: {matchExpressions: [{scopeName, operator, ...(values ? {values} : {})}]},
  });
  const high = `${namespace}-high`;
  const quotas = {
    terminating: await quota('terminating', {scopes: ['Terminating']}),
    endless: await quota('endless', {scopes: ['NotTerminating']}),
    best: await quota('best', {scopes: ['BestEffort']}),
    notBest: await quota('not-best', {scopes: ['NotBestEffort', 'NotTerminating']}),
    classIn: await quota('class-in', selector('PriorityClass', 'In', [high, 'x'])),
    classNotIn: await quota('class-not-in', selector('PriorityClass', 'NotIn', [high])),
    classExists: await quota('class-exists', selector('PriorityClass', 'Exists')),
    classMissing: await quota('class-missing', selector('PriorityClass', 'DoesNotExist')),
    cross: await quota('cross', selector('CrossNamespacePodAffinity', 'Exists')),
  };
  const counts = async () =>
    Object.fromEntries(
      await Promise.all(Object.entries(quotas).map(async ([name, at]) => [name, Number((await usedOf(client, at))['pods'])] as const)),
    );
  await made(t, context, 'pods', pod('a', {activeDeadlineSeconds: 60}));
  t.deepEqual(await counts(), {
    terminating: 1,
    endless: 0,
    best: 1,
    notBest: 0,
    classIn: 0,
    classNotIn: 1,
    classExists: 0,
    classMissing: 1,
    cross: 0,
  });
  const term = {topologyKey: 'zone', labelSelector: {}, namespaces: ['other']};
  const affinity = {podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, podAffinityTerm: term}]}};
  await made(t, context, 'pods', pod('b', {...asking({cpu: '1m'}), priorityClassName: high, affinity}));
  t.deepEqual(await counts(), {
    terminating: 1,
    endless: 1,
    best: 1,
    notBest: 1,
    classIn: 1,
    classNotIn: 1,
    classExists: 1,
    classMissing: 1,
    cross: 1,
  });
  t.is((await client.patch(`${path('pods')}/b`, {spec: {activeDeadlineSeconds: 60}})).status, 200);
  t.is((await counts())['terminating'], 2, 'a pod that comes into a scope is charged there');
  await usedOf(client, quotas.endless, (used) => used['pods'] === '0');
});

storeTest('a quota counts what there was before it, and follows changes of its limits', async (t, context) => {
  const {client, namespace, path} = context;
  await made(t, context, 'configmaps', {metadata: {name: 'a'}});
  await made(t, context, 'configmaps', {metadata: {name: 'b'}});
  const quota = await createQuota(client, namespace, 'q', {configmaps: '2'});
  t.deepEqual(await usedOf(client, quota), {configmaps: '2'});
  const more = () => client.post(path('configmaps'), {metadata: {name: 'c'}});
  t.is((await more()).status, 403);
  t.is((await client.patch(quota, {spec: {hard: {configmaps: '3', secrets: '1'}}})).status, 200);
  await usedOf(client, quota, (used) => used['secrets'] === '0');
  t.is((await more()).status, 201);
  t.is((await client.patch(quota, {spec: {hard: {configmaps: '1'}}})).status, 200);
  t.is((await client.delete(quota)).status, 200);
  t.is((await client.post(path('configmaps'), {metadata: {name: 'd'}})).status, 201);
});

storeTest('a quota that has not been counted is not in force yet, one that is counted in part refuses', async (t, {start}) => {
  const {client} = await start({disablePlugins: ['resource-quota-controller']});
  const base = '/api/v1/namespaces/default';
  t.is((await client.post(`${base}/resourcequotas`, {metadata: {name: 'q'}, spec: {hard: {configmaps: '2'}}})).status, 201);
  t.is((await client.post(`${base}/configmaps`, {metadata: {name: 'a'}})).status, 201);
  t.is((await client.patch(`${base}/resourcequotas/q/status`, {status: {hard: {configmaps: '2'}}})).status, 200);
  // Admission sees quotas as the cache of the server has them, a moment later.
  const answer = await eventually(
    () => client.post(`${base}/configmaps?dryRun=All`, {metadata: {name: 'b'}}),
    ({status}) => status === 403,
  );
  t.is(answer.json<Status>().message, 'configmaps "b" is forbidden: status unknown for quota: q, resources: configmaps');
});

storeTest('the configuration names what may only be used where a quota covers it', async (t, {start}) => {
  const scope = {scopeName: 'CrossNamespacePodAffinity', operator: 'Exists'};
  const configuration = {
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'ResourceQuotaConfiguration',
    limitedResources: [
      {resource: 'services', matchContains: ['services.loadbalancers']},
      {resource: 'pods', matchScopes: [scope]},
    ],
  };
  const {client} = await start({admissionControlConfigFile: admissionConfiguration(t, 'ResourceQuota', configuration, 'kubernetes')});
  const base = '/api/v1/namespaces/default';
  const service = (type: string) =>
    client.post(`${base}/services`, {metadata: {name: type.toLowerCase()}, spec: {type, ports: [{port: 80}]}});
  t.is((await service('ClusterIP')).status, 201);
  const uncovered = await service('LoadBalancer');
  t.is(uncovered.status, 403);
  t.is(uncovered.json<Status>().message, 'services "loadbalancer" is forbidden: insufficient quota to consume: services.loadbalancers');
  await createQuota(client, 'default', 'balancers', {'services.loadbalancers': '1'});
  t.is((await service('LoadBalancer')).status, 201);

  const term = {topologyKey: 'zone', labelSelector: {}, namespaceSelector: {}};
  const near = pod('near', {affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [term]}}});
  const refusal = await client.post(`${base}/pods`, near);
  t.is(refusal.status, 403, refusal.body.toString());
  const detail = 'insufficient quota to match these scopes: [{CrossNamespacePodAffinity Exists []}]';
  t.is(refusal.json<Status>().message, `pods "near" is forbidden: ${detail}`);
  await createQuota(client, 'default', 'near', {pods: '1'}, {scopeSelector: {matchExpressions: [scope]}});
  t.is((await client.post(`${base}/pods`, near)).status, 201);
});
