import {FieldPath, inject, strategy, type FieldError, type ResourceStrategy, type StrategyContext} from '../../../sdk/index.js';
import {labelsText} from '../../../sdk/labels/index.js';
import type {ReplicationController} from '../../../sdk/types/unchecked/core/v1.js';
import {hostNameWarnings} from '../../families/pods/pod-warnings.js';
import {applyPodTemplateDefaults} from '../../families/pods/pod-template.js';
import {validateReplicaStatus} from '../../families/workloads/replica-status.js';
import {templateCells} from '../../families/workloads/template-cells.js';
import {TemplateOwner} from '../../families/workloads/template-owner.js';
import {replicationControllerFaults} from './replication-controller-rules.js';

const templatePath = FieldPath.of('spec', 'template');
const counts = ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'] as const;
const parts = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'] as const;

/** ReplicationController: keeps a number of identical pods running. */
@strategy()
export class ReplicationControllerStrategy implements ResourceStrategy<ReplicationController> {
  readonly #templates: TemplateOwner;

  constructor(@inject(TemplateOwner) templates: TemplateOwner) {
    this.#templates = templates;
  }

  applyDefaults(object: ReplicationController): void {
    const {spec, metadata} = object;
    if (!spec) return;
    applyPodTemplateDefaults(spec.template);
    const labels = spec.template?.metadata?.labels ?? {};
    if (Object.keys(labels).length === 0) return;
    if (isEmpty(spec.selector)) spec.selector = {...labels};
    if (isEmpty(metadata.labels)) metadata.labels = {...labels};
  }

  prepareForCreate(object: ReplicationController, context: StrategyContext): void {
    delete object.status;
    for (const text of hostNameWarnings(object.metadata.name)) context.warn(text);
    this.#templates.prepare(object.spec?.template, undefined, templatePath, context);
  }

  prepareForUpdate(object: ReplicationController, old: ReplicationController, context: StrategyContext): void {
    this.#templates.prepare(object.spec?.template, old.spec?.template, templatePath, context);
  }

  validateCreate(object: ReplicationController): FieldError[] {
    return this.#faults(object, undefined);
  }

  validateUpdate(object: ReplicationController, old: ReplicationController, {subresource}: StrategyContext): FieldError[] {
    if (subresource === 'status') return validateReplicaStatus(object.status, counts, parts, FieldPath.of('status'));
    return this.#faults(object, old);
  }

  tableCells({spec, status}: ReplicationController): Record<string, string | number> {
    return {
      Desired: spec?.replicas ?? 0,
      Current: status?.replicas ?? 0,
      Ready: status?.readyReplicas ?? 0,
      ...templateCells(spec?.template),
      Selector: labelsText(spec?.selector),
    };
  }

  #faults({spec}: ReplicationController, old: ReplicationController | undefined): FieldError[] {
    return replicationControllerFaults(spec ?? {}, old?.spec, FieldPath.of('spec'), this.#templates);
  }
}

function isEmpty(map: Readonly<Record<string, string>> | undefined | null): boolean {
  return Object.keys(map ?? {}).length === 0;
}
