import {dnsLabelFaults, duplicate, FieldPath, invalid, notSupported, required, type FieldError} from '../../../sdk/index.js';
import {selectorMatches, validateLabelSelector, type LabelSelectorOptions} from '../../../sdk/labels/index.js';
import {isGiven, validateNonNegativeMembers, validateOneOf} from '../../../sdk/validation/index.js';
import type {Job, JobSpec, JobStatus} from '../../../sdk/types/unchecked/batch/v1.js';
import {selectorMismatch} from '../../families/workloads/template-rules.js';
import {validatePodFailurePolicy} from './pod-failure-policy-faults.js';

const specPath = FieldPath.of('spec');
const statusPath = FieldPath.of('status');
const completionModes = ['NonIndexed', 'Indexed'];
const maximumIndexedParallelism = 100_000;

/** Errors in the specification of a job, alone or in a cron job, except its selector and those of the template itself. */
export function validateJobSpec(spec: JobSpec, path: FieldPath): FieldError[] {
  const {completionMode, completions, parallelism, podFailurePolicy, template} = spec;
  const faults = validateNonNegativeMembers(
    spec,
    ['parallelism', 'completions', 'activeDeadlineSeconds', 'backoffLimit', 'ttlSecondsAfterFinished'],
    path,
  );
  if (isGiven(completionMode)) faults.push(...validateOneOf(completionMode, completionModes, path.child('completionMode')));
  if (completionMode === 'Indexed') {
    if (!isGiven(completions)) faults.push(required(path.child('completions'), 'when completion mode is Indexed'));
    if ((parallelism ?? 0) > maximumIndexedParallelism) {
      const detail = `must be less than or equal to ${maximumIndexedParallelism} when completion mode is Indexed`;
      faults.push(invalid(path.child('parallelism'), parallelism, detail));
    }
  }
  if (podFailurePolicy) faults.push(...validatePodFailurePolicy(spec, path.child('podFailurePolicy')));
  const restartPath = path.child('template', 'spec', 'restartPolicy');
  const restartPolicy = template?.spec?.restartPolicy ?? '';
  if (restartPolicy === 'Always' || restartPolicy === '') faults.push(required(restartPath, 'valid values: "OnFailure", "Never"'));
  else if (restartPolicy !== 'OnFailure' && restartPolicy !== 'Never') {
    faults.push(notSupported(restartPath, restartPolicy, ['OnFailure', 'Never']));
  } else if (podFailurePolicy && restartPolicy !== 'Never') {
    faults.push(invalid(restartPath, restartPolicy, 'only "Never" is supported when podFailurePolicy is specified'));
  }
  return faults;
}

/** The selector must exist and match the pods of the template. */
export function validateJobSelector({selector, template}: JobSpec, options: LabelSelectorOptions): FieldError[] {
  const path = specPath.child('selector');
  const faults = selector ? validateLabelSelector(selector, path, options) : [required(path)];
  const valid = !selector || faults.length === 0;
  if (valid && !selectorMatches(selector, template?.metadata?.labels)) faults.push(selectorMismatch(template, specPath.child('template')));
  return faults;
}

/** Pods of an indexed job are named after the job and their index. */
export function validateIndexedName({metadata: {name = ''}, spec: {completionMode, completions} = {}}: Job): FieldError[] {
  if (completionMode !== 'Indexed' || !completions || completions < 0) return [];
  const longest = `${name}-${completions - 1}`;
  return dnsLabelFaults(longest).length === 0
    ? []
    : [invalid(FieldPath.of('metadata', 'name'), name, `will not able to create pod with invalid DNS label: ${longest}`)];
}

/** Errors in a job's status. */
export function validateJobStatus(status: JobStatus | undefined): FieldError[] {
  const faults = validateNonNegativeMembers(status, ['active', 'succeeded', 'failed', 'ready'], statusPath);
  const seen = new Set<string>();
  for (const member of ['succeeded', 'failed'] as const) {
    for (const [index, uid] of (status?.uncountedTerminatedPods?.[member] ?? []).entries()) {
      const path = statusPath.child('uncountedTerminatedPods', member).index(index);
      if (uid === '') faults.push(invalid(path, uid, 'must not be empty'));
      else if (seen.has(uid)) faults.push(duplicate(path, uid));
      seen.add(uid);
    }
  }
  return faults;
}
