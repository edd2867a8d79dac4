import {FieldPath, forbiddenField, invalid, notSupported, required, type FieldError} from '../../../sdk/index.js';
import type {LabelSelectorOptions} from '../../../sdk/labels/index.js';
import {
  isGiven,
  isZeroIntOrPercent,
  sameValue,
  validateAtMostHundredPercent,
  validateIntOrPercent,
  validateNonNegative,
  validateNonNegativeMembers,
} from '../../../sdk/validation/index.js';
import type {StatefulSetSpec, StatefulSetStatus, StatefulSetUpdateStrategy} from '../../../sdk/types/unchecked/apps/v1.js';
import {validateReplicaStatus} from '../../families/workloads/replica-status.js';
import {validateEndlessTemplate, validateWorkloadSelector} from '../../families/workloads/template-rules.js';

const specPath = FieldPath.of('spec');
const statusPath = FieldPath.of('status');
const updatePath = specPath.child('updateStrategy');
const selectorDetails = {emptyDetail: 'empty selector is invalid for statefulset', invalidDetail: ''};
const managementPolicies = ['OrderedReady', 'Parallel'];
const retentionPolicies = ['Retain', 'Delete'];
/** Members that an update may change. */
const changeable = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
] as const;

/** Errors in a stateful set's specification, except those of its template, of its claims and of the name of its service. */
export function validateStatefulSetSpec(spec: StatefulSetSpec, options: LabelSelectorOptions): FieldError[] {
  const {selector, template, persistentVolumeClaimRetentionPolicy: retention} = spec;
  return [
    ...validateManagementPolicy(spec.podManagementPolicy ?? ''),
    ...validateUpdateStrategy(spec.updateStrategy ?? {}),
    ...(retention
      ? ['whenDeleted', 'whenScaled'].flatMap((member) => validateRetention(member, retention[member as 'whenDeleted'] ?? ''))
      : []),
    ...validateNonNegativeMembers(spec, ['replicas', 'minReadySeconds'], specPath),
    ...validateNonNegative(spec.ordinals?.start, specPath.child('ordinals', 'start')),
    ...validateWorkloadSelector(selector, template, specPath, {...selectorDetails, ...options}),
    ...validateEndlessTemplate(template, specPath.child('template'), 'StatefulSet'),
  ];
}

function validateManagementPolicy(policy: string): FieldError[] {
  const path = specPath.child('podManagementPolicy');
  if (policy === '') return [required(path)];
  return managementPolicies.includes(policy) ? [] : [invalid(path, policy, "must be 'OrderedReady' or 'Parallel'")];
}

function validateUpdateStrategy(update: StatefulSetUpdateStrategy): FieldError[] {
  const {type = '', rollingUpdate} = update;
  const path = updatePath.child('rollingUpdate');
  switch (type) {
    case '':
      return [required(updatePath)];
    case 'OnDelete':
      return rollingUpdate ? [invalid(path, rollingUpdate, "only allowed for updateStrategy 'RollingUpdate'")] : [];
    case 'RollingUpdate': {
      const {partition, maxUnavailable} = rollingUpdate ?? {};
      const faults = validateNonNegative(partition, path.child('partition'));
      return isGiven(maxUnavailable) ? [...faults, ...validateMaxUnavailable(maxUnavailable)] : faults;
    }
    default:
      return [invalid(updatePath, update, "must be 'RollingUpdate' or 'OnDelete'")];
  }
}

function validateMaxUnavailable(value: number | string): FieldError[] {
  const path = updatePath.child('rollingUpdate', 'maxUnavailable');
  const faults = validateIntOrPercent(value, path);
  if (isZeroIntOrPercent(value)) faults.push(invalid(path, value, 'cannot be 0'));
  return [...faults, ...validateAtMostHundredPercent(value, path)];
}

function validateRetention(member: string, policy: string): FieldError[] {
  const path = specPath.child('persistentVolumeClaimRetentionPolicy', member);
  return retentionPolicies.includes(policy) ? [] : [notSupported(path, policy, retentionPolicies)];
}

/** The error of an update that changes immutable members. @param mayKeepOthers whether another number of revisions may be kept */
export function validateStatefulSetChange(spec: StatefulSetSpec, old: StatefulSetSpec, mayKeepOthers: boolean): FieldError[] {
  const free: readonly string[] = mayKeepOthers ? [...changeable, 'revisionHistoryLimit'] : changeable;
  const fixed = (whole: StatefulSetSpec) => Object.fromEntries(Object.entries(whole).filter(([member]) => !free.includes(member)));
  if (sameValue(fixed(spec), fixed(old))) return [];
  const history = mayKeepOthers ? "'revisionHistoryLimit', " : '';
  return [
    forbiddenField(
      specPath,
      `updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', ${history}` +
        "'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
    ),
  ];
}

/** Errors in a stateful set's status. */
export function validateStatefulSetStatus(status: StatefulSetStatus | undefined): FieldError[] {
  const counts = ['replicas', 'readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'] as const;
  const parts = ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'] as const;
  return validateReplicaStatus(status, counts, parts, statusPath, 'status.readyReplicas');
}
