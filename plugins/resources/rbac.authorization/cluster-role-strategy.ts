import {
  FieldPath,
  inject,
  invalid,
  required,
  strategy,
  type FieldError,
  type ResourceStrategy,
  type StrategyContext,
} from '../../../sdk/index.js';
import {selectorOptions, validateLabelSelector, type LabelSelectorOptions} from '../../../sdk/labels/index.js';
import type {ClusterRole} from '../../../sdk/types/unchecked/rbac.authorization/v1.js';
import {EscalationCheck} from './escalation-check.js';
import {policyRuleFaults} from './policy-rules.js';

const selectorsPath = FieldPath.of('aggregationRule', 'clusterRoleSelectors');

/** ClusterRole: permissions for all namespaces, for cluster-scoped objects and for non-resource URLs. */
@strategy()
export class ClusterRoleStrategy implements ResourceStrategy<ClusterRole> {
  readonly #escalation: EscalationCheck;

  constructor(@inject(EscalationCheck) escalation: EscalationCheck) {
    this.#escalation = escalation;
  }

  prepareForCreate(object: ClusterRole, context: StrategyContext): Promise<void> {
    return this.#escalation.role('clusterroles', object, undefined, context);
  }

  prepareForUpdate(object: ClusterRole, old: ClusterRole, context: StrategyContext): Promise<void> {
    return this.#escalation.role('clusterroles', object, old, context);
  }

  validateCreate(object: ClusterRole): FieldError[] {
    return [...policyRuleFaults(object.rules, 'cluster'), ...aggregationFaults(object, {})];
  }

  validateUpdate(object: ClusterRole, old: ClusterRole): FieldError[] {
    const options = selectorOptions(...(old.aggregationRule?.clusterRoleSelectors ?? []));
    return [...policyRuleFaults(object.rules, 'cluster'), ...aggregationFaults(object, options)];
  }
}

function aggregationFaults({aggregationRule}: ClusterRole, options: LabelSelectorOptions): FieldError[] {
  if (!aggregationRule) return [];
  const selectors = aggregationRule.clusterRoleSelectors ?? [];
  if (selectors.length === 0) return [required(selectorsPath, 'at least one clusterRoleSelector required if aggregationRule is non-nil')];
  return selectors.flatMap((selector, index) => {
    const path = selectorsPath.index(index);
    // The second fault is that of the selector as a whole, as Kubernetes adds it.
    const isUsable = validateLabelSelector(selector, path).length === 0;
    return [...validateLabelSelector(selector, path, options), ...(isUsable ? [] : [invalid(path, null, 'invalid label selector.')])];
  });
}
