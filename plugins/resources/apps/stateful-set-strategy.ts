import {
  dnsLabelFaults,
  FieldPath,
  inject,
  strategy,
  type FieldError,
  type ResourceStrategy,
  type StrategyContext,
} from '../../../sdk/index.js';
import {selectorOptions, type LabelSelectorOptions} from '../../../sdk/labels/index.js';
import {invalidFor, isGiven} from '../../../sdk/validation/index.js';
import type {StatefulSet, StatefulSetSpec} from '../../../sdk/types/unchecked/apps/v1.js';
import type {PodTemplateSpec, Volume} from '../../../sdk/types/unchecked/core/v1.js';
import {validatePodAnnotations} from '../../families/pods/pod-annotations.js';
import {applyPodTemplateDefaults, validatePodTemplateMetadata} from '../../families/pods/pod-template.js';
import {roundResourceList} from '../../families/pods/resource-list.js';
import {validatePersistentVolumeClaimSpec} from '../../families/volumes/persistent-volume-claim-spec.js';
import {validateCollisionCount} from '../../families/workloads/replica-status.js';
import {firstWarnings} from '../../families/pods/first-warnings.js';
import {claimSpecWarnings} from '../../families/volumes/byte-warnings.js';
import {templateCells} from '../../families/workloads/template-cells.js';
import {TemplateOwner} from '../../families/workloads/template-owner.js';
import {isUsableSelector} from '../../families/workloads/template-rules.js';
import {validateStatefulSetChange, validateStatefulSetSpec, validateStatefulSetStatus} from './stateful-set-faults.js';

const selectorPath = FieldPath.of('spec', 'selector');
const templatePath = FieldPath.of('spec', 'template');
const servicePath = FieldPath.of('spec', 'serviceName');
const claimsPath = FieldPath.of('spec', 'volumeClaimTemplates');
const withoutService = 'spec.serviceName: no service is named; pods of the set have no names in DNS';
const endlessHistory = 'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended';

/** StatefulSet: pods with stable names and storage (docs/semantics/types.md#statefulset). */
@strategy()
export class StatefulSetStrategy implements ResourceStrategy<StatefulSet> {
  readonly #templates: TemplateOwner;

  constructor(@inject(TemplateOwner) templates: TemplateOwner) {
    this.#templates = templates;
  }

