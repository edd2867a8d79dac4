import type {FieldError, ResourceStrategy, StrategyContext} from '../../../sdk/index.js';
import {bindingCells} from './binding-cells.js';
import {bindingFaults, defaultSubjectGroups, roleRefChangeFaults, type BindingRules} from './binding-rules.js';
import type {EscalationCheck} from './escalation-check.js';
import type {Binding} from './rbac-types.js';

/** The common behaviour of role bindings and cluster role bindings. */
export abstract class BindingStrategy implements ResourceStrategy<Binding> {
  readonly #resource: 'rolebindings' | 'clusterrolebindings';
  readonly #escalation: EscalationCheck;
  readonly #rules: BindingRules;

  protected constructor(resource: 'rolebindings' | 'clusterrolebindings', escalation: EscalationCheck, rules: BindingRules) {
    this.#resource = resource;
    this.#escalation = escalation;
    this.#rules = rules;
  }

  applyDefaults(object: Binding): void {
    defaultSubjectGroups(object, this.#rules.group);
  }

  prepareForCreate(object: Binding, context: StrategyContext): Promise<void> {
    return this.#escalation.binding(this.#resource, object, undefined, context);
  }

  prepareForUpdate(object: Binding, old: Binding, context: StrategyContext): Promise<void> {
    return this.#escalation.binding(this.#resource, object, old, context);
  }

  validateCreate(object: Binding): FieldError[] {
    return bindingFaults(object, this.#rules);
  }

  validateUpdate(object: Binding, old: Binding): FieldError[] {
    return [...this.validateCreate(object), ...roleRefChangeFaults(object, old)];
  }

  tableCells(object: Binding, now: Date): Record<string, string> {
    return bindingCells(object, now);
  }
}
