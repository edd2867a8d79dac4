import {FieldPath, invalid, notSupported, required, type FieldError} from '../../../sdk/index.js';
import {isEmptySelector, selectorMatches, validateLabelSelector, type LabelSelectorOptions} from '../../../sdk/labels/index.js';
import {validateNonNegativeMembers} from '../../../sdk/validation/index.js';
import type {DaemonSetSpec, DaemonSetStatus} from '../../../sdk/types/unchecked/apps/v1.js';
import {validateReadOnlyDisks} from '../../families/workloads/read-only-disks.js';
import {selectorMismatch, validateEndlessTemplate} from '../../families/workloads/template-rules.js';
import {validateDaemonSetRollingUpdate} from './rolling-update-faults.js';

const specPath = FieldPath.of('spec');
const templatePath = specPath.child('template');
const updateStrategies = ['RollingUpdate', 'OnDelete'];

/** Errors in a daemon set's specification, except those of the template itself. A missing selector counts as one that does not match. */
export function validateDaemonSetSpec(spec: DaemonSetSpec, old: DaemonSetSpec | undefined, options: LabelSelectorOptions): FieldError[] {
  const {selector, template} = spec;
  const faults = validateLabelSelector(selector, specPath.child('selector'), options);
  if (faults.length === 0 && !selectorMatches(selector, template?.metadata?.labels)) faults.push(selectorMismatch(template, templatePath));
  if (selector && isEmptySelector(selector))
    faults.push(invalid(specPath.child('selector'), selector, 'empty selector is invalid for daemonset'));
  return [
    ...faults,
    ...validateReadOnlyDisks(template?.spec?.volumes, old?.template?.spec?.volumes, templatePath.child('spec', 'volumes')),
    ...validateEndlessTemplate(template, templatePath, 'DaemonSet'),
    ...validateUpdateStrategy(spec.updateStrategy ?? {}),
    ...validateNonNegativeMembers(spec, ['minReadySeconds', 'revisionHistoryLimit'], specPath),
  ];
}

function validateUpdateStrategy(update: NonNullable<DaemonSetSpec['updateStrategy']>): FieldError[] {
  const path = specPath.child('updateStrategy');
  switch (update.type) {
    case 'OnDelete':
      return [];
    case 'RollingUpdate':
      if (!update.rollingUpdate) return [required(path.child('rollingUpdate'))];
      return validateDaemonSetRollingUpdate(update.rollingUpdate, path.child('rollingUpdate'));
    default:
      return [notSupported(path, update, updateStrategies)];
  }
}

/** Errors in the counts of a daemon set's status. */
export function validateDaemonSetStatus(status: DaemonSetStatus | undefined): FieldError[] {
  const counts = [
    'currentNumberScheduled',
    'numberMisscheduled',
    'desiredNumberScheduled',
    'numberReady',
    'observedGeneration',
    'updatedNumberScheduled',
    'numberAvailable',
    'numberUnavailable',
    'collisionCount',
  ] as const;
  return validateNonNegativeMembers(status, counts, FieldPath.of('status'));
}
