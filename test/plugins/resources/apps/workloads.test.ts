import test, {type ExecutionContext} from 'ava';
import type {ApiObject} from '@orch-api/orch/sdk';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import type {ControllerRevision, DaemonSet, Deployment, ReplicaSet} from '@orch-api/orch/types/unchecked/apps/v1';
import {causesOf} from '../status-causes.js';
import {tableRow} from '../table-row.js';

let server: TestServer;
test.before(async () => {
  server = await startTestServer({controllers: ['*', '-garbagecollector']});
});
test.after.always(() => server?.stop());

const pod = {
  containers: [
    {name: 'web', image: 'nginx:1'},
    {name: 'log', image: 'fluentd'},
  ],
};
const wellFormed = {selector: {matchLabels: {app: 'web'}}, template: {metadata: {labels: {app: 'web'}}, spec: pod}};
const root = (plural: string) => `/apis/apps/v1/namespaces/default/${plural}`;
const post = (plural: string, name: string, spec: object) =>
  server.client.post(root(plural), {metadata: {name}, spec: {...wellFormed, ...spec}});

async function create<T extends ApiObject>(t: ExecutionContext, plural: string, name: string, spec: object = {}): Promise<T> {
  const response = await post(plural, name, spec);
  t.is(response.status, 201, response.body.toString());
  return response.json<T>();
}

test('a deployment gets its defaults, those that depend on the strategy included', async (t) => {
  const {spec, status, metadata} = await create<Deployment>(t, 'deployments', 'defaults');
  t.like(spec, {replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600});
  t.deepEqual(spec?.strategy, {type: 'RollingUpdate', rollingUpdate: {maxUnavailable: '25%', maxSurge: '25%'}});
  t.deepEqual(status, {});
  t.is(metadata.generation, 1);
  t.deepEqual((await create<Deployment>(t, 'deployments', 'recreated', {strategy: {type: 'Recreate'}})).spec?.strategy, {type: 'Recreate'});
  const partly = await create<Deployment>(t, 'deployments', 'partly', {strategy: {rollingUpdate: {maxSurge: 2}}});
  t.deepEqual(partly.spec?.strategy, {type: 'RollingUpdate', rollingUpdate: {maxUnavailable: '25%', maxSurge: 2}});
});

const zero = 'must be greater than or equal to 0';
const deploymentFaults: [spec: object, ...faults: string[]][] = [
  [{replicas: -1}, `spec.replicas: Invalid value: -1: ${zero}`],
  [{revisionHistoryLimit: -2}, `spec.revisionHistoryLimit: Invalid value: -2: ${zero}`],
  [{minReadySeconds: 600}, 'spec.progressDeadlineSeconds: Invalid value: 600: must be greater than minReadySeconds'],
  [
    {selector: undefined},
    'spec.selector: Required value',
    'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
  ],
  [{selector: {}}, 'spec.selector: Invalid value: {}: empty selector is invalid for deployment'],
  [
    {selector: {matchExpressions: [{key: 'app', operator: 'Near'}]}},
    'spec.selector.matchExpressions[0].operator: Invalid value: "Near": not a valid selector operator',
    'spec.selector: Invalid value: {"matchExpressions":[{"key":"app","operator":"Near"}]}: invalid label selector',
  ],
  [
    {strategy: {type: 'Recreate', rollingUpdate: {maxSurge: 1}}},
    "spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'",
  ],
  [{strategy: {type: 'Blue'}}, 'spec.strategy: Unsupported value: {"type":"Blue"}: supported values: "Recreate", "RollingUpdate"'],
  [
    {strategy: {rollingUpdate: {maxUnavailable: 0, maxSurge: '0%'}}},
    'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0',
  ],
  [
    {strategy: {rollingUpdate: {maxUnavailable: '150%'}}},
    'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "150%": must not be greater than 100%',
  ],
  [
    {template: {...wellFormed.template, spec: {...pod, restartPolicy: 'Never', activeDeadlineSeconds: 9}}},
    'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
    'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported',
  ],
  [{template: {...wellFormed.template, spec: {}}}, 'spec.template.spec.containers: Required value'],
];

for (const [index, [spec, ...faults]] of deploymentFaults.entries()) {
  test(`a deployment with ${JSON.stringify(spec)} is refused`, async (t) => {
    t.deepEqual(causesOf(await post('deployments', `faulty-${index}`, spec)), faults);
  });
}

test('a disk with one writer is refused where there are several pods, and stays where it is stored', async (t) => {
  const disk = (readOnly: boolean) => ({
    metadata: {labels: {app: 'web'}},
    spec: {...pod, volumes: [{name: 'd', gcePersistentDisk: {pdName: 'disk', readOnly}}]},
  });
  const [fault] = causesOf(await post('deployments', 'disk', {replicas: 2, template: disk(false)}));
  t.regex(
    fault ?? '',
    /^spec\.template\.spec\.volumes\[0\]\.gcePersistentDisk\.readOnly: Invalid value: false: must be true for replicated pods > 1/,
  );
  await create(t, 'deployments', 'disk', {replicas: 1, template: disk(false)});
  t.is((await server.client.patch(`${root('deployments')}/disk`, {spec: {replicas: 2}})).status, 200);
});