  applyDefaults({spec}: StatefulSet): void {
    if (!spec) return;
    const update = (spec.updateStrategy ??= {});
    if (!update.type) {
      update.type = 'RollingUpdate';
      update.rollingUpdate ??= {};
    }
    // With an explicit type, a missing `rollingUpdate` stays missing.
    if (update.type === 'RollingUpdate' && update.rollingUpdate) {
      update.rollingUpdate.partition ??= 0;
      if (this.#templates.gates.enabled('MaxUnavailableStatefulSet')) update.rollingUpdate.maxUnavailable ??= 1;
    }
    if (this.#templates.gates.enabled('StatefulSetAutoDeletePVC')) {
      const retention = (spec.persistentVolumeClaimRetentionPolicy ??= {});
      if (!retention.whenDeleted) retention.whenDeleted = 'Retain';
      if (!retention.whenScaled) retention.whenScaled = 'Retain';
    }
    applyPodTemplateDefaults(spec.template);
    for (const claim of spec.volumeClaimTemplates ?? []) {
      // For clients that read the type of an embedded object.
      claim.apiVersion = 'v1';
      claim.kind = 'PersistentVolumeClaim';
      roundResourceList(claim.spec?.resources?.limits);
      roundResourceList(claim.spec?.resources?.requests);
    }
  }

  prepareForCreate({spec}: StatefulSet, context: StrategyContext): void {
    this.#prepare(spec, undefined, context);
  }

  prepareForUpdate({spec}: StatefulSet, old: StatefulSet, context: StrategyContext): void {
    this.#prepare(spec, old.spec, context);
  }

  validateCreate({spec = {}}: StatefulSet): FieldError[] {
    const {serviceName = ''} = spec;
    const areLabels = this.#templates.gates.enabled('StatefulSetServiceNamesAreLabels');
    return [
      ...validateStatefulSetSpec(spec, {}),
      ...(areLabels && serviceName !== '' ? invalidFor(servicePath, serviceName, dnsLabelFaults(serviceName)) : []),
      ...this.#claimFaults(spec),
      ...this.#templateFaults(spec, {}),
    ];
  }

  validateUpdate({spec = {}, status}: StatefulSet, old: StatefulSet, {subresource}: StrategyContext): FieldError[] {
    if (subresource === 'status')
      return [...validateStatefulSetStatus(status), ...validateCollisionCount(status, old.status, FieldPath.of('status'))];
    const options = selectorOptions(old.spec?.selector);
    return [
      ...validateStatefulSetSpec(spec, options),
      ...this.#templateFaults(spec, options, old.spec),
      ...validateStatefulSetChange(spec, old.spec ?? {}, this.#templates.gates.enabled('ChangeableRevisionHistoryLimits')),
    ];
  }

  tableCells({spec, status}: StatefulSet): Record<string, string> {
    return {
      Ready: `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
      ...templateCells(spec?.template),
    };
  }

  /** Rules for claims of new sets came with this feature: what is stored stays acceptable. */
  #claimFaults({volumeClaimTemplates}: StatefulSetSpec): FieldError[] {
    if (!this.#templates.gates.enabled('VolumeAttributesClass')) return [];
    return (volumeClaimTemplates ?? []).flatMap((claim, index) =>
      validatePersistentVolumeClaimSpec(claim.spec ?? {}, claimsPath.index(index).child('spec'), {allowReadWriteOncePod: true}),
    );
  }

  #templateFaults(spec: StatefulSetSpec, options: LabelSelectorOptions, old?: StatefulSetSpec): FieldError[] {
    const {selector, template} = spec;
    if (!isUsableSelector(selector, selectorPath, options)) return [];
    return [
      ...this.#podFaults(spec, options, old),
      ...validatePodTemplateMetadata(template, templatePath),
      ...validatePodAnnotations(
        template?.metadata?.annotations,
        template?.spec ?? {},
        templatePath.child('annotations'),
        this.#templates.rules,
      ),
    ];
  }

  /** Errors in the pods that the template describes. What is stored may stay invalid: once, it was looked at when pods were made of it. */
  #podFaults(spec: StatefulSetSpec, options: LabelSelectorOptions, old: StatefulSetSpec | undefined): FieldError[] {
    if (!this.#templates.gates.enabled('StatefulSetTemplatesValidated')) return [];
    const faults = this.#templates.validate(templateOfPods(spec), templatePath, old && templateOfPods(old));
    if (faults.length === 0 || !old) return faults;
    const before = [...validateStatefulSetSpec(old, options), ...this.#templates.validate(templateOfPods(old), templatePath)];
    return before.length > 0 ? [] : faults;
  }

  /**
   * Drops fields of disabled feature gates unless the stored object already uses them, and warns about values that are probably mistakes.
   */
  #prepare(spec: StatefulSetSpec | undefined, old: StatefulSetSpec | undefined, context: StrategyContext): void {
    if (!spec) return;
    if (!spec.serviceName && context.subresource === '') context.warn(withoutService);
    if ((spec.revisionHistoryLimit ?? 0) < 0 && context.subresource === '') context.warn(endlessHistory);
    const {rollingUpdate} = spec.updateStrategy ?? {};
    const used = isGiven(old?.updateStrategy?.rollingUpdate?.maxUnavailable);
    if (rollingUpdate && !this.#templates.gates.enabled('MaxUnavailableStatefulSet') && !used) delete rollingUpdate.maxUnavailable;
    if (!this.#templates.gates.enabled('StatefulSetAutoDeletePVC') && !old?.persistentVolumeClaimRetentionPolicy)
      delete spec.persistentVolumeClaimRetentionPolicy;
    if (!this.#templates.gates.enabled('StatefulSetStartOrdinal') && !old?.ordinals) delete spec.ordinals;
    this.#templates.prepare(spec.template, old?.template, templatePath, context);
    if (context.subresource === '') for (const text of firstWarnings(templateWarnings(spec))) context.warn(text);
  }
}

/** The template as pods have it: with the volumes of their claims, and without the names that each pod gets. */
function templateOfPods({template, volumeClaimTemplates}: StatefulSetSpec): PodTemplateSpec | undefined {
  if (!template?.spec) return template;
  const {hostname: _hostname, subdomain: _subdomain, ...spec} = template.spec;
  if (!volumeClaimTemplates?.length) return {...template, spec};
  const names = new Set(volumeClaimTemplates.map(({metadata}) => metadata?.name ?? ''));
  const claims = [...names].map((name): Volume => ({name, persistentVolumeClaim: {claimName: name}}));
  return {...template, spec: {...spec, volumes: [...claims, ...(spec.volumes ?? []).filter(({name}) => !names.has(name ?? ''))]}};
}

function* templateWarnings({volumeClaimTemplates}: StatefulSetSpec): Generator<string> {
  for (const [index, claim] of (volumeClaimTemplates ?? []).entries()) yield* claimSpecWarnings(claim.spec, claimsPath.index(index));
}
