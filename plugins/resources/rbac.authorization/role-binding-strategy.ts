import {
  inject,
  strategy,
  Tokens,
  type AccessReviewer,
  type FieldError,
  type NamingProfile,
  type ResourceClient,
  type ResourceStrategy,
  type StrategyContext,
} from '../../../sdk/index.js';
import {bindingCells} from './binding-cells.js';
import {bindingFaults, defaultSubjectGroups, roleRefChangeFaults, type BindingRules} from './binding-rules.js';
import {EscalationCheck} from './escalation-check.js';
import type {Binding} from './rbac-types.js';

/** RoleBinding: who has a role, or the rights of a cluster role, in one namespace. */
@strategy()
export class RoleBindingStrategy implements ResourceStrategy<Binding> {
  private readonly rules: BindingRules;
  private readonly escalation: EscalationCheck;

  constructor(
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Access) access: AccessReviewer,
    @inject(Tokens.Resources) resources: ResourceClient,
  ) {
    this.escalation = new EscalationCheck(access, resources, naming);
    this.rules = {group: naming.group('rbac.authorization.orch'), roleKinds: ['Role', 'ClusterRole'], namespaced: true};
  }

  applyDefaults(object: Binding): void {
    defaultSubjectGroups(object, this.rules.group);
  }

  prepareForCreate(object: Binding, context: StrategyContext): Promise<void> {
    return this.escalation.binding('rolebindings', object, undefined, context);
  }

  prepareForUpdate(object: Binding, old: Binding, context: StrategyContext): Promise<void> {
    return this.escalation.binding('rolebindings', object, old, context);
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
