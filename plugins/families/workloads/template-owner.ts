import {
  inject,
  injectable,
  Tokens,
  type FeatureGates,
  type FieldError,
  type FieldPath,
  type NamingProfile,
  type StrategyContext,
} from '../../../sdk/index.js';
import {sameValue} from '../../../sdk/validation/index.js';
import type {PodTemplateSpec} from '../../../sdk/types/unchecked/core/v1.js';
import {dropDisabledPodFields} from '../pods/disabled-fields.js';
import type {PodRules} from '../pods/pod-rules.js';
import {podWarnings} from '../pods/pod-warnings.js';
import {validatePodTemplateSpec} from '../pods/pod-template.js';
import {storedTemplateRules} from '../pods/stored-template-rules.js';

/** The setting of plugins with a `TemplateOwner`. Without it, containers may be privileged. */
export interface TemplateSettings {
  readonly allowPrivileged?: boolean;
}

/** What the strategies of all types with a pod template do with it. */
@injectable()
export class TemplateOwner {
  /** What the rules for templates depend on. */
  readonly rules: PodRules;

  /** Also for the strategies of owners. */
  readonly gates: FeatureGates;

  constructor(
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.FeatureGates) gates: FeatureGates,
    @inject(Tokens.Config) {allowPrivileged = true}: TemplateSettings,
  ) {
    this.gates = gates;
    this.rules = {naming, gates, allowPrivileged, allowReadWriteOncePod: gates.enabled('ReadWriteOncePod')};
  }

  /**
   * Drops fields of disabled features unless the stored template `old` uses them, and adds warnings about probable mistakes in a new or changed one. Modifies
   * `template`. `path` is its path.
   */
  prepare(
    template: PodTemplateSpec | undefined | null,
    old: PodTemplateSpec | undefined | null,
    path: FieldPath,
    context: StrategyContext,
  ): void {
    dropDisabledPodFields(template?.spec, old?.spec, this.gates);
    if (!template || context.subresource !== '' || (old && sameValue(template, old))) return;
    for (const text of podWarnings(template, path, this.rules)) context.warn(text);
  }

  /**
   * All errors in the template itself. Further requirements are checked by its owner's strategy. @param old the stored template, for an
   * update
   */
  validate(template: PodTemplateSpec | undefined | null, path: FieldPath, old?: PodTemplateSpec | null): FieldError[] {
    const faults = validatePodTemplateSpec(template, path, this.rules);
    // The stored template's rules are needed only if there are errors.
    return faults.length === 0 || !old ? faults : validatePodTemplateSpec(template, path, storedTemplateRules(old, this.rules));
  }
}
