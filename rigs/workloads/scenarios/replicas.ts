import {setTimeout as pause} from 'node:timers/promises';
import {deployment, image, labels, template} from './forms.js';
import type {Scenario} from './scenario.js';

const cost = (value: string) => ({metadata: {annotations: {'controller.kubernetes.io/pod-deletion-cost': value}}});

/** Of Deployments, ReplicaSets and ReplicationControllers. */
export const replicaScenarios: readonly Scenario[] = [
  {
    name: 'deployment-rolling-update',
    async run(cluster) {
      await cluster.create('deployments', 'web', deployment(3), {annotations: {note: 'first'}});
      await cluster.runAll('created');
      await cluster.patch('deployments', 'web', image('2'));
      await cluster.runAll('another image');
      await cluster.patch('deployments', 'web', {spec: {minReadySeconds: 1}, metadata: {annotations: {note: 'second'}}});
      await cluster.settle('other annotations and minReadySeconds');
      await cluster.patch('deployments', 'web', {spec: {replicas: 5}});
      await cluster.runAll('scaled up');
      await cluster.patch('deployments', 'web', {spec: {replicas: 0}});
      await cluster.settle('scaled to nothing');
    },
  },
  {
    name: 'deployment-without-surge',
    async run(cluster) {
      const strategy = {rollingUpdate: {maxSurge: 0, maxUnavailable: '50%'}};
      await cluster.create('deployments', 'web', deployment(4, {strategy}));
      await cluster.runAll('created');
      await cluster.patch('deployments', 'web', image('2'));
      await cluster.runAll('another image', true);
    },
  },
  {
    name: 'deployment-recreate',
    async run(cluster) {
      await cluster.create('deployments', 'web', deployment(2, {strategy: {type: 'Recreate'}}));
      await cluster.runAll('created');
      for (const {metadata} of await cluster.pods())
        await cluster.patch('pods', metadata.name, {metadata: {finalizers: ['example.com/hold']}});
      await cluster.patch('deployments', 'web', image('2'));
      await cluster.settle('another image, while old pods are held');
      for (const {metadata} of await cluster.list('pods')) await cluster.patch('pods', metadata.name, {metadata: {finalizers: null}});
      await cluster.runAll('old pods gone');
    },
  },
  {
    name: 'deployment-paused',
    async run(cluster) {
      await cluster.create('deployments', 'web', deployment(2));
      await cluster.runAll('created');
      await cluster.patch('deployments', 'web', {spec: {paused: true}});
      await cluster.settle('paused');
      await cluster.patch('deployments', 'web', image('2'));
      await cluster.settle('another image while paused');
      await cluster.patch('deployments', 'web', {spec: {replicas: 3}});
      await cluster.runAll('scaled while paused');
      await cluster.patch('deployments', 'web', {spec: {paused: false}});
      await cluster.runAll('resumed');
    },
  },
  {
    name: 'deployment-history',
    async run(cluster) {
      await cluster.create('deployments', 'web', deployment(1, {revisionHistoryLimit: 2}));
      await cluster.runAll('created');
      for (const tag of ['2', '3', '4', '2']) {
        await cluster.patch('deployments', 'web', image(tag));
        await cluster.runAll(`image ${tag}`);
      }
      await cluster.patch('deployments', 'web', {metadata: {annotations: {'deprecated.deployment.rollback.to': '0'}}});
      await cluster.runAll('rolled back');
      await cluster.patch('deployments', 'web', {metadata: {annotations: {'deprecated.deployment.rollback.to': '99'}}});
      await cluster.settle('rolled back to what is not there');
    },
  },
  {
    name: 'deployment-refused-pods',
    async run(cluster) {
      await cluster.create('limitranges', 'most', {
        limits: [{type: 'Container', max: {cpu: '100m'}, default: {cpu: '50m'}, defaultRequest: {cpu: '50m'}}],
      });
      const resources = {requests: {cpu: '1'}, limits: {cpu: '1'}};
      const containers = [{name: 'main', image: 'registry.example.com/app:1', resources}];
      await cluster.create('deployments', 'web', deployment(1, {template: template('1', {containers})}));
      await cluster.settle('created');
    },
  },
  {
    name: 'replica-set',
    async run(cluster) {
      await cluster.create('pods', 'alone', template().spec, {labels: {...labels, alone: 'true'}});
      await cluster.create('replicasets', 'web', deployment(4, {minReadySeconds: 1}));
      await cluster.settle('created beside a pod');
      await cluster.run();
      await pause(1500);
      await cluster.settle('pods run');
      const [first, second, third] = (await cluster.pods()).filter(({metadata}) => metadata.name !== 'alone');
      await cluster.patch('pods', first!.metadata.name, cost('-10'));
      await cluster.patch('pods', second!.metadata.name, cost('-5'));
      await cluster.patch('pods', third!.metadata.name, cost('10'));
      await cluster.patch('replicasets', 'web', {spec: {replicas: 2}});
      await cluster.settle('scaled down');
      await cluster.patch('pods', 'alone', {metadata: {labels: {app: 'other'}}});
      await cluster.settle('a pod no longer matches');
      await cluster.patch('pods', third!.metadata.name, {metadata: {labels: {more: 'yes'}}});
      await cluster.patch('replicasets', 'web', {spec: {template: {metadata: {labels: {version: '2'}}}}});
      await cluster.settle('the template has a label that pods have not');
    },
  },
  {
    name: 'replica-set-of-many',
    async run(cluster) {
      await cluster.create('replicasets', 'web', deployment(15));
      await cluster.runAll('created');
      await cluster.patch('replicasets', 'web', {spec: {replicas: 12}});
      await cluster.settle('scaled down');
    },
  },
  {
    name: 'replication-controller',
    async run(cluster) {
      await cluster.create('replicationcontrollers', 'web', {replicas: 3, selector: labels, template: template()});
      await cluster.runAll('created');
      const [pod] = await cluster.pods();
      await cluster.patch('pods', `${pod!.metadata.name}/status`, {status: {phase: 'Failed'}});
      await cluster.runAll('a pod has failed');
      await cluster.patch('replicationcontrollers', 'web', {spec: {replicas: 1}});
      await cluster.settle('scaled down');
    },
  },
  {
    name: 'deployment-deadline',
    async run(cluster) {
      await cluster.create('deployments', 'web', deployment(1, {progressDeadlineSeconds: 2}));
      await cluster.until('deployments', 'web', ({status}) => JSON.stringify(status).includes('ProgressDeadlineExceeded'));
      await cluster.settle('the time is over');
      await cluster.runAll('it becomes available after all');
    },
  },
  {
    name: 'deployment-scaled-in-rollout',
    async run(cluster) {
      const strategy = {rollingUpdate: {maxSurge: 3, maxUnavailable: 2}};
      await cluster.create('deployments', 'web', deployment(10, {strategy}));
      await cluster.runAll('created');
      await cluster.patch('deployments', 'web', image('2'));
      await cluster.settle('another image');
      await cluster.patch('deployments', 'web', {spec: {replicas: 15}});
      await cluster.settle('scaled up in between');
    },
  },
  {
    name: 'deployment-adopts',
    async run(cluster) {
      const {template: pods} = deployment(1);
      await cluster.create('replicasets', 'web-old', {replicas: 2, selector: {matchLabels: labels}, template: pods});
      await cluster.settle('a set is there');
      await cluster.create('deployments', 'web', deployment(2));
      await cluster.runAll('adopted');
    },
  },
  {
    name: 'deployment-deleted',
    async run(cluster) {
      await cluster.create('deployments', 'web', deployment(2));
      await cluster.runAll('created');
      await cluster.delete('deployments', 'web', '?propagationPolicy=Orphan');
      await cluster.settle('it waits to be orphaned');
    },
  },
  {
    name: 'replica-set-without-pods',
    async run(cluster) {
      await cluster.create('replicasets', 'web', deployment(0));
      await cluster.settle('created');
      await cluster.patch('replicasets', 'web', {spec: {replicas: 1, minReadySeconds: 3600}});
      await cluster.runAll('scaled up');
    },
  },
];
