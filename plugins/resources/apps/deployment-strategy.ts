import {FieldPath, inject, strategy, type FieldError, type ResourceStrategy, type StrategyContext} from '../../../sdk/index.js';
import {isEmptySelector, selectorOptions, selectorText, type LabelSelectorOptions} from '../../../sdk/labels/index.js';
import {sameValue, validateImmutable} from '../../../sdk/validation/index.js';
import type {Deployment} from '../../../sdk/types/unchecked/apps/v1.js';
import {hostNameWarnings} from '../../families/pods/pod-warnings.js';
import {applyPodTemplateDefaults} from '../../families/pods/pod-template.js';
import {validateCollisionCount} from '../../families/workloads/replica-status.js';
import {templateCells} from '../../families/workloads/template-cells.js';
import {TemplateOwner} from '../../families/workloads/template-owner.js';
import {hasUsableSelector, validateDeploymentSpec, validateDeploymentStatus} from './deployment-faults.js';

const selectorPath = FieldPath.of('spec', 'selector');
const templatePath = FieldPath.of('spec', 'template');
const defaultShare = '25%';

/** Deployment: identical pods that are replaced step by step when their template changes. */
@strategy()
export class DeploymentStrategy implements ResourceStrategy<Deployment> {
  readonly #templates: TemplateOwner;

  constructor(@inject(TemplateOwner) templates: TemplateOwner) {
    this.#templates = templates;
  }

  applyDefaults({spec}: Deployment): void {
    if (!spec) return;
    const update = (spec.strategy ??= {});
    if (!update.type) update.type = 'RollingUpdate';
    if (update.type === 'RollingUpdate') {
      const rolling = (update.rollingUpdate ??= {});
      rolling.maxUnavailable ??= defaultShare;
      rolling.maxSurge ??= defaultShare;
    }
    applyPodTemplateDefaults(spec.template);
  }

  prepareForCreate(object: Deployment, context: StrategyContext): void {
    object.metadata.generation = 1;
    for (const text of hostNameWarnings(object.metadata.name)) context.warn(text);
    this.#templates.prepare(object.spec?.template, undefined, templatePath, context);
  }

  /** Changes of annotations increase the generation too: the deployment controller copies them to its replica sets. */
  prepareForUpdate(object: Deployment, old: Deployment, context: StrategyContext): void {
    this.#templates.prepare(object.spec?.template, old.spec?.template, templatePath, context);
    const changed =
      !sameValue(object.spec, old.spec) ||
      (context.subresource !== 'status' && !sameValue(object.metadata.annotations ?? {}, old.metadata.annotations ?? {}));
    if (changed) object.metadata.generation = (old.metadata.generation ?? 0) + 1;
  }

  validateCreate(object: Deployment): FieldError[] {
    return this.#specFaults(object, undefined, {});
  }

  validateUpdate(object: Deployment, old: Deployment, {subresource}: StrategyContext): FieldError[] {
    if (subresource === 'status') {
      return [...validateDeploymentStatus(object.status), ...validateCollisionCount(object.status, old.status, FieldPath.of('status'))];
    }
    return [
      ...this.#specFaults(object, old, selectorOptions(old.spec?.selector)),
      ...validateImmutable(object.spec?.selector, old.spec?.selector, selectorPath),
    ];
  }

  tableCells({spec, status}: Deployment): Record<string, string | number> {
    return {
      Ready: `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
      'Up-to-date': status?.updatedReplicas ?? 0,
      Available: status?.availableReplicas ?? 0,
      ...templateCells(spec?.template),
      Selector: isEmptySelector(spec?.selector) ? '' : selectorText(spec?.selector).replace('<error>', '<invalid>'),
    };
  }

  #specFaults({spec = {}}: Deployment, old: Deployment | undefined, options: LabelSelectorOptions): FieldError[] {
    return [
      ...validateDeploymentSpec(spec, old?.spec, options),
      ...(hasUsableSelector(spec, options) ? this.#templates.validate(spec.template, templatePath, old?.spec?.template) : []),
    ];
  }
}
