import {
  FieldPath,
  inject,
  strategy,
  Tokens,
  type ApiObject,
  type FeatureGates,
  type FieldError,
  type NamingProfile,
  type ResourceStrategy,
} from '../../../sdk/index.js';
import {labelsText} from '../../shared/labels/label-text.js';
import {dropDisabledPodFields} from '../../shared/pod/disabled-fields.js';
import {applyPodTemplateDefaults, validatePodTemplateSpec} from '../../shared/pod/pod-template.js';
import type {PodTemplateSpec} from '../../shared/pod/pod-types.js';
import {templateCells} from '../../shared/workloads/template-cells.js';
import type {PodSettings} from './pod-settings.js';

interface PodTemplate extends ApiObject {
  template?: PodTemplateSpec;
}

/** PodTemplate: a pattern for pods, kept for whoever makes some of it. */
@strategy()
export class PodTemplateStrategy implements ResourceStrategy<PodTemplate> {
  constructor(
    @inject(Tokens.Naming) private readonly naming: NamingProfile,
    @inject(Tokens.FeatureGates) private readonly gates: FeatureGates,
    @inject(Tokens.Config) private readonly settings: PodSettings,
  ) {}

  applyDefaults({template}: PodTemplate): void {
    applyPodTemplateDefaults(template);
  }

  prepareForCreate({template}: PodTemplate): void {
    dropDisabledPodFields(template?.spec, undefined, this.gates);
  }

  prepareForUpdate({template}: PodTemplate, old: PodTemplate): void {
    dropDisabledPodFields(template?.spec, old.template?.spec, this.gates);
  }

  validateCreate({template}: PodTemplate): FieldError[] {
    const rules = {naming: this.naming, allowPrivileged: this.settings.allowPrivileged, allowReadWriteOncePod: this.gates.enabled('ReadWriteOncePod')};
    return validatePodTemplateSpec(template, FieldPath.of('template'), rules);
  }

  validateUpdate(object: PodTemplate): FieldError[] {
    return this.validateCreate(object);
  }

  tableCells({template}: PodTemplate): Record<string, string> {
    return {...templateCells(template), 'Pod Labels': labelsText(template?.metadata?.labels)};
  }
}
