import {FieldPath, inject, strategy, type FieldError, type ResourceStrategy, type StrategyContext} from '../../../sdk/index.js';
import {labelsText} from '../../../sdk/labels/index.js';
import type {PodTemplate} from '../../../sdk/types/unchecked/core/v1.js';
import {applyPodTemplateDefaults} from '../../families/pods/pod-template.js';
import {templateCells} from '../../families/workloads/template-cells.js';
import {TemplateOwner} from '../../families/workloads/template-owner.js';

const templatePath = FieldPath.of('template');

/** PodTemplate: a stored template for pods. */
@strategy()
export class PodTemplateStrategy implements ResourceStrategy<PodTemplate> {
  readonly #templates: TemplateOwner;

  constructor(@inject(TemplateOwner) templates: TemplateOwner) {
    this.#templates = templates;
  }

  applyDefaults({template}: PodTemplate): void {
    applyPodTemplateDefaults(template);
  }

  prepareForCreate({template}: PodTemplate, context: StrategyContext): void {
    this.#templates.prepare(template, undefined, templatePath, context);
  }

  prepareForUpdate({template}: PodTemplate, old: PodTemplate, context: StrategyContext): void {
    this.#templates.prepare(template, old.template, templatePath, context);
  }

  validateCreate({template}: PodTemplate): FieldError[] {
    return this.#templates.validate(template, templatePath);
  }

  validateUpdate({template}: PodTemplate, old: PodTemplate): FieldError[] {
    return this.#templates.validate(template, templatePath, old.template);
  }

  tableCells({template}: PodTemplate): Record<string, string> {
    return {...templateCells(template), 'Pod Labels': labelsText(template?.metadata?.labels)};
  }
}
