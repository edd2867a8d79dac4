import {inject, strategy, Tokens, type FieldError, type NamingProfile, type ResourceStrategy} from '../../../sdk/index.js';
import {bindingCells} from './binding-cells.js';
import {bindingFaults, defaultSubjectGroups, roleRefChangeFaults, type BindingRules} from './binding-rules.js';
import type {Binding} from './rbac-types.js';

/** ClusterRoleBinding: who has a cluster role everywhere. */
@strategy()
export class ClusterRoleBindingStrategy implements ResourceStrategy<Binding> {
  private readonly rules: BindingRules;

  constructor(@inject(Tokens.Naming) naming: NamingProfile) {
    this.rules = {group: naming.group('rbac.authorization.orch'), roleKinds: ['ClusterRole'], namespaced: false};
  }

  applyDefaults(object: Binding): void {
    defaultSubjectGroups(object, this.rules.group);
  }

  validateCreate(object: Binding): FieldError[] {
    return bindingFaults(object, this.rules);
  }

  validateUpdate(object: Binding, old: Binding): FieldError[] {
    return [...this.validateCreate(object), ...roleRefChangeFaults(object, old)];
  }

  tableCells(object: Binding, now: Date): Record<string, string> {
    return bindingCells(object, now);
  }
}
