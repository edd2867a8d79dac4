import test from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import type {Deployment} from '@orch-api/orch/types/unchecked/apps/v1';
import type {HorizontalPodAutoscaler} from '@orch-api/orch/types/unchecked/autoscaling/v2';

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const autoscalers = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';
const stages = '/apis/simulate.orch/v1alpha1/stages';

async function create({client}: TestServer, path: string, object: object): Promise<void> {
  const made = await client.post(path, object);
  if (made.status !== 201) throw new Error(made.body.toString());
}

async function createWeb(server: TestServer, name = 'web'): Promise<void> {
  const containers = [{name: 'main', image: 'registry.example.com/app:1', resources: {requests: {cpu: '200m'}}}];
  const template = {metadata: {labels: {app: name}}, spec: {containers}};
  await create(server, deployments, {metadata: {name}, spec: {replicas: 1, selector: {matchLabels: {app: name}}, template}});
}

const scaleTargetRef = {apiVersion: 'apps/v1', kind: 'Deployment', name: 'web'};
const utilization = {type: 'Resource', resource: {name: 'cpu', target: {type: 'Utilization', averageUtilization: 50}}};

async function stateOf({client}: TestServer) {
  const deployment = (await client.get(`${deployments}/web`)).json<Deployment>();
  const {status} = (await client.get(`${autoscalers}/web`)).json<HorizontalPodAutoscaler>();
  const conditions = (status?.conditions ?? []).map(({type, status: value, reason}) => `${type} ${value} ${reason}`);
  return {replicas: deployment.spec!.replicas, conditions, status: status!};
}

test('pods that share a load are scaled until each does what is wanted of it, and later than that to fewer', async (t) => {
  const server = await startTestServer({platform: 'kubernetes', cluster: {nodes: 3}});
  t.teardown(() => server.stop());
  const stage = {apiVersion: 'simulate.orch/v1alpha1', kind: 'Stage', metadata: {name: 'load'}};
  await create(server, stages, {...stage, spec: {selector: {matchLabels: {app: 'web'}}, behaviour: {cpu: 'shared 800m'}}});
  await createWeb(server);
  await create(server, autoscalers, {metadata: {name: 'web'}, spec: {scaleTargetRef, maxReplicas: 20, metrics: [utilization]}});
  await server.settled();
  await server.advance(20_000);
  t.is((await stateOf(server)).replicas, 4, 'at most four at first');
  await server.advance(60_000);
  const scaled = await stateOf(server);
  t.is(scaled.replicas, 8);
  t.deepEqual(scaled.conditions, [
    'AbleToScale True ReadyForNewScale',
    'ScalingActive True ValidMetricFound',
    'ScalingLimited False DesiredWithinRange',
  ]);
  t.deepEqual(scaled.status.currentMetrics, [
    {type: 'Resource', resource: {name: 'cpu', current: {averageUtilization: 50, averageValue: '100m'}}},
  ]);
  await server.client.patch(`${stages}/load`, {spec: {behaviour: {cpu: 'shared 200m'}}});
  await server.advance(60_000);
  const stable = await stateOf(server);
  t.is(stable.replicas, 8, 'not at once');
  t.true(stable.conditions.includes('AbleToScale True ScaleDownStabilized'));
  await server.advance(300_000);
  t.is((await stateOf(server)).replicas, 2);
  const events = (
    await server.client.get('/api/v1/namespaces/default/events?fieldSelector=involvedObject.kind=HorizontalPodAutoscaler')
  ).json<{
    items: {reason: string; message: string; source: {component: string}}[];
  }>();
  const scalings = events.items.filter(({reason}) => reason === 'SuccessfulRescale').map(({message}) => message);
  t.deepEqual(scalings.toSorted(), [
    'New size: 2; reason: All metrics below target',
    'New size: 4; reason: cpu resource utilization (percentage of request) above target',
    'New size: 8; reason: cpu resource utilization (percentage of request) above target',
  ]);
  t.is(events.items[0]!.source.component, 'horizontal-pod-autoscaler');
});

test('an autoscaler says which metrics nobody serves, in the words of Kubernetes', async (t) => {
  const server = await startTestServer({platform: 'kubernetes', cluster: true});
  t.teardown(() => server.stop());
  const value = {type: 'AverageValue', averageValue: '1'};
  const metrics = [
    utilization,
    {type: 'Pods', pods: {metric: {name: 'requests'}, target: value}},
    {type: 'Object', object: {describedObject: scaleTargetRef, metric: {name: 'requests'}, target: {type: 'Value', value: '1'}}},
    {type: 'External', external: {metric: {name: 'queue'}, target: value}},
  ];
  for (const [index, metric] of metrics.entries()) {
    const name = `web${index}`;
    await createWeb(server, name);
    await create(server, autoscalers, {
      metadata: {name},
      spec: {scaleTargetRef: {...scaleTargetRef, name}, maxReplicas: 9, metrics: [metric]},
    });
  }
  await server.settled();
  await server.advance(15_500);
  await server.settled();
  const reasonOf = async (index: number) => {
    const {status} = (await server.client.get(`${autoscalers}/web${index}`)).json<HorizontalPodAutoscaler>();
    const {reason, message} = status!.conditions!.find(({type}) => type === 'ScalingActive')!;
    return `${reason}: ${message}`;
  };
  const unable = 'the HPA was unable to compute the replica count';
  const fetch = (api: string) => `unable to fetch metrics from ${api} metrics API`;
  const missing = 'the server could not find the requested resource';
  const noCustom = `${fetch('custom')}: no custom metrics API (custom.metrics.k8s.io) registered`;
  t.deepEqual(await Promise.all([0, 1, 2, 3].map(reasonOf)), [
    `FailedGetResourceMetric: ${unable}: failed to get cpu utilization: unable to get metrics for resource cpu: ${fetch('resource')}: ${missing} (get pods.metrics.k8s.io)`,
    `FailedGetPodsMetric: ${unable}: unable to get metric requests: ${noCustom}`,
    `FailedGetObjectMetric: ${unable}: unable to get metric requests: Deployment on default web/${noCustom}`,
    `FailedGetExternalMetric: ${unable}: unable to get external metric default/queue/nil: ${fetch('external')}: ${missing} (get queue.external.metrics.k8s.io)`,
  ]);
});
