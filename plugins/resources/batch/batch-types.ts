import type {Unchecked} from '../../../sdk/index.js';
import type * as batch from '../../../sdk/types/batch/v1.js';

/** The group's types before validation. */
export type CronJob = Unchecked<batch.CronJob>;
export type CronJobSpec = Unchecked<batch.CronJobSpec>;
export type ExitCodesRequirement = Unchecked<batch.PodFailurePolicyOnExitCodesRequirement>;
export type Job = Unchecked<batch.Job>;
export type JobSpec = Unchecked<batch.JobSpec>;
export type JobStatus = Unchecked<batch.JobStatus>;
export type PodFailurePolicy = Unchecked<batch.PodFailurePolicy>;
export type PodFailureRule = Unchecked<batch.PodFailurePolicyRule>;
