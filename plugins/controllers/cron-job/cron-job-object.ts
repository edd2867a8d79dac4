import type {ApiObject, ResourceRef} from '../../../sdk/index.js';
import type {CronJob, Job} from '../../../sdk/types/unchecked/batch/v1.js';
import {controllerReference} from '../../families/workload-pods/controller-reference.js';

export const cronJobs: ResourceRef = {group: 'batch', version: 'v1', resource: 'cronjobs'};
export const jobs: ResourceRef = {group: 'batch', version: 'v1', resource: 'jobs'};
export const batchVersion = 'batch/v1';
export const cronJobKind = 'CronJob';
export const jobKind = 'Job';

export type StoredCronJob = CronJob & ApiObject;
export type StoredJob = Job & ApiObject;

const minuteMillis = 60_000;

/** How a Job has ended: `Complete` or `Failed`; undefined for one that has not. */
export function endOf({status}: Job): 'Complete' | 'Failed' | undefined {
  const found = status?.conditions?.find(({type, status: value}) => (type === 'Complete' || type === 'Failed') && value === 'True');
  return found?.type as 'Complete' | 'Failed' | undefined;
}

/** The name of the Job for a time, in milliseconds since 1970: always the same, so that none is made twice. */
export function jobName({metadata}: CronJob, time: number): string {
  return `${metadata.name}-${Math.floor(time / minuteMillis)}`;
}

/** The Job for a time. @param annotations more of them than the template has */
export function jobOf(cronJob: StoredCronJob, time: number, annotations: Readonly<Record<string, string>>): StoredJob {
  const {metadata, spec} = cronJob.spec?.jobTemplate ?? {};
  return {
    apiVersion: batchVersion,
    kind: jobKind,
    metadata: {
      name: jobName(cronJob, time),
      namespace: cronJob.metadata.namespace!,
      ...(metadata?.labels ? {labels: {...metadata.labels}} : {}),
      annotations: {...metadata?.annotations, ...annotations},
      ownerReferences: [controllerReference(cronJob, batchVersion, cronJobKind)],
    },
    spec: structuredClone(spec ?? {}),
  } as StoredJob;
}
