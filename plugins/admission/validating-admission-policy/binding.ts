import type {NamingProfile} from '../../../sdk/index.js';
import type {ValidatingAdmissionPolicyBinding} from '../../../sdk/types/unchecked/admissionregistration/v1alpha1.js';
import {RequestMatcher} from '../../families/admission-matching/request-matcher.js';
import {criteriaOf} from './policy.js';

/** A binding puts a policy into effect, with params, for all or a part of what the policy matches. */
export interface Binding {
  readonly name: string;
  readonly policyName: string;
  /** Undefined: everything that the policy matches. */
  readonly matcher: RequestMatcher | undefined;
  readonly param: {readonly namespace: string; readonly name: string} | undefined;
}

export function bindingOf({metadata, spec}: ValidatingAdmissionPolicyBinding, naming: NamingProfile): Binding {
  const {policyName, matchResources, paramRef} = spec ?? {};
  return {
    name: metadata.name ?? '',
    policyName: policyName ?? '',
    matcher: matchResources ? new RequestMatcher(criteriaOf(matchResources), naming) : undefined,
    param: paramRef ? {namespace: paramRef.namespace ?? '', name: paramRef.name ?? ''} : undefined,
  };
}
