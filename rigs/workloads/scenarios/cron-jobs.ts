import type {Cluster} from '../cluster.js';
import {jobSpec} from './forms.js';
import type {Scenario} from './scenario.js';

function cronJob(more: object = {}, schedule = '0 0 1 1 *') {
  return {schedule, jobTemplate: {metadata: {labels: {from: 'cron'}, annotations: {note: 'job'}}, spec: jobSpec()}, ...more};
}

const often = '* * * * *';

/** Lets a CronJob think that it ran last some minutes ago: then it is due now. */
async function due(cluster: Cluster, minutes: number): Promise<void> {
  await cluster.patch('cronjobs', 'tick/status', {
    status: {lastScheduleTime: new Date(Date.now() - minutes * 60_000).toISOString().replace(/\d\d\.\d+/, '00')},
  });
}

/** Waits until a CronJob has made a Job, and noted it. */
async function ran(cluster: Cluster): Promise<void> {
  await cluster.until('cronjobs', 'tick', ({status}) => status?.['active'] !== undefined);
}

/** A minute must not begin in the middle of a step. */
export const cronScenarios: readonly Scenario[] = [
  {
    name: 'cron-job',
    async run(cluster) {
      await cluster.create('cronjobs', 'tick', cronJob({suspend: true, successfulJobsHistoryLimit: 1}, often));
      await cluster.settle('created, suspended');
      await due(cluster, 5);
      await cluster.beginMinute();
      await cluster.patch('cronjobs', 'tick', {spec: {suspend: false}});
      await ran(cluster);
      await cluster.patch('cronjobs', 'tick', {spec: {suspend: true}});
      await cluster.settle('it has run, suspended again');
      await cluster.endAll('Succeeded');
      await cluster.settle('the Job has succeeded');
    },
  },
  {
    name: 'cron-job-many-missed',
    async run(cluster) {
      await cluster.create('cronjobs', 'tick', cronJob({suspend: true}, often));
      await due(cluster, 150);
      await cluster.settle('created, suspended');
      await cluster.beginMinute();
      await cluster.patch('cronjobs', 'tick', {spec: {suspend: false}});
      await ran(cluster);
      await cluster.patch('cronjobs', 'tick', {spec: {suspend: true}});
      await cluster.settle('many were missed');
    },
  },
  {
    name: 'cron-job-forbids',
    async run(cluster) {
      await cluster.create('cronjobs', 'tick', cronJob({suspend: true, concurrencyPolicy: 'Forbid'}, often));
      await due(cluster, 5);
      await cluster.settle('created, suspended');
      await cluster.beginMinute();
      await cluster.patch('cronjobs', 'tick', {spec: {suspend: false}});
      await ran(cluster);
      await cluster.patch('cronjobs', 'tick', {spec: {suspend: true}});
      await cluster.settle('it has run');
      await due(cluster, 5);
      await cluster.beginMinute(true);
      await cluster.patch('cronjobs', 'tick', {spec: {suspend: false}});
      await cluster.untilEvent('JobAlreadyActive');
      await cluster.patch('cronjobs', 'tick', {spec: {suspend: true}});
      await cluster.settle('it waits for the Job');
    },
  },
  {
    name: 'cron-job-replaces',
    async run(cluster) {
      await cluster.create('cronjobs', 'tick', cronJob({suspend: true, concurrencyPolicy: 'Replace'}, often));
      await due(cluster, 5);
      await cluster.settle('created, suspended');
      await cluster.beginMinute();
      await cluster.patch('cronjobs', 'tick', {spec: {suspend: false}});
      await ran(cluster);
      await cluster.patch('cronjobs', 'tick', {spec: {suspend: true}});
      await cluster.settle('it has run');
      await due(cluster, 5);
      await cluster.beginMinute(true);
      await cluster.patch('cronjobs', 'tick', {spec: {suspend: false}});
      await cluster.untilEvent('SuccessfulDelete');
      await cluster.patch('cronjobs', 'tick', {spec: {suspend: true}});
      await cluster.settle('another Job has taken the place');
    },
  },
  {
    name: 'cron-job-too-late',
    async run(cluster) {
      await cluster.create('cronjobs', 'tick', cronJob({startingDeadlineSeconds: 3600, timeZone: 'Europe/Rome'}));
      await cluster.settle('created');
    },
  },
  {
    name: 'cron-job-without-times',
    async run(cluster) {
      await cluster.create('cronjobs', 'tick', cronJob({}, '0 0 31 2 *'));
      await cluster.untilEvent('InvalidSchedule');
      await cluster.settle('created');
    },
  },
  {
    name: 'cron-job-with-zone',
    async run(cluster) {
      await cluster.create('cronjobs', 'tick', cronJob({}, 'TZ=Europe/Rome 0 0 1 1 *'));
      await cluster.untilEvent('UnsupportedSchedule');
      await cluster.settle('created');
    },
  },
  {
    name: 'cron-job-of-somebody',
    async run(cluster) {
      await cluster.create('cronjobs', 'tick', cronJob());
      await cluster.settle('created');
      const [tick] = await cluster.list('cronjobs');
      const owner = {apiVersion: 'batch/v1', kind: 'CronJob', name: 'tick', uid: tick!.metadata.uid!, controller: true};
      await cluster.create('jobs', 'by-hand', jobSpec(), {ownerReferences: [owner]});
      await cluster.untilEvent('UnexpectedJob');
      await cluster.settle('a Job was made by hand');
    },
  },
];
