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
import {EscalationCheck} from './escalation-check.js';
import {policyRuleFaults} from './policy-rules.js';
import type {Role} from './rbac-types.js';

/** Role: what may be done in one namespace. */
@strategy()
export class RoleStrategy implements ResourceStrategy<Role> {
  private readonly escalation: EscalationCheck;

  constructor(
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Access) access: AccessReviewer,
    @inject(Tokens.Resources) resources: ResourceClient,
  ) {
    this.escalation = new EscalationCheck(access, resources, naming);
  }

  prepareForCreate(object: Role, context: StrategyContext): Promise<void> {
    return this.escalation.role('roles', object, undefined, context);
  }

  prepareForUpdate(object: Role, old: Role, context: StrategyContext): Promise<void> {
    return this.escalation.role('roles', object, old, context);
  }

  validateCreate({rules}: Role): FieldError[] {
    return policyRuleFaults(rules, 'namespace');
  }

  validateUpdate(object: Role): FieldError[] {
    return this.validateCreate(object);
  }
}
