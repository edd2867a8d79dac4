import {required, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {labelsMatch} from '../../../sdk/labels/index.js';
import {validateNonNegative} from '../../../sdk/validation/index.js';
import type {ReplicationControllerSpec} from '../../../sdk/types/unchecked/core/v1.js';
import {validateReadOnlyDisks} from '../../families/workloads/read-only-disks.js';
import type {TemplateOwner} from '../../families/workloads/template-owner.js';
import {selectorMismatch, validateEndlessTemplate} from '../../families/workloads/template-rules.js';

/** Errors in the specification of a replication controller. @param old the stored spec, for an update */
export function replicationControllerFaults(
  spec: ReplicationControllerSpec,
  old: ReplicationControllerSpec | undefined,
  path: FieldPath,
  templates: TemplateOwner,
): FieldError[] {
  const {replicas = 0, minReadySeconds, selector = {}, template} = spec;
  const templatePath = path.child('template');
  const faults = validateNonNegative(minReadySeconds, path.child('minReadySeconds'));
  if (Object.keys(selector).length === 0) faults.push(required(path.child('selector')));
  faults.push(...validateNonNegative(replicas, path.child('replicas')));
  if (!template) return [...faults, required(templatePath)];
  if (!labelsMatch(selector, template.metadata?.labels)) faults.push(selectorMismatch(template, templatePath));
  faults.push(...templates.validate(template, templatePath, old?.template));
  if (replicas > 1)
    faults.push(...validateReadOnlyDisks(template.spec?.volumes, old?.template?.spec?.volumes, templatePath.child('spec', 'volumes')));
  return [...faults, ...validateEndlessTemplate(template, templatePath, 'ReplicationController')];
}
