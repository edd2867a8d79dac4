import test, {type ExecutionContext} from 'ava';
import type {ApiObject} from '@orch-api/orch/sdk';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import type {HorizontalPodAutoscaler} from '@orch-api/orch/types/unchecked/autoscaling/v2';
import type {HorizontalPodAutoscaler as HorizontalPodAutoscalerV1} from '@orch-api/orch/types/unchecked/autoscaling/v1';
import {causesOf} from '../status-causes.js';
import {tableRow} from '../table-row.js';

const v1 = '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers';
const v2 = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';
let server: TestServer;
let alpha: TestServer;
test.before(async () => {
  [server, alpha] = await Promise.all([
    startTestServer(),
    startTestServer({featureGates: {HPAScaleToZero: true, HPAContainerMetrics: true}}),
  ]);
});
test.after.always(() => Promise.all([server?.stop(), alpha?.stop()]));

const target = {scaleTargetRef: {kind: 'Deployment', name: 'web', apiVersion: 'apps/v1'}, maxReplicas: 4};
const post = (path: string, name: string, spec: object = {}, on = server) =>
  on.client.post(path, {metadata: {name}, spec: {...target, ...spec}});

async function create<T extends ApiObject>(t: ExecutionContext, path: string, name: string, spec: object = {}): Promise<T> {
  const response = await post(path, name, spec);
  t.is(response.status, 201, response.body.toString());
  return response.json<T>();
}

test('[B-REM-5] [B-REM-15] an autoscaler is served in v1 and v2 and in no beta', async (t) => {
  await create(t, v2, 'served');
  for (const path of [v1, v2]) t.is((await server.client.get(`${path}/served`)).status, 200);
  for (const version of ['v2beta1', 'v2beta2'])
    t.is((await server.client.get(`/apis/autoscaling/${version}/horizontalpodautoscalers`)).status, 404);
});

test('without a metric both versions look at CPU time', async (t) => {
  const made = await create<HorizontalPodAutoscaler>(t, v2, 'default-v2');
  t.is(made.spec?.minReplicas, 1);
  t.deepEqual(made.spec?.metrics, [{type: 'Resource', resource: {name: 'cpu', target: {type: 'Utilization', averageUtilization: 80}}}]);
  const old = await create<HorizontalPodAutoscalerV1>(t, v1, 'default-v1');
  t.is(old.spec?.targetCPUUtilizationPercentage, 80);
});

test('a behaviour is completed', async (t) => {
  const {spec} = await create<HorizontalPodAutoscaler>(t, v2, 'behaved', {behavior: {scaleDown: {stabilizationWindowSeconds: 60}}});
  t.deepEqual(spec?.behavior, {
    scaleUp: {
      stabilizationWindowSeconds: 0,
      selectPolicy: 'Max',
      policies: [
        {type: 'Pods', value: 4, periodSeconds: 15},
        {type: 'Percent', value: 100, periodSeconds: 15},
      ],
    },
    scaleDown: {stabilizationWindowSeconds: 60, selectPolicy: 'Max', policies: [{type: 'Percent', value: 100, periodSeconds: 15}]},
  });
});

test('both versions change the same object, and neither loses what the other says', async (t) => {
  const memory = {type: 'Resource', resource: {name: 'memory', target: {type: 'AverageValue', averageValue: '1Gi'}}};
  const behavior = {scaleUp: {stabilizationWindowSeconds: 5}};
  await create(t, v2, 'shared', {metrics: [memory], behavior});
  const before = (await server.client.get(`${v2}/shared`)).json<HorizontalPodAutoscaler>();
  t.is((await server.client.get(`${v1}/shared`)).json<HorizontalPodAutoscalerV1>().spec?.targetCPUUtilizationPercentage, undefined);
  const patched = await server.client.patch(`${v1}/shared`, {spec: {maxReplicas: 9, targetCPUUtilizationPercentage: 70}});
  t.is(patched.status, 200);
  t.is(patched.json<ApiObject>().metadata.uid, before.metadata.uid);
  const {spec, metadata} = (await server.client.get(`${v2}/shared`)).json<HorizontalPodAutoscaler>();
  const cpu = {type: 'Resource', resource: {name: 'cpu', target: {type: 'Utilization', averageUtilization: 70}}};
  t.deepEqual(spec, {...before.spec, maxReplicas: 9, metrics: [memory, cpu]});
  t.is(metadata.annotations, undefined);
});

