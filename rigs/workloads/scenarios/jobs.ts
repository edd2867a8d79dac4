import {jobSpec} from './forms.js';
import type {Scenario} from './scenario.js';

export const jobScenarios: readonly Scenario[] = [
  {
    name: 'job',
    async run(cluster) {
      await cluster.create('jobs', 'sum', jobSpec({completions: 3, parallelism: 2}));
      await cluster.settle('created');
      await cluster.endAll('Succeeded');
      await cluster.settle('two have succeeded');
      await cluster.endAll('Succeeded');
      await cluster.settle('all have succeeded');
    },
  },
  {
    name: 'job-without-completions',
    async run(cluster) {
      await cluster.create('jobs', 'sum', jobSpec({parallelism: 2}));
      await cluster.settle('created');
      const [first] = await cluster.active();
      await cluster.end(first!.metadata.name, 'Succeeded');
      await cluster.settle('one has succeeded');
      await cluster.endAll('Succeeded');
      await cluster.settle('both have');
    },
  },
  {
    name: 'job-fails',
    async run(cluster) {
      await cluster.create('jobs', 'sum', jobSpec({backoffLimit: 0, parallelism: 2, completions: 2}));
      await cluster.settle('created');
      const [first] = await cluster.active();
      await cluster.end(first!.metadata.name, 'Failed');
      await cluster.settle('a pod has failed');
    },
  },
  {
    name: 'job-indexed',
    async run(cluster) {
      await cluster.create(
        'jobs',
        'sum',
        jobSpec({completionMode: 'Indexed', completions: 4, parallelism: 3, backoffLimitPerIndex: 0, maxFailedIndexes: 2}),
      );
      await cluster.settle('created');
      const pods = await cluster.active();
      const of = (index: number) =>
        pods.find(({metadata}) => metadata.labels?.['batch.kubernetes.io/job-completion-index'] === String(index))!;
      await cluster.end(of(0).metadata.name, 'Succeeded');
      await cluster.settle('an index has succeeded');
      await cluster.end(of(1).metadata.name, 'Failed');
      await cluster.settle('an index has failed');
      await cluster.endAll('Succeeded');
      await cluster.settle('the others have succeeded');
    },
  },
  {
    name: 'job-success-policy',
    async run(cluster) {
      const successPolicy = {rules: [{succeededIndexes: '0', succeededCount: 1}]};
      await cluster.create('jobs', 'sum', jobSpec({completionMode: 'Indexed', completions: 2, parallelism: 2, successPolicy}));
      await cluster.settle('created');
      const pods = await cluster.active();
      const first = pods.find(({metadata}) => metadata.labels?.['batch.kubernetes.io/job-completion-index'] === '0')!;
      await cluster.end(first.metadata.name, 'Succeeded');
      await cluster.settle('the rule is met');
    },
  },
  {
    name: 'job-failure-policy',
    async run(cluster) {
      const rule = {action: 'FailJob', onExitCodes: {containerName: 'main', operator: 'In', values: [42]}};
      await cluster.create('jobs', 'sum', jobSpec({completions: 2, parallelism: 2, podFailurePolicy: {rules: [rule]}}));
      await cluster.settle('created');
      const [first] = await cluster.active();
      await cluster.end(first!.metadata.name, 'Failed', 42);
      await cluster.settle('the rule is met');
    },
  },
  {
    name: 'job-suspended',
    async run(cluster) {
      await cluster.create('jobs', 'sum', jobSpec({suspend: true, completions: 2, parallelism: 2}));
      await cluster.settle('created');
      await cluster.patch('jobs', 'sum', {spec: {suspend: false}});
      await cluster.settle('resumed');
      await cluster.patch('jobs', 'sum', {spec: {suspend: true}});
      await cluster.settle('suspended');
      await cluster.patch('jobs', 'sum', {spec: {suspend: false, parallelism: 1}});
      await cluster.settle('resumed with fewer pods');
    },
  },
  {
    name: 'job-deadline',
    async run(cluster) {
      await cluster.create('jobs', 'sum', jobSpec({activeDeadlineSeconds: 2}));
      await cluster.until('jobs', 'sum', ({status}) => JSON.stringify(status).includes('DeadlineExceeded'));
      await cluster.settle('the time is over');
    },
  },
  {
    name: 'job-deleted-pod',
    async run(cluster) {
      await cluster.create('jobs', 'sum', jobSpec({completions: 1, podReplacementPolicy: 'Failed'}));
      await cluster.settle('created');
      await cluster.patch('jobs', 'sum', {spec: {parallelism: 0}});
      await cluster.settle('no pods at a time');
      await cluster.patch('jobs', 'sum', {spec: {parallelism: 1}});
      await cluster.settle('one again');
    },
  },
];
