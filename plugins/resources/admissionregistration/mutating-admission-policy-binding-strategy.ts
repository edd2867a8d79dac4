import {inject, strategy, Tokens, type FieldError, type ResourceClient} from '../../../sdk/index.js';
import type {MutatingAdmissionPolicyBinding} from '../../../sdk/types/unchecked/admissionregistration/v1.js';
import {StaticNames} from '../../families/admission-matching/static-names.js';
import {ParamAccess} from './param-access.js';
import {PolicyBindingStrategy} from './policy-binding-strategy.js';
import {mutatingOperationFaults, specPath} from './policy-spec-faults.js';

/** MutatingAdmissionPolicyBinding: activates a policy, with parameters and for some of the resources that the policy selects. */
@strategy()
export class MutatingAdmissionPolicyBindingStrategy extends PolicyBindingStrategy<MutatingAdmissionPolicyBinding> {
  protected readonly policies = 'mutatingadmissionpolicies';

  constructor(
    @inject(ParamAccess) params: ParamAccess,
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(StaticNames) names: StaticNames,
  ) {
    super(params, resources, names);
  }

  protected isFirstAlpha(): boolean {
    return false;
  }

  protected ownFaults(spec: MutatingAdmissionPolicyBinding['spec']): FieldError[] {
    return mutatingOperationFaults(spec?.matchResources, specPath.child('matchResources'));
  }
}
