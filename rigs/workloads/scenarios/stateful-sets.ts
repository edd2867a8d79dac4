import {image, labels, template} from './forms.js';
import type {Scenario} from './scenario.js';

function set(replicas: number, more: object = {}) {
  return {replicas, serviceName: 'web', selector: {matchLabels: labels}, template: template(), ...more};
}

const claims = {
  volumeClaimTemplates: [{metadata: {name: 'data'}, spec: {accessModes: ['ReadWriteOnce'], resources: {requests: {storage: '1Gi'}}}}],
};

export const setScenarios: readonly Scenario[] = [
  {
    name: 'stateful-set',
    async run(cluster) {
      await cluster.create('statefulsets', 'web', set(3), {annotations: {note: 'first'}});
      await cluster.runAll('created');
      await cluster.patch('statefulsets', 'web', {spec: {replicas: 1}});
      await cluster.settle('scaled down');
      await cluster.patch('statefulsets', 'web', {spec: {replicas: 2}});
      await cluster.runAll('scaled up');
      await cluster.delete('pods', 'web-0');
      await cluster.runAll('a pod was deleted');
    },
  },
  {
    name: 'stateful-set-parallel',
    async run(cluster) {
      await cluster.create('statefulsets', 'web', set(3, {podManagementPolicy: 'Parallel'}));
      await cluster.runAll('created');
      await cluster.patch('statefulsets', 'web', image('2'));
      await cluster.runAll('another image');
      await cluster.patch('statefulsets', 'web', {spec: {replicas: 0}});
      await cluster.settle('scaled to nothing');
    },
  },
  {
    name: 'stateful-set-rolling-update',
    async run(cluster) {
      await cluster.create('statefulsets', 'web', set(2));
      await cluster.runAll('created');
      await cluster.patch('statefulsets', 'web', image('2'));
      await cluster.runAll('another image');
      await cluster.patch('statefulsets', 'web', image('1'));
      await cluster.runAll('the first image again');
    },
  },
  {
    name: 'stateful-set-partition',
    async run(cluster) {
      const updateStrategy = {type: 'RollingUpdate', rollingUpdate: {partition: 2}};
      await cluster.create('statefulsets', 'web', set(3, {updateStrategy}));
      await cluster.runAll('created');
      await cluster.patch('statefulsets', 'web', image('2'));
      await cluster.runAll('another image above the partition');
      await cluster.delete('pods', 'web-0');
      await cluster.runAll('a pod below it was deleted');
      await cluster.patch('statefulsets', 'web', {spec: {updateStrategy: {rollingUpdate: {partition: 0}}}});
      await cluster.runAll('no partition');
    },
  },
  {
    name: 'stateful-set-on-delete',
    async run(cluster) {
      await cluster.create('statefulsets', 'web', set(2, {updateStrategy: {type: 'OnDelete'}}));
      await cluster.runAll('created');
      await cluster.patch('statefulsets', 'web', image('2'));
      await cluster.settle('another image');
      await cluster.delete('pods', 'web-1');
      await cluster.runAll('a pod was deleted');
    },
  },
  {
    name: 'stateful-set-ended-pods',
    async run(cluster) {
      await cluster.create('statefulsets', 'web', set(2));
      await cluster.runAll('created');
      await cluster.end('web-0', 'Failed');
      await cluster.runAll('a pod has failed');
      await cluster.end('web-1', 'Succeeded');
      await cluster.runAll('a pod has succeeded');
    },
  },
  {
    name: 'stateful-set-start-ordinal',
    async run(cluster) {
      await cluster.create('statefulsets', 'web', set(2, {ordinals: {start: 3}}));
      await cluster.runAll('created');
      await cluster.patch('statefulsets', 'web', {spec: {ordinals: {start: 4}}});
      await cluster.runAll('they begin later');
    },
  },
  {
    name: 'stateful-set-claims',
    async run(cluster) {
      await cluster.create('statefulsets', 'web', set(2, claims));
      await cluster.runAll('created');
      await cluster.patch('statefulsets', 'web', {
        spec: {persistentVolumeClaimRetentionPolicy: {whenDeleted: 'Delete', whenScaled: 'Retain'}},
      });
      await cluster.settle('claims go with the set');
      await cluster.patch('statefulsets', 'web', {
        spec: {persistentVolumeClaimRetentionPolicy: {whenDeleted: 'Delete', whenScaled: 'Delete'}},
      });
      await cluster.settle('claims go with pods too');
      await cluster.patch('pods', 'web-1', {metadata: {finalizers: ['example.com/hold']}});
      await cluster.patch('statefulsets', 'web', {spec: {replicas: 1}});
      await cluster.settle('scaled down, while the pod is held');
    },
  },
  {
    name: 'stateful-set-min-ready',
    async run(cluster) {
      await cluster.create('statefulsets', 'web', set(2, {minReadySeconds: 2}));
      await cluster.settle('created');
      await cluster.run();
      await cluster.until('statefulsets', 'web', ({status}) => status?.['replicas'] === 2);
      await cluster.runAll('the first pod is available');
      await cluster.until('statefulsets', 'web', ({status}) => status?.['availableReplicas'] === 2);
      await cluster.settle('both are');
    },
  },
  {
    name: 'stateful-set-history',
    async run(cluster) {
      await cluster.create('statefulsets', 'web', set(1, {revisionHistoryLimit: 1}));
      await cluster.runAll('created');
      for (const tag of ['2', '3', '4']) {
        await cluster.patch('statefulsets', 'web', image(tag));
        await cluster.runAll(`image ${tag}`);
      }
    },
  },
];
