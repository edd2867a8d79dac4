import type {Cluster} from '../cluster.js';
import type {StoredObject} from '../snapshot.js';
import {deployment, labels, template} from './forms.js';
import type {Scenario} from './scenario.js';

const scaleTargetRef = {apiVersion: 'apps/v1', kind: 'Deployment', name: 'web'};
const autoscalers = 'horizontalpodautoscalers';
const requests = {cpu: '100m', memory: '100Mi'};

/** A Deployment whose pods ask for something. */
function asking(replicas: number, resources: object = {requests}) {
  const containers = [{name: 'main', image: 'registry.example.com/app:1', resources}];
  return deployment(replicas, {template: {...template(), spec: {containers}}});
}

function utilization(averageUtilization: number, name = 'cpu') {
  return {type: 'Resource', resource: {name, target: {type: 'Utilization', averageUtilization}}};
}

/** Waits until an autoscaler has a condition with a reason. */
function untilReason(cluster: Cluster, type: string, reason: string, name = 'web'): Promise<void> {
  return cluster.until(autoscalers, name, ({status}) => conditionsOf(status).some((one) => one.type === type && one.reason === reason));
}

function conditionsOf(status: StoredObject['status']) {
  return (status?.['conditions'] ?? []) as readonly {readonly type: string; readonly reason: string}[];
}

/** Has the pods run, as if they had begun long ago. */
async function runLong(cluster: Cluster, step: string): Promise<void> {
  await cluster.runAll(step);
  await age(cluster);
}

async function age(cluster: Cluster): Promise<void> {
  for (const {metadata} of await cluster.active())
    await cluster.patch('pods', `${metadata.name}/status`, {status: {startTime: '2026-01-01T00:00:00Z'}});
}

/** Waits until the Deployment is scaled, and that has been seen. */
async function untilReplicas(cluster: Cluster, replicas: number): Promise<void> {
  await cluster.until('deployments', 'web', ({spec}) => spec?.['replicas'] === replicas);
  await untilCurrent(cluster, replicas);
}
function untilCurrent(cluster: Cluster, replicas: number): Promise<void> {
  return cluster.until(
    autoscalers,
    'web',
    ({status}) => status?.['currentReplicas'] === replicas && status['desiredReplicas'] === replicas,
  );
}

