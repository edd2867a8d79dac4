import type {FeatureGates, FieldError, FieldPath, NamingProfile} from '../../../sdk/index.js';
import {validateLabelSelector, type LabelSelector, type LabelSelectorOptions} from '../labels/label-selector.js';
import {dropDisabledPodFields} from '../pod/disabled-fields.js';
import {validatePodTemplateSpec} from '../pod/pod-template.js';
import type {PodTemplateSpec} from '../pod/pod-types.js';

/** What the strategies of all types with a pod template do with it. */
export class TemplateOwner {
  constructor(
    private readonly naming: NamingProfile,
    private readonly gates: FeatureGates,
  ) {}

  /** Drops fields whose feature is off, unless the stored template uses them. Changes `template`. */
  dropDisabledFields(template: PodTemplateSpec | undefined | null, old: PodTemplateSpec | undefined | null): void {
    dropDisabledPodFields(template?.spec, old?.spec, this.gates);
  }

  /** All faults of the template as such; what its owner demands of it besides is the owner's to check. */
  validate(template: PodTemplateSpec | undefined | null, path: FieldPath): FieldError[] {
    return validatePodTemplateSpec(template, path, {naming: this.naming, allowReadWriteOncePod: this.gates.enabled('ReadWriteOncePod')});
  }
}

/** Selectors that were stored with values that no label can have stay as they are: they cannot be changed. */
export function selectorOptions(old: LabelSelector | undefined | null, path: FieldPath): LabelSelectorOptions {
  return {allowInvalidValues: validateLabelSelector(old, path).length > 0};
}
