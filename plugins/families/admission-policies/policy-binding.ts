import type {NamingProfile} from '../../../sdk/index.js';
import {selectorText} from '../../../sdk/labels/index.js';
import type {MutatingAdmissionPolicyBinding} from '../../../sdk/types/unchecked/admissionregistration/v1.js';
import {RequestMatcher} from '../admission-matching/request-matcher.js';
import {criteriaOf} from './admission-policy.js';

/** A binding puts a policy into effect, with params, for all or a part of what the policy matches. */
export interface PolicyBinding {
  readonly name: string;
  readonly policyName: string;
  /** Undefined: everything that the policy matches. */
  readonly matcher: RequestMatcher | undefined;
  readonly param: BindingParam | undefined;
}

/** Where the params are. */
export interface BindingParam {
  /** Empty: that of the request, if the params are in namespaces; in `v1alpha1` of a validating policy none. */
  readonly namespace: string;
  /** Empty if there is a selector. */
  readonly name: string;
  readonly selector: string | undefined;
  /** When there are none: `Allow`, the binding has no effect; otherwise it refuses everything. */
  readonly notFoundAction: string | undefined;
  readonly ofRequest: boolean;
}

/** What bindings of all kinds of policies say. @param isStatic whether it is from a file */
export function bindingOf(
  {apiVersion = '', kind, metadata, spec}: MutatingAdmissionPolicyBinding,
  naming: NamingProfile,
  isStatic: boolean,
): PolicyBinding {
  const {policyName, matchResources, paramRef} = spec ?? {};
  const param = paramRef && {
    namespace: paramRef.namespace ?? '',
    name: paramRef.name ?? '',
    selector: paramRef.selector ? selectorText(paramRef.selector) : undefined,
    notFoundAction: paramRef.parameterNotFoundAction || undefined,
    ofRequest: !apiVersion.endsWith('/v1alpha1') || kind === 'MutatingAdmissionPolicyBinding',
  };
  return {
    name: metadata.name ?? '',
    policyName: policyName ?? '',
    matcher: matchResources ? new RequestMatcher(criteriaOf(matchResources), naming, isStatic) : undefined,
    param: param ?? undefined,
  };
}
