import {inject, strategy, Tokens, type NamingProfile} from '../../../sdk/index.js';
import {BindingStrategy} from './binding-strategy.js';
import {EscalationCheck} from './escalation-check.js';

/** RoleBinding: grants a role, or the permissions of a cluster role, in one namespace. */
@strategy()
export class RoleBindingStrategy extends BindingStrategy {
  constructor(@inject(EscalationCheck) escalation: EscalationCheck, @inject(Tokens.Naming) naming: NamingProfile) {
    super('rolebindings', escalation, {
      group: naming.group('rbac.authorization.orch'),
      roleKinds: ['Role', 'ClusterRole'],
      namespaced: true,
    });
  }
}