test('v1 annotations cannot be used to write the status, nor the status endpoint to write the spec', async (t) => {
  const annotation = (part: string) => `autoscaling.alpha.orch/${part}`;
  await create(t, v1, 'guarded', {targetCPUUtilizationPercentage: 50});
  const metrics = '[{"type":"Pods","pods":{"metricName":"hits","targetAverageValue":"1"}}]';
  const conditions = '[{"type":"ScalingActive","status":"True"}]';
  await server.client.patch(`${v1}/guarded`, {metadata: {annotations: {[annotation('conditions')]: conditions}}});
  await server.client.patch(`${v1}/guarded/status`, {metadata: {annotations: {[annotation('metrics')]: metrics}}});
  const {spec, status} = (await server.client.get(`${v2}/guarded`)).json<HorizontalPodAutoscaler>();
  t.is(spec?.metrics?.length, 1);
  t.is(status?.conditions, undefined);
  await server.client.patch(`${v1}/guarded/status`, {metadata: {annotations: {[annotation('conditions')]: conditions}}});
  t.like((await server.client.get(`${v2}/guarded`)).json<HorizontalPodAutoscaler>().status?.conditions, [
    {type: 'ScalingActive', status: 'True'},
  ]);
});

test('annotations of v1 have no place in v2', async (t) => {
  const annotations = {'autoscaling.alpha.orch/metrics': '[]', mine: 'kept'};
  const response = await server.client.post(v2, {metadata: {name: 'tidy', annotations}, spec: target});
  t.deepEqual(response.json<ApiObject>().metadata.annotations, {mine: 'kept'});
});

const metric = (entry: object) => ({metrics: [entry]});
const resource = (name: string, of: object) => metric({type: 'Resource', resource: {name, target: of}});
const at = 'spec.metrics[0]';
const faulty: [spec: object, ...faults: string[]][] = [
  [
    {minReplicas: 0},
    'spec.minReplicas: Invalid value: 0: must be greater than or equal to 1',
    'spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas',
  ],
  [
    {maxReplicas: 0},
    'spec.maxReplicas: Invalid value: 0: must be greater than 0',
    'spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`',
  ],
  [
    {scaleTargetRef: {name: 'a/b'}},
    'spec.scaleTargetRef.kind: Required value',
    `spec.scaleTargetRef.name: Invalid value: "a/b": may not contain '/'`,
  ],
  [metric({type: 'Pods'}), `${at}.pods: Required value: must populate information for the given metric source`],
  [
    metric({
      type: 'Pods',
      pods: {metric: {name: 'm'}, target: {type: 'AverageValue', averageValue: '1'}},
      resource: {name: 'cpu', target: {type: 'Utilization', averageUtilization: 1}},
    }),
    `${at}.resource: Forbidden: must populate the given metric source only`,
  ],
  [
    metric({type: 'Disk'}),
    `${at}.type: Unsupported value: "Disk": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"`,
  ],
  [
    resource('', {type: 'Utilization'}),
    `${at}.resource.name: Required value: must specify a resource name`,
    `${at}.resource.target.averageUtilization: Required value: must set either a target raw value or a target utilization`,
  ],
  [
    resource('cpu', {type: 'Often', averageUtilization: 0, averageValue: '-1'}),
    `${at}.resource.target.type: Invalid value: "Often": must be either Utilization, Value, or AverageValue`,
    `${at}.resource.target.averageValue: Invalid value: "-1": must be positive`,
    `${at}.resource.target.averageUtilization: Invalid value: 0: must be greater than 0`,
    `${at}.resource.target.averageValue: Forbidden: may not set both a target raw value and a target utilization`,
  ],
  [
    metric({type: 'External', external: {metric: {name: ''}, target: {type: 'Value', value: '1', averageValue: '1'}}}),
    `${at}.external.metric.name: Required value: must specify a metric name`,
    `${at}.external.target.value: Forbidden: may not set both a target value for metric and a per-pod target`,
  ],
  [
    metric({type: 'Object', object: {describedObject: {kind: 'Service', name: 's'}, metric: {name: 'm'}, target: {type: 'Value'}}}),
    `${at}.object.target.averageValue: Required value: must set either a target value or averageValue`,
  ],
  [
    metric({
      type: 'ContainerResource',
      containerResource: {name: 'cpu', container: 'c', target: {type: 'Utilization', averageUtilization: 5}},
    }),
    `${at}.containerResource: Required value: must populate information for the given metric source (only allowed when HPAContainerMetrics feature is enabled)`,
  ],
  [
    {
      behavior: {
        scaleUp: {stabilizationWindowSeconds: 3601, selectPolicy: 'Most', policies: [{type: 'Share', value: 0, periodSeconds: 1801}]},
      },
    },
    'spec.behavior.scaleUp.stabilizationWindowSeconds: Invalid value: 3601: must be less than or equal to 3600',
    'spec.behavior.scaleUp.selectPolicy: Unsupported value: "Most": supported values: "Disabled", "Max", "Min"',
    'spec.behavior.scaleUp.policies[0].type: Unsupported value: "Share": supported values: "Percent", "Pods"',
    'spec.behavior.scaleUp.policies[0].value: Invalid value: 0: must be greater than zero',
    'spec.behavior.scaleUp.policies[0].periodSeconds: Invalid value: 1801: must be less than or equal to 1800',
  ],
];

