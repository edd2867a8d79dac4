import {inject, strategy, Tokens, type NamingProfile} from '../../../sdk/index.js';
import {BindingStrategy} from './binding-strategy.js';
import {EscalationCheck} from './escalation-check.js';

/** ClusterRoleBinding: grants a cluster role everywhere. */
@strategy()
export class ClusterRoleBindingStrategy extends BindingStrategy {
  constructor(@inject(EscalationCheck) escalation: EscalationCheck, @inject(Tokens.Naming) naming: NamingProfile) {
    super('clusterrolebindings', escalation, {
      group: naming.group('rbac.authorization.orch'),
      roleKinds: ['ClusterRole'],
      namespaced: false,
    });
  }
}
