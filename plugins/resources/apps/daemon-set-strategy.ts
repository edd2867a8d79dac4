import {
  badRequest,
  FieldPath,
  inject,
  strategy,
  type FieldError,
  type ObjectMeta,
  type ResourceStrategy,
  type StrategyContext,
} from '../../../sdk/index.js';
import {labelsText, selectorOptions, selectorText} from '../../../sdk/labels/index.js';
import {sameValue, validateImmutable} from '../../../sdk/validation/index.js';
import type {DaemonSet} from '../../../sdk/types/unchecked/apps/v1.js';
import {applyPodTemplateDefaults} from '../../families/pods/pod-template.js';
import {validateCollisionCount} from '../../families/workloads/replica-status.js';
import {templateCells} from '../../families/workloads/template-cells.js';
import {TemplateOwner} from '../../families/workloads/template-owner.js';
import {validateDaemonSetSpec, validateDaemonSetStatus} from './daemon-set-faults.js';

const selectorPath = FieldPath.of('spec', 'selector');
const templatePath = FieldPath.of('spec', 'template');

/** DaemonSet: a pod on every node. An annotation counts the versions of its template; in removed API versions this was a field. */
@strategy()
export class DaemonSetStrategy implements ResourceStrategy<DaemonSet> {
  readonly #templateGeneration = 'deprecated.daemonset.template.generation';
  readonly #templates: TemplateOwner;

  constructor(@inject(TemplateOwner) templates: TemplateOwner) {
    this.#templates = templates;
  }

  applyDefaults({spec}: DaemonSet): void {
    if (!spec) return;
    const update = (spec.updateStrategy ??= {});
    if (!update.type) update.type = 'RollingUpdate';
    if (update.type === 'RollingUpdate') {
      const rolling = (update.rollingUpdate ??= {});
      rolling.maxUnavailable ??= 1;
      rolling.maxSurge ??= 0;
    }
    applyPodTemplateDefaults(spec.template);
  }

  prepareForCreate({metadata, spec}: DaemonSet, context: StrategyContext): void {
    this.#templates.prepare(spec?.template, undefined, templatePath, context);
    this.#count(metadata, Math.max(this.#counted(metadata), 1));
  }

  prepareForUpdate({metadata, spec}: DaemonSet, old: DaemonSet, context: StrategyContext): void {
    this.#templates.prepare(spec?.template, old.spec?.template, templatePath, context);
    const changed = context.subresource !== 'status' && !sameValue(spec?.template, old.spec?.template);
    this.#count(metadata, this.#counted(old.metadata) + (changed ? 1 : 0));
  }

  validateCreate({spec = {}}: DaemonSet): FieldError[] {
    return [...validateDaemonSetSpec(spec, undefined, {}), ...this.#templates.validate(spec.template, templatePath)];
  }

  validateUpdate({spec = {}, status}: DaemonSet, old: DaemonSet, {subresource}: StrategyContext): FieldError[] {
    if (subresource === 'status')
      return [...validateDaemonSetStatus(status), ...validateCollisionCount(status, old.status, FieldPath.of('status'))];
    return [
      ...validateDaemonSetSpec(spec, old.spec, selectorOptions(old.spec?.selector)),
      ...this.#templates.validate(spec.template, templatePath, old.spec?.template),
      ...validateImmutable(spec.selector, old.spec?.selector, selectorPath),
    ];
  }

  tableCells({spec, status}: DaemonSet): Record<string, string | number> {
    return {
      Desired: status?.desiredNumberScheduled ?? 0,
      Current: status?.currentNumberScheduled ?? 0,
      Ready: status?.numberReady ?? 0,
      'Up-to-date': status?.updatedNumberScheduled ?? 0,
      Available: status?.numberAvailable ?? 0,
      'Node Selector': labelsText(spec?.template?.spec?.nodeSelector),
      ...templateCells(spec?.template),
      Selector: selectorText(spec?.selector),
    };
  }

  #counted({annotations}: ObjectMeta): number {
    const text = annotations && Object.hasOwn(annotations, this.#templateGeneration) ? annotations[this.#templateGeneration]! : '0';
    if (!/^[-+]?\d{1,15}$/.test(text))
      throw badRequest(`the annotation ${this.#templateGeneration} must be an integer, not ${JSON.stringify(text)}`);
    return Number(text);
  }

  #count(metadata: ObjectMeta, generation: number): void {
    metadata.annotations = {...metadata.annotations, [this.#templateGeneration]: String(generation)};
  }
}