for (const [index, [spec, ...faults]] of faulty.entries()) {
  test(`an autoscaler with ${JSON.stringify(spec).slice(0, 120)} is refused`, async (t) => {
    t.deepEqual(causesOf(await post(v2, `faulty-${index}`, spec)), faults);
  });
}

test('the rules of v1 are those of v2', async (t) => {
  t.deepEqual(causesOf(await post(v1, 'faulty', {targetCPUUtilizationPercentage: 0})), [
    `${at}.resource.target.averageUtilization: Invalid value: 0: must be greater than 0`,
  ]);
});

test('feature gates allow scaling to nothing and metrics of single containers', async (t) => {
  const external = {type: 'External', external: {metric: {name: 'queue'}, target: {type: 'Value', value: '5'}}};
  t.is((await post(v2, 'nothing', {minReplicas: 0, ...metric(external)}, alpha)).status, 201);
  const container = {
    type: 'ContainerResource',
    containerResource: {name: 'cpu', container: 'c', target: {type: 'Utilization', averageUtilization: 5}},
  };
  const made = await post(v2, 'container', metric(container), alpha);
  t.is(made.status, 201);
  t.is((await alpha.client.get(`${v1}/container`)).json<HorizontalPodAutoscalerV1>().spec?.targetCPUUtilizationPercentage, undefined);
});

test('the status has counts that are not negative', async (t) => {
  await create(t, v2, 'status');
  t.deepEqual(causesOf(await server.client.patch(`${v2}/status/status`, {status: {currentReplicas: -1, desiredReplicas: -2}})), [
    'status.currentReplicas: Invalid value: -1: must be greater than or equal to 0',
    'status.desiredReplicas: Invalid value: -2: must be greater than or equal to 0',
  ]);
});

test('a Table of either version shows target, metrics and bounds', async (t) => {
  const memory = {type: 'Resource', resource: {name: 'memory', target: {type: 'AverageValue', averageValue: '1Gi'}}};
  const cpu = {type: 'Resource', resource: {name: 'cpu', target: {type: 'Utilization', averageUtilization: 50}}};
  const queue = {type: 'External', external: {metric: {name: 'q'}, target: {type: 'AverageValue', averageValue: '5'}}};
  await create(t, v2, 'shown', {minReplicas: 2, metrics: [memory, queue, cpu]});
  const current = [{type: 'Resource', resource: {name: 'memory', current: {averageValue: '512Mi'}}}];
  await server.client.patch(`${v2}/shown/status`, {status: {currentReplicas: 3, desiredReplicas: 3, currentMetrics: current}});
  const cells = ['shown', 'Deployment/web', '512Mi/1Gi, <unknown>/5 (avg) + 1 more...', '2', 4, 3, 'AGE'];
  t.deepEqual(await tableRow(server.client, `${v2}/shown`), cells);
  t.deepEqual(await tableRow(server.client, `${v1}/shown`), cells);
  await create(t, v2, 'plain');
  t.is((await tableRow(server.client, `${v2}/plain`))[2], '<unknown>/80%');
});