for (const plural of ['deployments', 'replicasets', 'daemonsets']) {
  test(`the selector of ${plural} cannot change`, async (t) => {
    await create(t, plural, 'selected');
    const labels = {app: 'web', tier: 'x'};
    const change = {spec: {selector: {matchLabels: {tier: 'x'}}, template: {metadata: {labels}}}};
    t.deepEqual(causesOf(await server.client.patch(`${root(plural)}/selected`, change)), [
      'spec.selector: Invalid value: {"matchLabels":{"app":"web","tier":"x"}}: field is immutable',
    ]);
  });
}

test('the generation of a deployment counts changes of spec, scale and annotations, not of labels and status', async (t) => {
  await create(t, 'deployments', 'counted');
  const path = `${root('deployments')}/counted`;
  const generation = async (change: object, below = '') => {
    t.is((await server.client.patch(path + below, change)).status, 200);
    return (await server.client.get(path)).json<Deployment>().metadata.generation;
  };
  t.is(await generation({spec: {replicas: 2}}), 2);
  t.is(await generation({spec: {replicas: 3}}, '/scale'), 3);
  t.is(await generation({metadata: {annotations: {a: 'b'}}}), 4);
  t.is(await generation({metadata: {labels: {a: 'b'}}}), 4);
  t.is(await generation({status: {replicas: 1}, metadata: {annotations: {c: 'd'}}}, '/status'), 4);
});

test('the status of a deployment takes neither spec nor labels, and its counts fit together', async (t) => {
  await create(t, 'deployments', 'status');
  const path = `${root('deployments')}/status/status`;
  const {spec, metadata, status} = (
    await server.client.patch(path, {spec: {replicas: 9}, metadata: {labels: {a: 'b'}}, status: {replicas: 2, readyReplicas: 1}})
  ).json<Deployment>();
  t.is(spec?.replicas, 1);
  t.is(metadata.labels, undefined);
  t.deepEqual(status, {replicas: 2, readyReplicas: 1});
  t.deepEqual(causesOf(await server.client.patch(path, {status: {updatedReplicas: 3, availableReplicas: 2}})), [
    'status.updatedReplicas: Invalid value: 3: cannot be greater than status.replicas',
    'status.availableReplicas: Invalid value: 2: cannot be greater than readyReplicas',
  ]);
});

for (const plural of ['deployments', 'replicasets', 'statefulsets']) {
  test(`[A-SVC-5] the scale of ${plural} shows wanted and actual replicas and the selector, and changes the wanted ones`, async (t) => {
    await create(t, plural, 'scaled', {serviceName: plural === 'statefulsets' ? 'web' : undefined, replicas: 2});
    const path = `${root(plural)}/scaled`;
    await server.client.patch(`${path}/status`, {status: {replicas: 1}});
    const scale = (await server.client.get(`${path}/scale`)).json<ApiObject>();
    t.like(scale, {kind: 'Scale', apiVersion: 'autoscaling/v1', spec: {replicas: 2}, status: {replicas: 1, selector: 'app=web'}});
    t.is((await server.client.put(`${path}/scale`, {...scale, spec: {replicas: 7}})).status, 200);
    t.is((await server.client.get(path)).json<ReplicaSet>().spec?.replicas, 7);
    t.deepEqual(causesOf(await server.client.patch(`${path}/scale`, {spec: {replicas: -1}})), [
      `spec.replicas: Invalid value: -1: ${zero}`,
    ]);
  });
}

test('a replica set needs a selector for its template, and its status fits together', async (t) => {
  const {spec, status} = await create<ReplicaSet>(t, 'replicasets', 'plain');
  t.is(spec?.replicas, 1);
  t.deepEqual(status, {replicas: 0});
  t.deepEqual(causesOf(await post('replicasets', 'empty', {selector: {}, replicas: -1})), [
    `spec.replicas: Invalid value: -1: ${zero}`,
    'spec.selector: Invalid value: {}: empty selector is invalid for deployment',
  ]);
  t.deepEqual(causesOf(await server.client.patch(`${root('replicasets')}/plain/status`, {status: {fullyLabeledReplicas: 1}})), [
    'status.fullyLabeledReplicas: Invalid value: 1: cannot be greater than status.replicas',
  ]);
});

