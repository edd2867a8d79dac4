import type {FieldError, ResourceStrategy, StrategyContext} from '../../../sdk/index.js';
import type {RoleBinding} from '../../../sdk/types/unchecked/rbac.authorization/v1.js';
import {bindingCells} from './binding-cells.js';
import {bindingFaults, defaultSubjectGroups, roleRefChangeFaults, type BindingRules} from './binding-rules.js';
import type {EscalationCheck} from './escalation-check.js';

/** The common behaviour of role bindings and cluster role bindings. */
export abstract class BindingStrategy implements ResourceStrategy<RoleBinding> {
  readonly #resource: 'rolebindings' | 'clusterrolebindings';
  readonly #escalation: EscalationCheck;
  readonly #rules: BindingRules;

  protected constructor(resource: 'rolebindings' | 'clusterrolebindings', escalation: EscalationCheck, rules: BindingRules) {
    this.#resource = resource;
    this.#escalation = escalation;
    this.#rules = rules;
  }

  applyDefaults(object: RoleBinding): void {
    defaultSubjectGroups(object, this.#rules.group);
  }

  prepareForCreate(object: RoleBinding, context: StrategyContext): Promise<void> {
    return this.#escalation.binding(this.#resource, object, undefined, context);
  }

  prepareForUpdate(object: RoleBinding, old: RoleBinding, context: StrategyContext): Promise<void> {
    return this.#escalation.binding(this.#resource, object, old, context);
  }

  validateCreate(object: RoleBinding): FieldError[] {
    return bindingFaults(object, this.#rules);
  }

  validateUpdate(object: RoleBinding, old: RoleBinding): FieldError[] {
    return [...this.validateCreate(object), ...roleRefChangeFaults(object, old)];
  }

  tableCells(object: RoleBinding): Record<string, string> {
    return bindingCells(object);
  }
}
