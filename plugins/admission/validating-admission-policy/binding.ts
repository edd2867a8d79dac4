import type {NamingProfile} from '../../../sdk/index.js';
import type {ValidatingAdmissionPolicyBinding} from '../../../sdk/types/unchecked/admissionregistration/v1.js';
import {bindingOf, type PolicyBinding} from '../../families/admission-policies/policy-binding.js';

/** A binding of a ValidatingAdmissionPolicy. */
export interface Binding extends PolicyBinding {
  /** What becomes of a write that the policy refuses. */
  readonly actions: readonly ValidationAction[];
}

export type ValidationAction = 'Deny' | 'Warn' | 'Audit';

export function validatingBindingOf(binding: ValidatingAdmissionPolicyBinding, naming: NamingProfile, isStatic: boolean): Binding {
  const actions = binding.spec?.validationActions;
  return {...bindingOf(binding, naming, isStatic), actions: actions?.length ? (actions as ValidationAction[]) : ['Deny']};
}