const daemonFaults: [spec: object, ...faults: string[]][] = [
  [{selector: undefined}, 'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`'],
  [{selector: {}}, 'spec.selector: Invalid value: {}: empty selector is invalid for daemonset'],
  [
    {updateStrategy: {rollingUpdate: {maxUnavailable: 1, maxSurge: 1}}},
    'spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: 1: may not be set when maxUnavailable is non-zero',
  ],
  [
    {updateStrategy: {rollingUpdate: {maxUnavailable: 0}}},
    'spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0',
  ],
  [
    {updateStrategy: {type: 'Never'}},
    'spec.updateStrategy: Unsupported value: {"type":"Never"}: supported values: "OnDelete", "RollingUpdate"',
  ],
  [{minReadySeconds: -1}, `spec.minReadySeconds: Invalid value: -1: ${zero}`],
];

for (const [index, [spec, ...faults]] of daemonFaults.entries()) {
  test(`a daemon set with ${JSON.stringify(spec)} is refused`, async (t) => {
    t.deepEqual(causesOf(await post('daemonsets', `faulty-${index}`, spec)), faults);
  });
}

test('a daemon set counts the versions of its template in an annotation that clients cannot change', async (t) => {
  const annotation = 'deprecated.daemonset.template.generation';
  const made = await create<DaemonSet>(t, 'daemonsets', 'versions');
  t.deepEqual(made.spec?.updateStrategy, {type: 'RollingUpdate', rollingUpdate: {maxUnavailable: 1, maxSurge: 0}});
  t.is(made.metadata.annotations?.[annotation], '1');
  const change = async (patch: object) =>
    (await server.client.patch(`${root('daemonsets')}/versions`, patch)).json<DaemonSet>().metadata.annotations?.[annotation];
  t.is(await change({spec: {minReadySeconds: 5}}), '1');
  t.is(await change({spec: {template: {metadata: {labels: {x: 'y'}}}}}), '2');
  t.is(await change({metadata: {annotations: {[annotation]: '9'}}}), '2');
  const wrong = {metadata: {name: 'wrong', annotations: {[annotation]: 'x'}}, spec: wellFormed};
  t.is((await server.client.post(root('daemonsets'), wrong)).status, 400);
});

test('a controller revision has data that never change', async (t) => {
  const path = root('controllerrevisions');
  t.deepEqual(causesOf(await server.client.post(path, {metadata: {name: 'none'}, revision: -1})), [
    'data: Required value: data is mandatory',
    `revision: Invalid value: -1: ${zero}`,
  ]);
  const data = {spec: {list: [], text: ''}};
  const made = await server.client.post(path, {metadata: {name: 'one'}, data, revision: 1});
  t.is(made.status, 201);
  t.deepEqual(made.json<ControllerRevision>().data, data);
  t.is((await server.client.patch(`${path}/one`, {revision: 2})).json<ControllerRevision>().revision, 2);
  t.deepEqual(causesOf(await server.client.patch(`${path}/one`, {data: {spec: {text: 'x'}}})), [
    'data: Invalid value: {"spec":{"list":[],"text":"x"}}: field is immutable',
  ]);
});

test('Tables show counts, containers, images and selectors', async (t) => {
  const rowOf = (plural: string, name: string) => tableRow(server.client, `${root(plural)}/${name}`);
  const selector = {
    matchLabels: {app: 'web'},
    matchExpressions: [
      {key: 'app', operator: 'In', values: ['web', 'db']},
      {key: 'a', operator: 'DoesNotExist'},
    ],
  };
  await create(t, 'deployments', 'shown', {replicas: 3, selector});
  await server.client.patch(`${root('deployments')}/shown/status`, {
    status: {replicas: 3, readyReplicas: 2, updatedReplicas: 3, availableReplicas: 1},
  });
  t.deepEqual(await rowOf('deployments', 'shown'), [
    'shown',
    '2/3',
    3,
    1,
    'AGE',
    'web,log',
    'nginx:1,fluentd',
    '!a,app=web,app in (db,web)',
  ]);
  await create(t, 'replicasets', 'shown');
  t.deepEqual(await rowOf('replicasets', 'shown'), ['shown', 1, 0, 0, 'AGE', 'web,log', 'nginx:1,fluentd', 'app=web']);
  await create(t, 'daemonsets', 'shown', {template: {...wellFormed.template, spec: {...pod, nodeSelector: {disk: 'ssd', arch: 'arm'}}}});
  t.deepEqual(await rowOf('daemonsets', 'shown'), [
    'shown',
    0,
    0,
    0,
    0,
    0,
    'arch=arm,disk=ssd',
    'AGE',
    'web,log',
    'nginx:1,fluentd',
    'app=web',
  ]);
  await create(t, 'statefulsets', 'shown', {serviceName: 'web'});
  t.deepEqual(await rowOf('statefulsets', 'shown'), ['shown', '0/1', 'AGE', 'web,log', 'nginx:1,fluentd']);
  const owner = {apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web', uid: 'u', controller: true};
  await server.client.post(root('controllerrevisions'), {metadata: {name: 'shown', ownerReferences: [owner]}, data: {}, revision: 4});
  t.deepEqual(await rowOf('controllerrevisions', 'shown'), ['shown', 'statefulset.apps/web', 4, 'AGE']);
});
