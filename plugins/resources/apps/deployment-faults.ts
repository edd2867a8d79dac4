import {FieldPath, forbiddenField, invalid, notSupported, required, type FieldError} from '../../../sdk/index.js';
import type {LabelSelector, LabelSelectorOptions} from '../../../sdk/labels/index.js';
import {isGiven, validateNonNegativeMembers} from '../../../sdk/validation/index.js';
import type {DeploymentSpec, DeploymentStatus, DeploymentStrategy, ReplicaSet} from '../../../sdk/types/unchecked/apps/v1.js';
import {validateReadOnlyDisks} from '../../families/workloads/read-only-disks.js';
import {validateReplicaStatus} from '../../families/workloads/replica-status.js';
import {isUsableSelector, validateEndlessTemplate, validateWorkloadSelector} from '../../families/workloads/template-rules.js';
import {validateDeploymentRollingUpdate} from './rolling-update-faults.js';

const specPath = FieldPath.of('spec');
const statusPath = FieldPath.of('status');
const strategies = ['RollingUpdate', 'Recreate'];
const selectorDetails = {emptyDetail: 'empty selector is invalid for deployment', invalidDetail: 'invalid label selector'};

/** Errors in a deployment's specification, except those of the template itself. */
export function validateDeploymentSpec(spec: DeploymentSpec, old: DeploymentSpec | undefined, options: LabelSelectorOptions): FieldError[] {
  const {selector, template, strategy = {}, minReadySeconds = 0, progressDeadlineSeconds: deadline} = spec;
  const faults = [
    ...validateNonNegativeMembers(spec, ['replicas'], specPath),
    ...validateWorkloadSelector(selector, template, specPath, {...selectorDetails, ...options}),
    ...(hasUsableSelector(spec, options) ? validateReplicatedTemplate(spec, old) : []),
    ...validateStrategy(strategy),
    ...validateNonNegativeMembers(spec, ['minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds'], specPath),
  ];
  if (isGiven(deadline) && deadline <= minReadySeconds) {
    faults.push(invalid(specPath.child('progressDeadlineSeconds'), deadline, 'must be greater than minReadySeconds'));
  }
  return faults;
}

/** Errors in a replica set's specification, except those of the template itself. */
export function validateReplicaSetSpec(
  spec: NonNullable<ReplicaSet['spec']>,
  old: ReplicaSet['spec'],
  options: LabelSelectorOptions,
): FieldError[] {
  return [
    ...validateNonNegativeMembers(spec, ['replicas', 'minReadySeconds'], specPath),
    ...validateWorkloadSelector(spec.selector, spec.template, specPath, {...selectorDetails, ...options}),
    ...(hasUsableSelector(spec, options) ? validateReplicatedTemplate(spec, old) : []),
  ];
}

/** Whether the template is checked: not as long as nobody can say which pods are its own. */
export function hasUsableSelector({selector}: {selector?: LabelSelector | null}, options: LabelSelectorOptions): boolean {
  return isUsableSelector(selector, specPath.child('selector'), options);
}

function validateReplicatedTemplate(
  {replicas, template}: Pick<DeploymentSpec, 'replicas' | 'template'>,
  old: Pick<DeploymentSpec, 'template'> | undefined,
): FieldError[] {
  const path = specPath.child('template');
  return [
    ...((replicas ?? 0) > 1
      ? validateReadOnlyDisks(template?.spec?.volumes, old?.template?.spec?.volumes, path.child('spec', 'volumes'))
      : []),
    ...validateEndlessTemplate(template, path, 'ReplicaSet'),
  ];
}

function validateStrategy(strategy: DeploymentStrategy): FieldError[] {
  const {type = '', rollingUpdate} = strategy;
  const path = specPath.child('strategy');
  switch (type) {
    case 'Recreate':
      if (!rollingUpdate) return [];
      return [forbiddenField(path.child('rollingUpdate'), "may not be specified when strategy `type` is 'Recreate'")];
    case 'RollingUpdate':
      if (!rollingUpdate) return [required(path.child('rollingUpdate'), 'this should be defaulted and never be nil')];
      return validateDeploymentRollingUpdate(rollingUpdate, path.child('rollingUpdate'));
    default:
      return [notSupported(path, strategy, strategies)];
  }
}

/** Errors in the counts of a deployment's status. */
export function validateDeploymentStatus(status: DeploymentStatus | undefined): FieldError[] {
  const counts = [
    'replicas',
    'updatedReplicas',
    'readyReplicas',
    'availableReplicas',
    'unavailableReplicas',
    'terminatingReplicas',
  ] as const;
  return validateReplicaStatus(status, counts, ['updatedReplicas', 'readyReplicas', 'availableReplicas'], statusPath);
}

/** Errors in the counts of a replica set's status. */
export function validateReplicaSetStatus(status: ReplicaSet['status']): FieldError[] {
  const counts = ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas', 'terminatingReplicas'] as const;
  return validateReplicaStatus(status, counts, ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'], statusPath);
}
