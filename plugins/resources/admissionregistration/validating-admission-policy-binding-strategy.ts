import {
  duplicate,
  inject,
  invalid,
  notSupported,
  required,
  strategy,
  Tokens,
  type FieldError,
  type FieldPath,
  type ResourceClient,
  type StrategyContext,
} from '../../../sdk/index.js';
import type {ValidatingAdmissionPolicyBinding} from '../../../sdk/types/unchecked/admissionregistration/v1.js';
import {StaticNames} from '../../families/admission-matching/static-names.js';
import {ParamAccess} from './param-access.js';
import {PolicyBindingStrategy} from './policy-binding-strategy.js';
import {specPath} from './policy-spec-faults.js';

const actions = ['Audit', 'Deny', 'Warn'];

/** ValidatingAdmissionPolicyBinding: activates a policy, with parameters and for some of the resources that the policy selects. */
@strategy()
export class ValidatingAdmissionPolicyBindingStrategy extends PolicyBindingStrategy<ValidatingAdmissionPolicyBinding> {
  protected readonly policies = 'validatingadmissionpolicies';

  constructor(
    @inject(ParamAccess) params: ParamAccess,
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(StaticNames) names: StaticNames,
  ) {
    super(params, resources, names);
  }

  protected isFirstAlpha(version: string): boolean {
    return version.endsWith('v1alpha1');
  }

  protected ownFaults(spec: ValidatingAdmissionPolicyBinding['spec'], {version}: StrategyContext): FieldError[] {
    return actionFaults(spec?.validationActions ?? [], specPath.child('validationActions'), this.isFirstAlpha(version));
  }
}

function actionFaults(given: readonly string[], path: FieldPath, isFirst: boolean): FieldError[] {
  const seen = new Set<string>();
  const faults = given.flatMap((action, index) => {
    const at = path.index(index);
    const found = actions.includes(action) ? [] : [notSupported(at, action, actions)];
    if (seen.has(action)) found.push(duplicate(at, action));
    seen.add(action);
    return found;
  });
  const both =
    'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';
  if (seen.has('Deny') && seen.has('Warn')) faults.push(invalid(path, given, both));
  if (seen.size === 0 && !isFirst) faults.push(required(path, 'at least one validation action is required'));
  return faults;
}
