import {deployment, labels, template} from './forms.js';
import type {Scenario} from './scenario.js';

const selector = {matchLabels: labels};

export const budgetScenarios: readonly Scenario[] = [
  {
    name: 'budget-min-available',
    async run(cluster) {
      await cluster.create('poddisruptionbudgets', 'web', {minAvailable: 2, selector});
      await cluster.untilEvent('NoPods');
      await cluster.settle('created before the pods');
      await cluster.create('deployments', 'web', deployment(3));
      await cluster.runAll('pods run');
      await cluster.patch('poddisruptionbudgets', 'web', {spec: {minAvailable: '100%'}});
      await cluster.settle('all must be available');
    },
  },
  {
    name: 'budget-max-unavailable',
    async run(cluster) {
      await cluster.create('deployments', 'web', deployment(4));
      await cluster.runAll('pods run');
      await cluster.create('poddisruptionbudgets', 'web', {maxUnavailable: '30%', selector});
      await cluster.settle('created');
      const [pod] = await cluster.pods();
      await cluster.evict(pod!.metadata.name);
      await cluster.runAll('a pod was evicted');
    },
  },
  {
    name: 'budget-of-nobody',
    async run(cluster) {
      await cluster.create('pods', 'alone', template().spec, {labels: {...labels, alone: 'true'}});
      await cluster.create('poddisruptionbudgets', 'web', {maxUnavailable: 1, selector});
      await cluster.untilEvent('UnmanagedPods');
      await cluster.runAll('created');
      await cluster.patch('poddisruptionbudgets', 'web', {spec: {maxUnavailable: null, minAvailable: 1}});
      await cluster.settle('as a number');
    },
  },
  {
    name: 'budget-of-jobs',
    async run(cluster) {
      const spec = {template: {...template('1', {restartPolicy: 'Never'})}};
      await cluster.create('jobs', 'sum', spec);
      await cluster.settle('a Job');
      await cluster.create('poddisruptionbudgets', 'web', {maxUnavailable: 1, selector});
      await cluster.untilEvent('CalculateExpectedPodCountFailed');
      await cluster.settle('created');
    },
  },
];