export const autoscalerScenarios: readonly Scenario[] = [
  {
    name: 'autoscaler-cpu',
    async run(cluster) {
      await cluster.create('deployments', 'web', asking(2));
      await runLong(cluster, 'pods run');
      await cluster.use({main: {cpu: '100m'}});
      await cluster.create(autoscalers, 'web', {scaleTargetRef, minReplicas: 1, maxReplicas: 5, metrics: [utilization(50)]});
      await untilReplicas(cluster, 4);
      await runLong(cluster, 'scaled up');
      await cluster.use({main: {cpu: '50m'}});
      await untilCurrent(cluster, 4);
      await untilReason(cluster, 'AbleToScale', 'ReadyForNewScale');
      await cluster.settle('as wanted');
      await cluster.use({main: {cpu: '100m'}});
      await untilReplicas(cluster, 5);
      await untilReason(cluster, 'ScalingLimited', 'TooManyReplicas');
      await runLong(cluster, 'as many as allowed');
      await cluster.use({main: {cpu: '1m'}});
      await untilReplicas(cluster, 1);
      await cluster.use({main: {cpu: '1m'}});
      await untilCurrent(cluster, 1);
      await cluster.settle('scaled down after a while');
    },
  },
  {
    name: 'autoscaler-tolerance',
    async run(cluster) {
      await cluster.create('deployments', 'web', asking(3));
      await runLong(cluster, 'pods run');
      await cluster.use({main: {cpu: '54m'}});
      const behavior = {scaleUp: {tolerance: '20m', stabilizationWindowSeconds: 0}};
      await cluster.create(autoscalers, 'web', {scaleTargetRef, maxReplicas: 9, metrics: [utilization(50)]});
      await untilReason(cluster, 'ScalingLimited', 'DesiredWithinRange');
      await cluster.settle('off by less than a tenth');
      await cluster.patch(autoscalers, 'web', {spec: {behavior}});
      await untilReplicas(cluster, 4);
      await runLong(cluster, 'with a tolerance of its own');
    },
  },
  {
    name: 'autoscaler-memory',
    async run(cluster) {
      await cluster.create('deployments', 'web', asking(2));
      await cluster.runAll('pods run');
      await cluster.use({main: {cpu: '1m', memory: '300Mi'}});
      const metric = {type: 'Resource', resource: {name: 'memory', target: {type: 'AverageValue', averageValue: '200Mi'}}};
      await cluster.create(autoscalers, 'web', {scaleTargetRef, maxReplicas: 5, metrics: [metric]});
      await untilReplicas(cluster, 3);
      await cluster.runAll('scaled up');
      await cluster.use({main: {cpu: '1m', memory: '200000Ki'}});
      await untilCurrent(cluster, 3);
      await cluster.settle('as wanted');
    },
  },
  {
    name: 'autoscaler-container',
    async run(cluster) {
      const containers = [
        {name: 'main', image: 'registry.example.com/app:1', resources: {requests: {cpu: '200m'}}},
        {name: 'proxy', image: 'registry.example.com/proxy:1'},
      ];
      await cluster.create('deployments', 'web', deployment(1, {template: {...template(), spec: {containers}}}));
      await runLong(cluster, 'pods run');
      await cluster.use({main: {cpu: '300m'}, proxy: {cpu: '5m'}});
      const target = {type: 'Utilization', averageUtilization: 50};
      const metrics = (container: string) => [{type: 'ContainerResource', containerResource: {name: 'cpu', container, target}}];
      await cluster.create(autoscalers, 'web', {scaleTargetRef, maxReplicas: 9, metrics: metrics('main')});
      await untilReplicas(cluster, 3);
      await runLong(cluster, 'scaled up');
      await cluster.use({main: {cpu: '100m'}, proxy: {cpu: '5m'}});
      await untilCurrent(cluster, 3);
      await cluster.patch(autoscalers, 'web', {spec: {metrics: metrics('proxy')}});
      await untilReason(cluster, 'ScalingActive', 'FailedGetContainerResourceMetric');
      await cluster.settle('a container that asks for nothing');
      await cluster.patch(autoscalers, 'web', {spec: {metrics: [utilization(50)]}});
      await untilReason(cluster, 'ScalingActive', 'FailedGetResourceMetric');
      await cluster.settle('a pod that asks for nothing');
    },
  },
  {
    name: 'autoscaler-unready-pods',
    async run(cluster) {
      await cluster.create('deployments', 'web', asking(4));
      await runLong(cluster, 'pods run');
      const [first, second] = await cluster.active();
      await cluster.use({main: {cpu: '90m'}}, (index) => index !== 1);
      // Not ready since its start: its use does not count.
      const conditions = [{type: 'Ready', status: 'False', lastTransitionTime: '2026-01-01T00:00:00Z'}];
      await cluster.patch('pods', `${first!.metadata.name}/status`, {status: {conditions}});
      await cluster.create(autoscalers, 'web', {scaleTargetRef, maxReplicas: 9, metrics: [utilization(30)]});
      await untilReplicas(cluster, 6);
      await cluster.settle('one is not ready, one is not measured');
      cluster.measured.usage.clear();
      await untilReason(cluster, 'ScalingActive', 'FailedGetResourceMetric');
      await cluster.settle('nothing is measured');
      cluster.measured.usage.set(first!.metadata.name, {main: {cpu: '10m'}});
      await cluster.untilEvent('FailedComputeMetricsReplicas');
      await cluster.settle('only what is not ready is measured');
      cluster.measured.usage.set(second!.metadata.name, {main: {cpu: '1m'}});
      await untilReason(cluster, 'ScalingActive', 'ValidMetricFound');
      await cluster.settle('little is known');
    },
  },
  {
    name: 'autoscaler-bounds',
    async run(cluster) {
      await cluster.create('deployments', 'web', asking(6));
      await cluster.create(autoscalers, 'web', {scaleTargetRef, minReplicas: 2, maxReplicas: 4, metrics: [utilization(50)]});
      await untilReplicas(cluster, 4);
      await cluster.runAll('more than allowed');
      await cluster.patch('deployments', 'web', {spec: {replicas: 1}});
      await untilReplicas(cluster, 2);
      await cluster.runAll('fewer than allowed');
      await cluster.patch('deployments', 'web', {spec: {replicas: 0}});
      await untilReason(cluster, 'ScalingActive', 'ScalingDisabled');
      await cluster.settle('scaled to nothing by hand');
    },
  },
  {
    name: 'autoscaler-of-nothing',
    async run(cluster) {
      const metrics = [utilization(50)];
      await cluster.create(autoscalers, 'web', {scaleTargetRef, maxReplicas: 4, metrics});
      await untilReason(cluster, 'AbleToScale', 'FailedGetScale');
      await cluster.settle('nothing is there');
      const target = {apiVersion: 'example.com/v1', kind: 'Missing', name: 'web'};
      await cluster.create(autoscalers, 'unknown', {scaleTargetRef: target, maxReplicas: 4, metrics});
      await untilReason(cluster, 'AbleToScale', 'FailedGetScale', 'unknown');
      await cluster.settle('of a kind that nobody knows');
      const job = {apiVersion: 'batch/v1', kind: 'Job', name: 'web'};
      await cluster.create(autoscalers, 'unscaled', {scaleTargetRef: job, maxReplicas: 4, metrics});
      await untilReason(cluster, 'AbleToScale', 'FailedGetScale', 'unscaled');
      await cluster.settle('of a kind without scale');
      await cluster.create('deployments', 'web', asking(1));
      await untilReason(cluster, 'ScalingActive', 'FailedGetResourceMetric');
      await runLong(cluster, 'pods without metrics');
    },
  },
  {
    name: 'autoscaler-behaviour',
    async run(cluster) {
      await cluster.create('deployments', 'web', asking(2));
      await runLong(cluster, 'pods run');
      await cluster.use({main: {cpu: '100m'}});
      const policies = [{type: 'Pods', value: 1, periodSeconds: 30}];
      const behavior = {scaleUp: {policies, stabilizationWindowSeconds: 0}, scaleDown: {selectPolicy: 'Disabled'}};
      await cluster.create(autoscalers, 'web', {scaleTargetRef, maxReplicas: 9, metrics: [utilization(25)], behavior});
      await untilReplicas(cluster, 3);
      await untilReason(cluster, 'ScalingLimited', 'ScaleUpLimit');
      await cluster.settle('one at a time');
      await cluster.patch(autoscalers, 'web', {
        spec: {behavior: {scaleUp: {policies: [{type: 'Percent', value: 100, periodSeconds: 30}]}}},
      });
      await untilReplicas(cluster, 4);
      await runLong(cluster, 'by a percentage');
      await cluster.use({main: {cpu: '1m'}});
      await untilReason(cluster, 'ScalingLimited', 'ScaleDownLimit');
      await cluster.settle('never fewer');
      const down = {
        selectPolicy: 'Min',
        stabilizationWindowSeconds: 0,
        policies: [
          {type: 'Percent', value: 50, periodSeconds: 60},
          {type: 'Pods', value: 1, periodSeconds: 60},
        ],
      };
      await cluster.patch(autoscalers, 'web', {spec: {behavior: {scaleDown: down}}});
      // Policies go by what there was when their periods began.
      await untilReplicas(cluster, 1);
      await cluster.settle('fewer, by the lesser change');
    },
  },
  {
    name: 'autoscaler-stabilization',
    async run(cluster) {
      await cluster.create('deployments', 'web', asking(2));
      await runLong(cluster, 'pods run');
      await cluster.use({main: {cpu: '50m'}});
      const behavior = {scaleUp: {stabilizationWindowSeconds: 3600}, scaleDown: {stabilizationWindowSeconds: 3600}};
      await cluster.create(autoscalers, 'web', {scaleTargetRef, maxReplicas: 9, metrics: [utilization(50)], behavior});
      await untilReason(cluster, 'ScalingActive', 'ValidMetricFound');
      await cluster.settle('as wanted');
      await cluster.use({main: {cpu: '200m'}});
      await untilReason(cluster, 'AbleToScale', 'ScaleUpStabilized');
      await cluster.settle('more are wanted');
      await cluster.use({main: {cpu: '1m'}});
      await untilReason(cluster, 'AbleToScale', 'ScaleDownStabilized');
      await cluster.settle('fewer are wanted');
    },
  },
  {
    name: 'autoscaler-pods-metric',
    async run(cluster) {
      await cluster.create('deployments', 'web', asking(2));
      await cluster.runAll('pods run');
      const metric = {type: 'Pods', pods: {metric: {name: 'requests'}, target: {type: 'AverageValue', averageValue: '10'}}};
      await cluster.create(autoscalers, 'web', {scaleTargetRef, maxReplicas: 9, metrics: [metric]});
      await untilReason(cluster, 'ScalingActive', 'FailedGetPodsMetric');
      await cluster.settle('nobody measures it');
      for (const {metadata} of await cluster.active()) cluster.measured.custom.set(`pods/${metadata.name}/requests`, '15500m');
      await untilReplicas(cluster, 4);
      await cluster.settle('scaled up');
    },
  },
  {
    name: 'autoscaler-object-metric',
    async run(cluster) {
      await cluster.create('deployments', 'web', asking(2));
      await cluster.runAll('pods run');
      const describedObject = {apiVersion: 'apps/v1', kind: 'Deployment', name: 'web'};
      const object = (target: object) => [{type: 'Object', object: {describedObject, metric: {name: 'requests'}, target}}];
      await cluster.create(autoscalers, 'web', {scaleTargetRef, maxReplicas: 9, metrics: object({type: 'Value', value: '100'})});
      await untilReason(cluster, 'ScalingActive', 'FailedGetObjectMetric');
      await cluster.settle('nobody measures it');
      cluster.measured.custom.set('deployments.apps/web/requests', '150');
      await untilReplicas(cluster, 3);
      await cluster.settle('scaled up');
      cluster.measured.custom.set('deployments.apps/web/requests', '100');
      await untilCurrent(cluster, 3);
      await cluster.patch(autoscalers, 'web', {spec: {metrics: object({type: 'AverageValue', averageValue: '20'})}});
      await untilReplicas(cluster, 5);
      await cluster.runAll('for each pod');
      cluster.measured.custom.delete('deployments.apps/web/requests');
      await untilReason(cluster, 'ScalingActive', 'FailedGetObjectMetric');
      await cluster.settle('nobody measures it for each pod');
      const unknown = {apiVersion: 'example.com/v1', kind: 'Missing', name: 'web'};
      const metrics = [
        {type: 'Object', object: {describedObject: unknown, metric: {name: 'requests'}, target: {type: 'Value', value: '1'}}},
      ];
      await cluster.patch(autoscalers, 'web', {spec: {metrics}});
      await cluster.until(autoscalers, 'web', ({status}) => JSON.stringify(status).includes('Missing'));
      await cluster.settle('of an object that nobody knows');
    },
  },
  {
    name: 'autoscaler-external-metric',
    async run(cluster) {
      await cluster.create('deployments', 'web', asking(2));
      await cluster.runAll('pods run');
      const external = (target: object, more: object = {}) => [{type: 'External', external: {metric: {name: 'queue', ...more}, target}}];
      await cluster.create(autoscalers, 'web', {scaleTargetRef, maxReplicas: 9, metrics: external({type: 'Value', value: '10'})});
      await untilReason(cluster, 'ScalingActive', 'FailedGetExternalMetric');
      await cluster.settle('nobody measures it');
      cluster.measured.external.set('queue', ['10', '5']);
      await untilReplicas(cluster, 3);
      await cluster.settle('scaled up');
      const selector = {matchLabels: {queue: 'a'}};
      await cluster.patch(autoscalers, 'web', {spec: {metrics: external({type: 'AverageValue', averageValue: '3'}, {selector})}});
      await untilReplicas(cluster, 5);
      await cluster.settle('for each pod');
      cluster.measured.external.clear();
      await untilReason(cluster, 'ScalingActive', 'FailedGetExternalMetric');
      await cluster.settle('nobody measures it for each pod');
    },
  },
  {
    name: 'autoscaler-several-metrics',
    async run(cluster) {
      await cluster.create('deployments', 'web', asking(2));
      await runLong(cluster, 'pods run');
      await cluster.use({main: {cpu: '100m', memory: '50Mi'}});
      const metric = {type: 'External', external: {metric: {name: 'queue'}, target: {type: 'AverageValue', averageValue: '1'}}};
      await cluster.create(autoscalers, 'web', {
        scaleTargetRef,
        maxReplicas: 9,
        metrics: [metric, utilization(50), utilization(50, 'memory')],
      });
      await untilReplicas(cluster, 4);
      await runLong(cluster, 'one is not known, another asks for more');
      await cluster.use({main: {cpu: '1m', memory: '1Mi'}});
      await untilReason(cluster, 'ScalingActive', 'FailedGetExternalMetric');
      await cluster.settle('one is not known, others ask for less');
      cluster.measured.external.set('queue', ['6']);
      await untilReplicas(cluster, 6);
      await cluster.settle('all are known');
    },
  },
  {
    name: 'autoscalers-of-the-same-pods',
    async run(cluster) {
      await cluster.create('deployments', 'web', asking(2));
      await runLong(cluster, 'pods run');
      await cluster.use({main: {cpu: '50m'}});
      await cluster.create(autoscalers, 'web', {scaleTargetRef, maxReplicas: 9, metrics: [utilization(50)]});
      await untilReason(cluster, 'ScalingActive', 'ValidMetricFound');
      await cluster.settle('one');
      const replicaSet = (await cluster.list('replicasets'))[0]!.metadata.name;
      const target = {apiVersion: 'apps/v1', kind: 'ReplicaSet', name: replicaSet};
      await cluster.create(autoscalers, 'second', {scaleTargetRef: target, maxReplicas: 9, metrics: [utilization(50)]});
      await untilReason(cluster, 'ScalingActive', 'AmbiguousSelector', 'web');
      await untilReason(cluster, 'ScalingActive', 'AmbiguousSelector', 'second');
      await cluster.delete(autoscalers, 'second');
      await untilReason(cluster, 'ScalingActive', 'ValidMetricFound');
      await cluster.settle('one again');
    },
  },
  {
    name: 'autoscaler-of-replication-controller',
    async run(cluster) {
      const containers = [{name: 'main', image: 'registry.example.com/app:1', resources: {requests}}];
      await cluster.create('replicationcontrollers', 'web', {replicas: 1, selector: labels, template: {...template(), spec: {containers}}});
      await runLong(cluster, 'pods run');
      await cluster.use({main: {cpu: '100m'}});
      const target = {apiVersion: 'v1', kind: 'ReplicationController', name: 'web'};
      await cluster.create(autoscalers, 'web', {scaleTargetRef: target, maxReplicas: 2, metrics: [utilization(50)]});
      await cluster.until('replicationcontrollers', 'web', ({spec}) => spec?.['replicas'] === 2);
      await runLong(cluster, 'scaled up');
      await cluster.use({main: {cpu: '50m'}});
      await untilCurrent(cluster, 2);
      await cluster.settle('as wanted');
    },
  },
];
