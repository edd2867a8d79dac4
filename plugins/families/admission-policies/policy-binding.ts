import type {NamingProfile} from '../../../sdk/index.js';
import {selectorText} from '../../../sdk/labels/index.js';
import type {ValidatingAdmissionPolicyBinding} from '../../../sdk/types/unchecked/admissionregistration/v1alpha1.js';
import {RequestMatcher} from '../../families/admission-matching/request-matcher.js';
import {criteriaOf} from './policy.js';

/** A binding puts a policy into effect, with params, for all or a part of what the policy matches. */
export interface Binding {
  readonly name: string;
  readonly policyName: string;
  /** Undefined: everything that the policy matches. */
  readonly matcher: RequestMatcher | undefined;
  readonly param: BindingParam | undefined;
  /** What becomes of a write that the policy refuses. */
  readonly actions: readonly ValidationAction[];
}

export type ValidationAction = 'Deny' | 'Warn' | 'Audit';

/** Where the params are. */
export interface BindingParam {
  /** Empty: that of the request, if the params are in namespaces; in `v1alpha1` none. */
  readonly namespace: string;
  /** Empty if there is a selector. */
  readonly name: string;
  readonly selector: string | undefined;
  /** Whether the binding has no effect, instead of refusing everything, when there are none. */
  readonly mayBeMissing: boolean;
  readonly ofRequest: boolean;
}

export function bindingOf({apiVersion = '', metadata, spec}: ValidatingAdmissionPolicyBinding, naming: NamingProfile): Binding {
  const {policyName, matchResources, paramRef, validationActions} = spec ?? {};
  const param = paramRef && {
    namespace: paramRef.namespace ?? '',
    name: paramRef.name ?? '',
    selector: paramRef.selector ? selectorText(paramRef.selector) : undefined,
    mayBeMissing: paramRef.parameterNotFoundAction === 'Allow',
    ofRequest: !apiVersion.endsWith('/v1alpha1'),
  };
  return {
    name: metadata.name ?? '',
    policyName: policyName ?? '',
    matcher: matchResources ? new RequestMatcher(criteriaOf(matchResources), naming) : undefined,
    param: param ?? undefined,
    actions: validationActions?.length ? (validationActions as ValidationAction[]) : ['Deny'],
  };
}
