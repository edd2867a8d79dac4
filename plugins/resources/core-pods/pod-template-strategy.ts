import {FieldPath, inject, strategy, type ApiObject, type FieldError, type ResourceStrategy} from '../../../sdk/index.js';
import {labelsText} from '../../shared/labels/label-text.js';
import {applyPodTemplateDefaults} from '../../shared/pod/pod-template.js';
import type {PodTemplateSpec} from '../../shared/pod/pod-types.js';
import {templateCells} from '../../shared/workloads/template-cells.js';
import {TemplateOwner} from '../../shared/workloads/template-owner.js';

interface PodTemplate extends ApiObject {
  template?: PodTemplateSpec;
}

/** PodTemplate: a pattern for pods, kept for whoever makes some of it. */
@strategy()
export class PodTemplateStrategy implements ResourceStrategy<PodTemplate> {
  constructor(@inject(TemplateOwner) private readonly templates: TemplateOwner) {}

  applyDefaults({template}: PodTemplate): void {
    applyPodTemplateDefaults(template);
  }

  prepareForCreate({template}: PodTemplate): void {
    this.templates.dropDisabledFields(template, undefined);
  }

  prepareForUpdate({template}: PodTemplate, old: PodTemplate): void {
    this.templates.dropDisabledFields(template, old.template);
  }

  validateCreate({template}: PodTemplate): FieldError[] {
    return this.templates.validate(template, FieldPath.of('template'));
  }

  validateUpdate({template}: PodTemplate, old: PodTemplate): FieldError[] {
    return this.templates.validate(template, FieldPath.of('template'), old.template);
  }

  tableCells({template}: PodTemplate): Record<string, string> {
    return {...templateCells(template), 'Pod Labels': labelsText(template?.metadata?.labels)};
  }
}
