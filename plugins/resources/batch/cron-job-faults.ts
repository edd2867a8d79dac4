import {FieldPath, invalid, notSupported, required, type FeatureGates, type FieldError} from '../../../sdk/index.js';
import {isGiven, validateNonNegative, validateOneOf} from '../../../sdk/validation/index.js';
import type {CronJobSpec} from '../../../sdk/types/unchecked/batch/v1.js';
import {cronScheduleFault} from '../../families/cron-schedules/cron-schedule.js';
import {isTimeZone} from '../../families/cron-schedules/time-zone.js';
import {validateJobSpec} from './job-faults.js';

const specPath = FieldPath.of('spec');
const concurrencyPolicies = ['Allow', 'Forbid', 'Replace'];
/** The controller appends a hyphen and ten digits to the names of its jobs, which must be valid labels. */
const maximumName = 52;

/** Errors in a cron job's specification, except those of the pod template itself. */
export function validateCronJobSpec(spec: CronJobSpec, old: CronJobSpec | undefined, gates: FeatureGates): FieldError[] {
  const {schedule = '', timeZone, concurrencyPolicy, jobTemplate} = spec;
  const faults = validateSchedule(schedule, isGiven(timeZone), specPath.child('schedule'));
  faults.push(...validateNonNegative(spec.startingDeadlineSeconds, specPath.child('startingDeadlineSeconds')));
  // Time zones can disappear; a stored one may stay.
  if (isGiven(timeZone) && timeZone !== old?.timeZone) faults.push(...validateTimeZone(timeZone, specPath.child('timeZone')));
  faults.push(...validateOneOf(concurrencyPolicy, concurrencyPolicies, specPath.child('concurrencyPolicy')));
  const path = specPath.child('jobTemplate', 'spec');
  const job = jobTemplate?.spec ?? {};
  faults.push(...validateJobSpec(job, path, gates));
  if (isGiven(job.selector)) faults.push(invalid(path.child('selector'), job.selector, '`selector` will be auto-generated'));
  if (job.manualSelector) faults.push(notSupported(path.child('manualSelector'), job.manualSelector, ['nil', 'false']));
  for (const member of ['successfulJobsHistoryLimit', 'failedJobsHistoryLimit'] as const)
    faults.push(...validateNonNegative(spec[member], specPath.child(member)));
  return faults;
}

/** New cron jobs have a shorter maximum name length. */
export function validateCronJobName(name: string): FieldError[] {
  return name.length > maximumName
    ? [invalid(FieldPath.of('metadata', 'name'), name, `must be no more than ${maximumName} characters`)]
    : [];
}

function validateSchedule(schedule: string, hasZone: boolean, path: FieldPath): FieldError[] {
  if (schedule === '') return [required(path)];
  const fault = cronScheduleFault(schedule);
  const faults = fault === undefined ? [] : [invalid(path, schedule, fault)];
  if (hasZone && namesZone(schedule)) faults.push(invalid(path, schedule, 'cannot use both timeZone field and TZ or CRON_TZ in schedule'));
  return faults;
}

/** Whether a schedule contains a time zone. */
export function namesZone(schedule: string): boolean {
  return schedule.includes('TZ');
}

function validateTimeZone(name: string, path: FieldPath): FieldError[] {
  if (name === '') return [invalid(path, name, 'timeZone must be nil or non-empty string')];
  if (name.toLowerCase() === 'local')
    return [invalid(path, name, 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones')];
  return isTimeZone(name) ? [] : [invalid(path, name, `unknown time zone ${name}`)];
}
