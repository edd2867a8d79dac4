import {
  FieldPath,
  inject,
  strategy,
  type ApiObject,
  type FieldError,
  type ResourceStrategy,
  type StrategyContext,
} from '../../../sdk/index.js';
import {labelsText} from '../../shared/labels/label-text.js';
import {applyPodTemplateDefaults} from '../../shared/pod/pod-template.js';
import type {PodTemplateSpec} from '../../shared/pod/pod-types.js';
import {templateCells} from '../../shared/workloads/template-cells.js';
import {TemplateOwner} from '../../shared/workloads/template-owner.js';

const templatePath = FieldPath.of('template');

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

  prepareForCreate({template}: PodTemplate, context: StrategyContext): void {
    this.templates.prepare(template, undefined, templatePath, context);
  }

  prepareForUpdate({template}: PodTemplate, old: PodTemplate, context: StrategyContext): void {
    this.templates.prepare(template, old.template, templatePath, context);
  }

  validateCreate({template}: PodTemplate): FieldError[] {
    return this.templates.validate(template, templatePath);
  }

  validateUpdate({template}: PodTemplate, old: PodTemplate): FieldError[] {
    return this.templates.validate(template, templatePath, old.template);
  }

  tableCells({template}: PodTemplate): Record<string, string> {
    return {...templateCells(template), 'Pod Labels': labelsText(template?.metadata?.labels)};
  }
}
