import {strategy, type FieldError, type ResourceStrategy} from '../../../sdk/index.js';
import {policyRuleFaults} from './policy-rules.js';
import type {Role} from './rbac-types.js';

/** Role: what may be done in one namespace. */
@strategy()
export class RoleStrategy implements ResourceStrategy<Role> {
  validateCreate({rules}: Role): FieldError[] {
    return policyRuleFaults(rules, 'namespace');
  }

  validateUpdate(object: Role): FieldError[] {
    return this.validateCreate(object);
  }
}
