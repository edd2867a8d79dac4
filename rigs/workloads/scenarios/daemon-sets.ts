import type {Cluster} from '../cluster.js';
import {image, labels, template} from './forms.js';
import type {Scenario} from './scenario.js';

function daemonSet(cluster: Cluster, more: object = {}, pod: object = {}) {
  return {selector: {matchLabels: labels}, template: template('1', {nodeSelector: {scenario: cluster.name}, ...pod}), ...more};
}

const taint = (effect: string) => ({spec: {taints: [{key: 'team', value: 'a', effect}]}});

export const daemonScenarios: readonly Scenario[] = [
  {
    name: 'daemon-set',
    async run(cluster) {
      for (const node of ['one', 'two']) await cluster.addNode(node);
      await cluster.create('daemonsets', 'web', daemonSet(cluster), {annotations: {note: 'first'}});
      await cluster.runAll('created');
      await cluster.addNode('three');
      await cluster.until('daemonsets', 'web', ({status}) => status?.['currentNumberScheduled'] === 3);
      await cluster.runAll('another node');
      await cluster.patch('daemonsets', 'web', image('2'));
      await cluster.runAll('another image');
      await cluster.patch('daemonsets', 'web', image('1'));
      await cluster.runAll('the first image again');
    },
  },
  {
    name: 'daemon-set-surge',
    async run(cluster) {
      for (const node of ['one', 'two']) await cluster.addNode(node);
      const updateStrategy = {type: 'RollingUpdate', rollingUpdate: {maxSurge: 1, maxUnavailable: 0}};
      await cluster.create('daemonsets', 'web', daemonSet(cluster, {updateStrategy}));
      await cluster.runAll('created');
      await cluster.patch('daemonsets', 'web', image('2'));
      await cluster.runAll('another image');
    },
  },
  {
    name: 'daemon-set-on-delete',
    async run(cluster) {
      await cluster.addNode('one');
      await cluster.create('daemonsets', 'web', daemonSet(cluster, {updateStrategy: {type: 'OnDelete'}}));
      await cluster.runAll('created');
      await cluster.patch('daemonsets', 'web', image('2'));
      await cluster.settle('another image');
      for (const {metadata} of await cluster.pods()) await cluster.delete('pods', metadata.name, '?gracePeriodSeconds=0');
      await cluster.runAll('the pod was deleted');
    },
  },
  {
    name: 'daemon-set-taints',
    async run(cluster) {
      await cluster.addNode('one');
      await cluster.addNode('two');
      await cluster.create('daemonsets', 'web', daemonSet(cluster));
      await cluster.runAll('created');
      await cluster.patchNode('one', taint('NoSchedule'));
      // Who is there stays: nothing has to be done, so that nobody counts.
      await cluster.patchNode('two', taint('NoExecute'));
      await cluster.until('daemonsets', 'web', ({status}) => status?.['desiredNumberScheduled'] === 0);
      await cluster.settle('taints');
      await cluster.patchNode('one', {spec: {taints: null}});
      await cluster.patchNode('two', {spec: {taints: null}});
      await cluster.until('daemonsets', 'web', ({status}) => status?.['desiredNumberScheduled'] === 2);
      await cluster.runAll('no taints');
    },
  },
  {
    name: 'daemon-set-ended-pods',
    async run(cluster) {
      await cluster.addNode('one');
      await cluster.create('daemonsets', 'web', daemonSet(cluster));
      await cluster.runAll('created');
      const [first] = await cluster.pods();
      await cluster.end(first!.metadata.name, 'Failed');
      await cluster.runAll('a pod has failed');
      const [second] = await cluster.pods();
      await cluster.end(second!.metadata.name, 'Succeeded');
      await cluster.runAll('a pod has succeeded');
    },
  },
  {
    name: 'daemon-set-history',
    async run(cluster) {
      await cluster.addNode('one');
      await cluster.create('daemonsets', 'web', daemonSet(cluster, {revisionHistoryLimit: 1}));
      await cluster.runAll('created');
      for (const tag of ['2', '3', '4']) {
        await cluster.patch('daemonsets', 'web', image(tag));
        await cluster.runAll(`image ${tag}`);
      }
    },
  },
  {
    name: 'daemon-set-host-network',
    async run(cluster) {
      await cluster.addNode('one');
      const affinity = {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{matchExpressions: [{key: 'scenario', operator: 'Exists'}]}],
          },
        },
      };
      const tolerations = [{key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5}];
      await cluster.create('daemonsets', 'web', daemonSet(cluster, {}, {hostNetwork: true, affinity, tolerations}));
      await cluster.runAll('created');
    },
  },
];
