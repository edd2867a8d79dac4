import type {FieldError, ResourceStrategy, StrategyContext} from '../../../sdk/index.js';
import type {RoleBinding, Subject} from '../../../sdk/types/unchecked/rbac.authorization/v1.js';
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

/** Cells of a binding's Table row: the role and its subjects. */
function bindingCells({roleRef, subjects}: RoleBinding): Record<string, string> {
  const named = (kind: string, text: (subject: Subject) => string) =>
    (subjects ?? [])
      .filter((subject) => subject.kind === kind)
      .map(text)
      .join(', ');
  return {
    Role: `${roleRef?.kind ?? ''}/${roleRef?.name ?? ''}`,
    Users: named('User', ({name}) => name ?? ''),
    Groups: named('Group', ({name}) => name ?? ''),
    ServiceAccounts: named('ServiceAccount', ({namespace, name}) => `${namespace ?? ''}/${name ?? ''}`),
  };
}
