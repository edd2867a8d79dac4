import {FieldPath, inject, strategy, type FieldError, type ResourceStrategy, type StrategyContext} from '../../../sdk/index.js';
import {selectorOptions, selectorText} from '../../../sdk/labels/index.js';
import {validateImmutable} from '../../../sdk/validation/index.js';
import type {ReplicaSet} from '../../../sdk/types/unchecked/apps/v1.js';
import {hostNameWarnings} from '../../families/pods/pod-warnings.js';
import {applyPodTemplateDefaults} from '../../families/pods/pod-template.js';
import {templateCells} from '../../families/workloads/template-cells.js';
import {TemplateOwner} from '../../families/workloads/template-owner.js';
import {hasUsableSelector, validateReplicaSetSpec, validateReplicaSetStatus} from './deployment-faults.js';

const selectorPath = FieldPath.of('spec', 'selector');
const templatePath = FieldPath.of('spec', 'template');

/** ReplicaSet: a number of identical pods. */
@strategy()
export class ReplicaSetStrategy implements ResourceStrategy<ReplicaSet> {
  readonly #templates: TemplateOwner;

  constructor(@inject(TemplateOwner) templates: TemplateOwner) {
    this.#templates = templates;
  }

  applyDefaults({spec}: ReplicaSet): void {
    applyPodTemplateDefaults(spec?.template);
  }

  prepareForCreate({metadata, spec}: ReplicaSet, context: StrategyContext): void {
    for (const text of hostNameWarnings(metadata.name)) context.warn(text);
    this.#templates.prepare(spec?.template, undefined, templatePath, context);
  }

  prepareForUpdate({spec}: ReplicaSet, old: ReplicaSet, context: StrategyContext): void {
    this.#templates.prepare(spec?.template, old.spec?.template, templatePath, context);
  }

  validateCreate({spec = {}}: ReplicaSet): FieldError[] {
    return [
      ...validateReplicaSetSpec(spec, undefined, {}),
      ...(hasUsableSelector(spec, {}) ? this.#templates.validate(spec.template, templatePath) : []),
    ];
  }

  validateUpdate({spec = {}, status}: ReplicaSet, old: ReplicaSet, {subresource}: StrategyContext): FieldError[] {
    if (subresource === 'status') return validateReplicaSetStatus(status);
    const options = selectorOptions(old.spec?.selector);
    return [
      ...validateReplicaSetSpec(spec, old.spec, options),
      ...(hasUsableSelector(spec, options) ? this.#templates.validate(spec.template, templatePath, old.spec?.template) : []),
      ...validateImmutable(spec.selector, old.spec?.selector, selectorPath),
    ];
  }

  tableCells({spec, status}: ReplicaSet): Record<string, string | number> {
    return {
      Desired: spec?.replicas ?? 0,
      Current: status?.replicas ?? 0,
      Ready: status?.readyReplicas ?? 0,
      ...templateCells(spec?.template),
      Selector: selectorText(spec?.selector),
    };
  }
}
