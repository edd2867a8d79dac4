import {
  dnsLabelFaults,
  dnsSubdomainFaults,
  FieldPath,
  invalid,
  notSupported,
  required,
  tooLong,
  type FeatureGates,
  type FieldError,
} from '../../../sdk/index.js';
import {selectorMatches, validateLabelSelector, type LabelSelectorOptions} from '../../../sdk/labels/index.js';
import {invalidFor, isGiven, validateNonNegativeMembers, validateOneOf, validateOptionalOneOf} from '../../../sdk/validation/index.js';
import type {Job, JobSpec} from '../../../sdk/types/unchecked/batch/v1.js';
import {selectorMismatch} from '../../families/workloads/template-rules.js';
import {validateIndexLimits} from './index-limit-faults.js';
import {validatePodFailurePolicy} from './pod-failure-policy-faults.js';
import {validateSuccessPolicy} from './success-policy-faults.js';

const specPath = FieldPath.of('spec');
const completionModes = ['NonIndexed', 'Indexed'];
const maximumIndexedParallelism = 100_000;

/** Errors in the specification of a job, alone or in a cron job, except its selector and those of the template itself. */
export function validateJobSpec(spec: JobSpec, path: FieldPath, gates: FeatureGates): FieldError[] {
  const {completionMode, completions, parallelism, podFailurePolicy, successPolicy, template} = spec;
  const faults = validateNonNegativeMembers(
    spec,
    [
      'parallelism',
      'completions',
      'activeDeadlineSeconds',
      'backoffLimit',
      'ttlSecondsAfterFinished',
      'backoffLimitPerIndex',
      'maxFailedIndexes',
    ],
    path,
  );
  if (isGiven(spec.managedBy)) faults.push(...validateManager(spec.managedBy, path.child('managedBy')));
  if (isGiven(completionMode)) faults.push(...validateOneOf(completionMode, completionModes, path.child('completionMode')));
  if (completionMode === 'Indexed') {
    if (!isGiven(completions)) faults.push(required(path.child('completions'), 'when completion mode is Indexed'));
    if ((parallelism ?? 0) > maximumIndexedParallelism) {
      const detail = `must be less than or equal to ${maximumIndexedParallelism} when completion mode is Indexed`;
      faults.push(invalid(path.child('parallelism'), parallelism, detail));
    }
  }
  faults.push(...validateIndexLimits(spec, path));
  if (podFailurePolicy) faults.push(...validatePodFailurePolicy(spec, path.child('podFailurePolicy'), gates));
  if (successPolicy) faults.push(...validateSuccessPolicy(spec, path.child('successPolicy')));
  if (isGiven(spec.podReplacementPolicy)) {
    const policies = podFailurePolicy ? ['Failed'] : ['Failed', 'TerminatingOrFailed'];
    faults.push(...validateOptionalOneOf(spec.podReplacementPolicy, policies, path.child('podReplacementPolicy')));
  }
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

/** In characters. */
const maximumManager = 63;
const managerPath = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";

/** Who acts on a job instead of the job controller: a path below a domain. */
function validateManager(name: string, path: FieldPath): FieldError[] {
  if (name === '') return [required(path)];
  const slash = name.indexOf('/');
  const host = name.slice(0, slash);
  const rest = name.slice(slash + 1);
  const faults = name.length > maximumManager ? [tooLong(path, maximumManager)] : [];
  if (slash <= 0 || rest === '') return [...faults, invalid(path, name, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  faults.push(...invalidFor(path, host, dnsSubdomainFaults(host)));
  if (!new RegExp(`^${managerPath}$`).test(rest))
    faults.push(invalid(path, rest, `Invalid path (regex used for validation is '${managerPath}')`));
  return faults;
}
