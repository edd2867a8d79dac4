import type {ApiObject, ObjectMeta} from '../../../sdk/index.js';
import type {LabelSelector} from '../../shared/labels/label-selector.js';
import type {PodTemplateSpec} from '../../shared/pod/pod-types.js';

/** Fields of the group's types as far as their behaviour looks at them; the schema file has them all. */
export interface Job extends ApiObject {
  spec?: JobSpec;
  status?: JobStatus;
}

export interface JobSpec {
  parallelism?: number | null;
  completions?: number | null;
  activeDeadlineSeconds?: number | bigint | null;
  podFailurePolicy?: PodFailurePolicy | null;
  backoffLimit?: number | null;
  selector?: LabelSelector | null;
  manualSelector?: boolean | null;
  template?: PodTemplateSpec;
  ttlSecondsAfterFinished?: number | null;
  /** `NonIndexed` or `Indexed`. */
  completionMode?: string | null;
  suspend?: boolean | null;
}

export interface PodFailurePolicy {
  rules?: PodFailureRule[] | null;
}

export interface PodFailureRule {
  action?: string;
  onExitCodes?: ExitCodesRequirement | null;
  onPodConditions?: {type?: string; status?: string}[] | null;
}

export interface ExitCodesRequirement {
  containerName?: string | null;
  operator?: string;
  values?: number[] | null;
}

export interface JobStatus {
  startTime?: string | null;
  completionTime?: string | null;
  active?: number;
  succeeded?: number;
  failed?: number;
  ready?: number | null;
  uncountedTerminatedPods?: {succeeded?: string[]; failed?: string[]} | null;
}

/** Makes a job again and again, at times that a schedule names. */
export interface CronJob extends ApiObject {
  spec?: CronJobSpec;
  status?: {active?: unknown[]; lastScheduleTime?: string | null};
}

export interface CronJobSpec {
  schedule?: string;
  timeZone?: string | null;
  startingDeadlineSeconds?: number | bigint | null;
  concurrencyPolicy?: string;
  suspend?: boolean | null;
  jobTemplate?: {metadata?: ObjectMeta; spec?: JobSpec};
  successfulJobsHistoryLimit?: number | null;
  failedJobsHistoryLimit?: number | null;
}
