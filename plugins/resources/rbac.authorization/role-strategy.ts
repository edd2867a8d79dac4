import {inject, strategy, type FieldError, type ResourceStrategy, type StrategyContext} from '../../../sdk/index.js';
import type {Role} from '../../../sdk/types/unchecked/rbac.authorization/v1.js';
import {EscalationCheck} from './escalation-check.js';
import {policyRuleFaults} from './policy-rules.js';

/** Role: permissions in one namespace. */
@strategy()
export class RoleStrategy implements ResourceStrategy<Role> {
  readonly #escalation: EscalationCheck;

  constructor(@inject(EscalationCheck) escalation: EscalationCheck) {
    this.#escalation = escalation;
  }

  prepareForCreate(object: Role, context: StrategyContext): Promise<void> {
    return this.#escalation.role('roles', object, undefined, context);
  }

  prepareForUpdate(object: Role, old: Role, context: StrategyContext): Promise<void> {
    return this.#escalation.role('roles', object, old, context);
  }

  validateCreate({rules}: Role): FieldError[] {
    return policyRuleFaults(rules, 'namespace');
  }

  validateUpdate(object: Role): FieldError[] {
    return this.validateCreate(object);
  }
}
